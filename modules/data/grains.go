package data

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func grainsSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("grains.get", "get(key, default=''): the grain under a colon-separated path.", grainsGet, "key", "default=''", "delimiter=:", "ordered=true"),
		spec("grains.fetch", "fetch(key, default=''): as grains.get.", grainsGet, "key", "default=''", "delimiter=:", "ordered=true"),
		spec("grains.items", "items(): all grains.", func(_ context.Context, c *modules.Call) (value.Value, error) { return c.World.Grains(), nil }, "sanitize=false"),
		spec("grains.item", "item(*keys): a map of each key and its grain.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			return items(c, c.World.Grains())
		}, "*args", "**kwargs"),
		spec("grains.ls", "ls(): the names of all grains.", func(_ context.Context, c *modules.Call) (value.Value, error) { return keys(c.World.Grains()), nil }),
		spec("grains.has_value", "has_value(key): whether there is such a grain.", grainsHasValue, "key"),
		spec("grains.equals", "equals(key, value): whether the grain has the value, both as text.", grainsEquals, "key", "value"),
		spec("grains.filter_by", "filter_by(lookup_dict, grain='os_family', merge=None, default='default', base=None): the entry that a grain names.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return filterBy(c, c.World.Grains(), c.Arg("grain"))
			},
			"lookup_dict", "grain=os_family", "merge=None", "default=default", "base=None"),
	}
}

func grainsGet(_ context.Context, c *modules.Call) (value.Value, error) {
	def := c.Arg("default")
	v, ok := lookup(c, c.World.Grains(), c.Arg("key"))
	return orElse(v, ok, def), nil
}

func grainsHasValue(_ context.Context, c *modules.Call) (value.Value, error) {
	_, ok := lookup(c, c.World.Grains(), c.Arg("key"))
	return value.Bool(ok), nil
}

func grainsEquals(_ context.Context, c *modules.Call) (value.Value, error) {
	v, ok := lookup(c, c.World.Grains(), c.Arg("key"))
	return value.Bool(value.String(orElse(v, ok, value.Str(""))) == value.String(c.Arg("value"))), nil
}
