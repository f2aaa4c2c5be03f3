// Package grains looks grains up, and keeps those that are noted in the file of grains beside the configuration.
package grains

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "grains", Execs: append(execs(), writers()...),
		States: []modules.StateSpec{presentSpec(), absentSpec(), appendSpec(), listPresentSpec(), listAbsentSpec()}}
}

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("grains.get", "get(key, default=''): the grain under a colon-separated path.", grainsGet, "key",
			"default=''", "delimiter=:", "ordered=true"),
		modules.NewExec("grains.fetch", "fetch(key, default=''): as grains.get.", grainsGet, "key", "default=''",
			"delimiter=:", "ordered=true"),
		modules.NewExec("grains.items", "items(): all grains.",
			func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Grains.Dict(), nil }, "sanitize=false"),
		modules.NewExec("grains.item", "item(*keys): a map of each key and its grain.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return c.Items(c.Grains.Dict())
			}, "*args", "default=''", "delimiter=:", "sanitize=false"),
		modules.NewExec("grains.ls", "ls(): the names of all grains.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return modules.Keys(c.Grains.Dict()), nil
			}),
		modules.NewExec("grains.has_value", "has_value(key): whether there is such a grain.", grainsHasValue, "key"),
		modules.NewExec("grains.equals", "equals(key, value): whether the grain has the value, both as text.", grainsEquals,
			"key", "value"),
		modules.NewExec("grains.filter_by", "filter_by(lookup_dict, grain='os_family', merge=None, default='default', "+
			"base=None): the entry that a grain names.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return c.FilterBy(c.Grains.Dict(), c.Arg("grain"))
			},
			"lookup_dict", "grain=os_family", "merge=None", "default=default", "base=None"),
	}
}

func grainsGet(_ context.Context, c *modules.Call) (value.Value, error) {
	def := c.Arg("default")
	v, ok := c.Find(c.Grains.Dict(), c.Arg("key"))
	return modules.OrElse(v, ok, def), nil
}

func grainsHasValue(_ context.Context, c *modules.Call) (value.Value, error) {
	_, ok := c.Find(c.Grains.Dict(), c.Arg("key"))
	return value.Bool(ok), nil
}

func grainsEquals(_ context.Context, c *modules.Call) (value.Value, error) {
	v, ok := c.Find(c.Grains.Dict(), c.Arg("key"))
	return value.Bool(value.String(modules.OrElse(v, ok, value.Str(""))) == value.String(c.Arg("value"))), nil
}
