package state

import (
	"errors"

	"github.com/gostate/gostate/state/value"
)

// A Property is one thing that a state keeps, and that it changed or was to change. Before and After are nil where
// nobody knows; Error says why it could not be changed, "" where it was.
type Property struct {
	Name          string
	Before, After value.Value
	Error         string
}

// Properties are those that changes name, with what there was.
func Properties(before, changes *value.Dict) []Property {
	out := make([]Property, 0, changes.Len())
	for k, v := range changes.All() {
		was, _ := before.Get(k)
		out = append(out, Property{Name: value.String(k), Before: was, After: v})
	}
	return out
}

// A PropertyError says which property of a state could not be changed. Others may have been.
type PropertyError struct {
	Name string
	Err  error
}

func (e *PropertyError) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *PropertyError) Unwrap() error { return e.Err }

// Unkept are the properties that an error, or those that it joins, tell of.
func Unkept(err error) []Property {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var out []Property
		for _, one := range many.Unwrap() {
			out = append(out, Unkept(one)...)
		}
		return out
	}
	if p, ok := err.(*PropertyError); ok {
		return []Property{{Name: p.Name, Error: p.Err.Error()}}
	}
	if inner := errors.Unwrap(err); inner != nil {
		return Unkept(inner)
	}
	return nil
}
