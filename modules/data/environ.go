package data

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func environSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("environ.get", "get(key, default=''): a variable of gostate's environment.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			if v, ok := c.World.Getenv(c.Str("key")); ok {
				return value.Str(v), nil
			}
			return value.Str(c.Str("default")), nil
		}, "key", "default=''"),
		spec("environ.has_value", "has_value(key, value=None): whether a variable is set, and to the value.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			v, ok := c.World.Getenv(c.Str("key"))
			return value.Bool(ok && (c.Arg("value") == value.None || v == c.Str("value"))), nil
		}, "key", "value=None"),
		spec("environ.item", "item(keys, default=''): a map of variables.", environItem, "keys", "default=''"),
		spec("environ.items", "items(): all variables.", environItems),
	}
}

func environItem(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, k := range c.Strs("keys") {
		v, ok := c.World.Getenv(k)
		if !ok {
			v = c.Str("default")
		}
		out.SetStr(k, value.Str(v))
	}
	return out, nil
}

func environItems(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	vars := slices.Clone(c.World.Environ)
	slices.Sort(vars)
	for _, kv := range vars {
		k, v, _ := strings.Cut(kv, "=")
		out.SetStr(k, value.Str(v))
	}
	return out, nil
}

// mineSpecs answer as a machine without a master does: nobody has published anything.
func mineSpecs() []modules.ExecSpec {
	empty := func(context.Context, *modules.Call) (value.Value, error) { return value.NewDict(0), nil }
	return []modules.ExecSpec{
		spec("mine.get", "get(tgt, fun, tgt_type='glob'): what other machines published; nothing without a master.", empty,
			"tgt", "fun", "tgt_type=glob", "exclude_minion=false"),
		spec("mine.valid", "valid(): the functions of the mine that are configured.", empty),
	}
}
