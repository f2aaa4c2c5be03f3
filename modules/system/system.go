// Package system is the execution functions that tell of the machine: network, status, timezone, alternatives and saltutil.
// They read; none of them changes anything.
package system

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	var all []modules.ExecSpec
	for _, f := range []func() []modules.ExecSpec{networkSpecs, linkSpecs, statusSpecs, timezoneSpecs, alternativesSpecs, saltutilSpecs} {
		all = append(all, f()...)
	}
	return modules.Family{Name: "system", Execs: all}
}

type fn = func(ctx context.Context, c *modules.Call) (value.Value, error)

func spec(name, doc string, f fn, params ...string) modules.ExecSpec {
	return modules.ExecSpec{Name: name, Doc: doc, Params: params, Fn: f}
}

func texts(items ...string) *value.List {
	l := &value.List{Items: make([]value.Value, 0, len(items))}
	for _, s := range items {
		l.Items = append(l.Items, value.Str(s))
	}
	return l
}

// grain is a grain as text, "" when there is none.
func grain(c *modules.Call, path string) string {
	v, _ := value.Lookup(c.World.Grains(), path, ":")
	s, _ := v.(value.Str)
	return string(s)
}
