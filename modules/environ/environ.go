// Package environ looks at gostate's environment, and sets it for the commands of a run.
package environ

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "environ", States: []modules.StateSpec{setenvSpec()}, Execs: append(execs(), setters()...)}
}

func setters() []modules.ExecSpec {
	return modules.Writing(
		modules.ExecSpec{Name: "environ.setval", Doc: "Sets a variable of gostate's environment, False for an empty one.",
			Params: []string{"key", "val:text", "false_unsets=false", "permanent=false"},
			Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
				told, err := change{value.DictOf(c.Str("key"), c.Arg("val")), c.Bool("false_unsets"), false}.do(ctx, c.Env, c.Host)
				if err != nil {
					return nil, err
				}
				return told.At(0).Val, nil
			}},
		modules.ExecSpec{Name: "environ.setenv", Doc: "Sets variables of gostate's environment and tells them.",
			Params: []string{"environ:env", "false_unsets=false", "clear_all=false", "update_minion=false", "permanent=false"},
			Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
				vars, ok := c.Arg("environ").(*value.Dict)
				if !ok || (&Setenv{Value: vars}).Validate() != nil {
					return value.Bool(false), nil
				}
				return change{vars, c.Bool("false_unsets"), c.Bool("clear_all")}.do(ctx, c.Env, c.Host)
			}},
	)
}

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("environ.get", "get(key, default=''): a variable of gostate's environment.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				if v, ok := now(c.Env, c.Host, c.Str("key")); ok {
					return value.Str(v), nil
				}
				return value.Str(c.Str("default")), nil
			}, "key", "default=''"),
		modules.NewExec("environ.has_value", "has_value(key, value=None): whether a variable is set, and to the value.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				v, ok := now(c.Env, c.Host, c.Str("key"))
				return value.Bool(ok && (c.Arg("value") == value.None || v == c.Str("value"))), nil
			}, "key", "value=None"),
		modules.NewExec("environ.item", "item(keys, default=''): a map of variables.", environItem, "keys:list",
			"default=''"),
		modules.NewExec("environ.items", "items(): all variables.", environItems),
	}
}

func environItem(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, k := range c.Strs("keys") {
		v, ok := now(c.Env, c.Host, k)
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
