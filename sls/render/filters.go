package render

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A filter is one of Salt's, with the parameters that follow the value it is applied to. fn gets the value and as many
// arguments as there are parameters, nil for those that were not given.
type filter struct {
	name     string
	params   []string
	required int
	fn       func(ctx context.Context, r *Renderer, v value.Value, a []value.Value) (value.Value, error)
	// keywords are parameters that are only given by name; they come behind params.
	keywords []string
	// rest passes further positional arguments on, behind those of params and keywords.
	rest bool
	// kwRest collects further keyword arguments in a dict, the last of keywords.
	kwRest bool
}

// saltFilters are all filters that Salt adds to Jinja's.
func saltFilters() []filter {
	return slices.Concat(serializeFilters(), textFilters(), regexFilters(), listFilters(), dictFilters(), hashFilters(),
		fileFilters(),
		netFilters(), timeFilters())
}

// call binds the arguments of one use and runs the filter.
func (f *filter) call(ctx context.Context, r *Renderer, v value.Value, pos []value.Value,
	kw *value.Dict) (value.Value, error) {
	if u, ok := v.(*value.Undefined); ok && !u.Lenient {
		return nil, u.Err()
	}
	args, err := f.bind(pos, kw)
	if err != nil {
		return nil, err
	}
	for i, a := range args {
		args[i] = unmarked(a)
	}
	return f.fn(ctx, r, unmarked(v), args)
}

// unmarked is escaped text, and what tojson gives, as the text that it is.
func unmarked(v value.Value) value.Value {
	if t, ok := v.(value.Texter); ok {
		return t.PlainText()
	}
	return v
}

func (f *filter) bind(pos []value.Value, kw *value.Dict) ([]value.Value, error) {
	names := slices.Concat(f.params, f.keywords)
	out := make([]value.Value, len(names), len(names)+len(pos))
	for i, v := range pos {
		switch {
		case i < len(f.params):
			out[i] = v
		case f.rest:
			out = append(out, v)
		default:
			return nil, value.Raise("TypeError", "%s() takes at most %d arguments (%d given)", f.name, len(f.params)+1,
				len(pos)+1)
		}
	}
	if kw != nil {
		for k, v := range kw.All() {
			name := value.String(k)
			i := slices.Index(names, name)
			switch {
			case i < 0 && f.kwRest:
				if err := collect(&out[len(names)-1], k, v); err != nil {
					return nil, err
				}
				continue
			case i < 0:
				return nil, value.Raise("TypeError", "%s() got an unexpected keyword argument '%s'", f.name, name)
			case i < len(pos) && i < len(f.params):
				return nil, value.Raise("TypeError", "%s() got multiple values for argument '%s'", f.name, name)
			}
			out[i] = v
		}
	}
	for i := range f.required {
		if out[i] == nil {
			return nil, value.Raise("TypeError", "%s() missing 1 required positional argument: '%s'", f.name, f.params[i])
		}
	}
	for _, v := range out {
		if u, ok := v.(*value.Undefined); ok && !u.Lenient {
			return nil, u.Err()
		}
	}
	return out, nil
}

// collect puts a keyword argument into the dict in a slot.
func collect(slot *value.Value, k, v value.Value) error {
	if u, ok := v.(*value.Undefined); ok && !u.Lenient {
		return u.Err()
	}
	if *slot == nil {
		*slot = value.NewDict(1)
	}
	return (*slot).(*value.Dict).Set(k, v)
}

// text1 makes a filter of a function from text to a value, without parameters.
func text1(name string, fn func(s string) (value.Value, error)) filter {
	return filter{name: name, fn: func(_ context.Context, _ *Renderer, v value.Value, _ []value.Value) (value.Value,
		error) {
		s, err := textOf(name, v)
		if err != nil {
			return nil, err
		}
		return fn(s)
	}}
}

// textOf is the text of a string or bytes; another type is a TypeError.
func textOf(name string, v value.Value) (string, error) {
	switch v := v.(type) {
	case value.Str:
		return string(v), nil
	case value.Bytes:
		return string(v), nil
	case *value.Undefined:
		return "", nil
	case value.Stringer:
		return v.PyStr(), nil
	}
	return "", value.Raise("TypeError", "%s() expects text, not '%s'", name, v.TypeName())
}

// isNone is true of None and of an argument that was not given.
func isNone(v value.Value) bool { return v == nil || v == value.Value(value.None) }

func truth(v value.Value) bool { return v != nil && value.Truth(v) }

// strOr is the text of an argument, or the default when it was not given.
func strOr(v value.Value, def string) string {
	if isNone(v) {
		return def
	}
	return value.String(v)
}

// simple is a filter without parameters over any value.
func simple(name string, fn func(v value.Value) (value.Value, error)) filter {
	return filter{name: name, fn: func(_ context.Context, _ *Renderer, v value.Value, _ []value.Value) (value.Value,
		error) {
		return fn(v)
	}}
}

// with is a filter with parameters that needs neither context nor renderer. params are "a" or "a=" for an optional one.
func with(name, params string, fn func(v value.Value, a []value.Value) (value.Value, error)) filter {
	f := filter{name: name, fn: func(_ context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
		return fn(v, a)
	}}
	f.setParams(params)
	return f
}

func (f *filter) setParams(params string) {
	for _, p := range strings.Fields(params) {
		name, optional := strings.CutSuffix(p, "=")
		if !optional {
			f.required++
		}
		f.params = append(f.params, name)
	}
}
