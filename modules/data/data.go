// Package data is the execution functions that templates look data up with and join it: pillar, grains, config, slsutil,
// defaults, match, mine and environ. They read; none of them changes the machine.
package data

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	var all []modules.ExecSpec
	for _, f := range []func() []modules.ExecSpec{pillarSpecs, grainsSpecs, configSpecs, slsutilSpecs, defaultsSpecs, matchSpecs, mineSpecs, environSpecs} {
		all = append(all, f()...)
	}
	return modules.Family{Name: "data", Execs: all}
}

// fn is what an execution function does.
type fn = func(ctx context.Context, c *modules.Call) (value.Value, error)

func spec(name, doc string, f fn, params ...string) modules.ExecSpec {
	return modules.ExecSpec{Name: name, Doc: doc, Params: params, Fn: f}
}

// lookup follows a path through data; the delimiter is the parameter of that name.
func lookup(c *modules.Call, in value.Value, key value.Value) (value.Value, bool) {
	s, ok := key.(value.Str)
	if !ok {
		if d, isDict := in.(*value.Dict); isDict {
			return d.Get(key)
		}
		return nil, false
	}
	return value.Lookup(in, string(s), delimiter(c))
}

func delimiter(c *modules.Call) string {
	if d := c.Str("delimiter"); d != "" {
		return d
	}
	return ":"
}

// orElse is v, or def where nothing was found.
func orElse(v value.Value, ok bool, def value.Value) value.Value {
	if ok {
		return v
	}
	return def
}

// items gives each key with what is found under it.
func items(c *modules.Call, in *value.Dict) (value.Value, error) {
	def := value.Value(value.Str(""))
	if v, ok := c.Extra().GetStr("default"); ok {
		def = v
	}
	delim := ":"
	if v, ok := c.Extra().GetStr("delimiter"); ok {
		delim = value.String(v)
	}
	out := value.NewDict(len(c.Rest()))
	for _, k := range c.Rest() {
		v, ok := value.Lookup(in, value.String(k), delim)
		if err := out.Set(k, orElse(v, ok, def)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func keys(d *value.Dict) *value.List {
	l := &value.List{Items: make([]value.Value, 0, d.Len())}
	for k := range d.All() {
		l.Items = append(l.Items, k)
	}
	return l
}
