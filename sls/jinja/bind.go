package jinja

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A signature is that of a Python function behind a filter, a test or a global: its name, for the words of errors, and
// its parameters in order; those with a leading * must be given.
type signature struct {
	fn     string
	hidden int // arguments that Jinja passes itself, which Python counts
	params []string
	least  int // how many must be given
}

// sig reads "name(a, b, *c)"; each + before the name stands for one hidden argument. The filtered value is a parameter.
func sig(text string) signature {
	s := signature{}
	for strings.HasPrefix(text, "+") {
		text = text[1:]
		s.hidden++
	}
	name, params, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	s.fn = name
	if params != "" {
		s.params = strings.Split(params, ", ")
	}
	for _, p := range s.params {
		if p[0] == '*' {
			s.least++
		}
	}
	return s
}

// filterSig is sig of a filter or a test, whose first parameter is always given.
func filterSig(text string) signature {
	s := sig(text)
	s.params[0] = "*" + s.params[0]
	s.least++
	return s
}

// bind puts arguments into the places of the parameters; nil where none was given.
func (s signature) bind(args []value.Value, kwargs *value.Dict) ([]value.Value, error) {
	if len(args) > len(s.params) {
		return nil, s.tooMany(len(args))
	}
	out := make([]value.Value, len(s.params))
	copy(out, args)
	if kwargs != nil {
		for i := range kwargs.Len() {
			e := kwargs.At(i)
			if err := s.keyword(out, value.String(e.Key), e.Val, len(args)); err != nil {
				return nil, err
			}
		}
	}
	var missing []string
	for i, p := range s.params {
		if out[i] == nil && p[0] == '*' {
			missing = append(missing, quote(p[1:]))
		}
	}
	if missing != nil {
		return nil, s.missing(missing)
	}
	return out, nil
}

func (s signature) keyword(out []value.Value, name string, v value.Value, given int) error {
	for i, p := range s.params {
		if strings.TrimPrefix(p, "*") != name {
			continue
		}
		if i < given {
			return raise("TypeError", "%s() got multiple values for argument %s", s.fn, quote(name))
		}
		out[i] = v
		return nil
	}
	return raise("TypeError", "%s() got an unexpected keyword argument %s", s.fn, quote(name))
}

func (s signature) missing(names []string) error {
	noun := "argument"
	list := names[0]
	if n := len(names); n > 1 {
		noun = "arguments"
		list = strings.Join(names[:n-1], ", ") + " and " + names[n-1]
		if n > 2 {
			list = strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
		}
	}
	return raise("TypeError", "%s() missing %d required positional %s: %s", s.fn, len(names), noun, list)
}

func (s signature) tooMany(given int) error {
	most, least := len(s.params)+s.hidden, s.least+s.hidden
	takes, noun := value.Repr(value.Int(most)), "arguments"
	if least != most {
		takes = "from " + value.Repr(value.Int(least)) + " to " + takes
	} else if most == 1 {
		noun = "argument"
	}
	return raise("TypeError", "%s() takes %s positional %s but %d were given", s.fn, takes, noun, given+s.hidden)
}

// params is a filter's value and arguments by the signature.
func (c *Call) params(s signature) ([]value.Value, error) {
	if n := len(s.params); c.Kwargs == nil && len(c.Args) < n && n <= len(c.bound) && len(c.Args)+1 >= s.least {
		p := c.bound[:n]
		p[0] = c.Value
		for i := range p[1:] {
			switch {
			case i < len(c.Args):
				p[1+i] = c.Args[i]
			case p[1+i] != nil:
				p[1+i] = nil
			}
		}
		return p, nil
	}
	args := make([]value.Value, 0, len(c.Args)+1)
	args = append(args, c.Value)
	return s.bind(append(args, c.Args...), c.Kwargs)
}

// signed makes a Filter of a function that gets its parameters by the signature.
func signed(text string, f func(c *Call, p []value.Value) (value.Value, error)) Filter {
	s := filterSig(text)
	return func(c *Call) (value.Value, error) {
		p, err := c.params(s)
		if err != nil {
			return nil, err
		}
		return f(c, p)
	}
}

// whole is a parameter that must be an integer; def stands for one that was not given.
func whole(v value.Value, def int) (int, error) {
	switch v := v.(type) {
	case nil:
		return def, nil
	case value.Int:
		return int(v), nil
	case value.Bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case *value.Undefined:
		return 0, useError(v)
	}
	return 0, raise("TypeError", "'%s' object cannot be interpreted as an integer", typeName(v))
}

// flag is a parameter that is tested for truth.
func flag(v value.Value, def bool) (bool, error) {
	if v == nil {
		return def, nil
	}
	return truth(v)
}

// isText says whether v is a str.
func isText(v value.Value) (string, bool) {
	switch v := v.(type) {
	case value.Str:
		return string(v), true
	case Markup:
		return string(v), true
	}
	return "", false
}

// like makes text safe if v is.
func like(v value.Value, s string) value.Value {
	if _, ok := v.(Markup); ok {
		return Markup(s)
	}
	return value.Str(s)
}
