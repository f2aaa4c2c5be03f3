package modules

import (
	"strings"
	"time"

	"github.com/gostate/gostate/state/value"
)

// Has says whether the parameter, or the extra keyword, was given, be it as None.
func (c *Call) Has(name string) bool {
	if i := c.index(name); i >= 0 {
		return c.params[i] != nil
	}
	_, ok := c.extra.GetStr(name)
	return ok
}

// Arg is the value of a parameter or of an extra keyword: as given, else the default after the "=" of the parameter,
// else None.
func (c *Call) Arg(name string) value.Value {
	if i := c.index(name); i >= 0 {
		if c.params[i] != nil {
			return c.params[i]
		}
		_, def, _ := strings.Cut(c.spec.Params[i], "=")
		return parseDefault(def)
	}
	if v, ok := c.extra.GetStr(name); ok {
		return v
	}
	return value.None
}

// Str is a parameter as text, "" for None. Numbers are printed; anything else is printed as str() does.
func (c *Call) Str(name string) string {
	v := c.Arg(name)
	if s, err := Text(v); err == nil {
		return s
	}
	return value.String(v)
}

// Bool is a parameter's truth, as Python takes it.
func (c *Call) Bool(name string) bool { return value.Truth(c.Arg(name)) }

// Int is a parameter as a whole number, def where it is none.
func (c *Call) Int(name string, def int) int {
	if i, err := Integer(c.Arg(name)); err == nil {
		return int(i)
	}
	return def
}

// Seconds is a parameter as a time, 0 where it is none.
func (c *Call) Seconds(name string) time.Duration {
	d, _ := Seconds(c.Arg(name))
	return d
}

// Strs is a parameter as a list of texts: none for None, one for a scalar, split at commas when it is text with commas.
func (c *Call) Strs(name string) []string {
	switch v := c.Arg(name).(type) {
	case value.NoneType:
		return nil
	case value.Str:
		if v == "" {
			return nil
		}
		return strings.Split(string(v), ",")
	default:
		l, err := Texts(v)
		if err != nil {
			return nil
		}
		return l
	}
}

// Dict is a parameter as a map, never nil.
func (c *Call) Dict(name string) *value.Dict {
	if d, err := Map(c.Arg(name)); err == nil {
		return d
	}
	return value.NewDict(0)
}

// Rest are the positional arguments beyond the named ones, where the function takes "*args".
func (c *Call) Rest() []value.Value { return c.rest }

// Extra are the keywords beyond the named ones, where the function takes "**kwargs"; never nil.
func (c *Call) Extra() *value.Dict { return c.extra }

// NoExtra refuses extra keywords, where a function takes them only at times: the variables of a template.
func (c *Call) NoExtra() error {
	for k := range c.extra.All() {
		return c.unexpected(value.String(k))
	}
	return nil
}

// Log writes a message of the call, where there is a log.
func (c *Call) Log(level, msg string) {
	if c.Env.Log != nil {
		c.Env.Log(level, msg)
	}
}
