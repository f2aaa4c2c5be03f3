package modules

import (
	"errors"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Answer is what a function gives that says whether it could do what it was asked: True, or False with a word in the
// log. What an overlay refuses, and what nobody can tell, stays an error.
func (c *Call) Answer(err error) (value.Value, error) {
	switch {
	case err == nil:
		return value.Bool(true), nil
	case errors.Is(err, host.ErrPreview), host.IsUnknown(err):
		return nil, err
	}
	c.Log("error", c.spec.Name+": "+err.Error())
	return value.Bool(false), nil
}

// NoRoot refuses a directory to work in other than the machine's: that is the option --root of gostate.
func (c *Call) NoRoot() error {
	if c.Arg("root") == value.Value(value.None) {
		return nil
	}
	return value.Raise("CommandExecutionError", "%s() works on the machine as it is; use the option --root for another "+
		"tree", c.function())
}

// Failed is the exception of a function that could not do what it was asked. What an overlay refuses, and what nobody
// can tell, stays what it is.
func Failed(err error) error {
	if err == nil || errors.Is(err, host.ErrPreview) || host.IsUnknown(err) {
		return err
	}
	return value.Raise("CommandExecutionError", "%v", err)
}
