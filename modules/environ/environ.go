// Package environ is the execution functions that read gostate's environment.
package environ

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "environ", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("environ.get", "get(key, default=''): a variable of gostate's environment.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			if v, ok := c.LookupEnv(c.Str("key")); ok {
				return value.Str(v), nil
			}
			return value.Str(c.Str("default")), nil
		}, "key", "default=''"),
		modules.NewExec("environ.has_value", "has_value(key, value=None): whether a variable is set, and to the value.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			v, ok := c.LookupEnv(c.Str("key"))
			return value.Bool(ok && (c.Arg("value") == value.None || v == c.Str("value"))), nil
		}, "key", "value=None"),
		modules.NewExec("environ.item", "item(keys, default=''): a map of variables.", environItem, "keys", "default=''"),
		modules.NewExec("environ.items", "items(): all variables.", environItems),
	}
}

func environItem(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, k := range c.Strs("keys") {
		v, ok := c.LookupEnv(k)
		if !ok {
			v = c.Str("default")
		}
		out.SetStr(k, value.Str(v))
	}
	return out, nil
}

func environItems(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	vars := slices.Clone(c.Environ)
	slices.Sort(vars)
	for _, kv := range vars {
		k, v, _ := strings.Cut(kv, "=")
		out.SetStr(k, value.Str(v))
	}
	return out, nil
}
