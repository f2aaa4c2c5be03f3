package alias

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	looks := []modules.ExecSpec{
		modules.NewExec("aliases.list_aliases", "Gives all mail aliases and what they stand for.",
			looking(func(_ *modules.Call, t *table) (value.Value, error) {
				out := value.NewDict(0)
				for _, l := range t.lines {
					if l.name != "" {
						out.SetStr(strings.Trim(l.name, `"`), value.Str(l.target))
					}
				}
				return out, nil
			})),
		modules.NewExec("aliases.get_target", "Gives what a mail alias stands for, \"\" where there is none.",
			looking(func(c *modules.Call, t *table) (value.Value, error) {
				return value.Str(t.get(c.Str("alias"))), nil
			}), "alias"),
		modules.NewExec("aliases.has_target", "Says whether a mail alias stands for a target.",
			looking(func(c *modules.Call, t *table) (value.Value, error) {
				to, err := target(c)
				return value.Bool(t.get(c.Str("alias")) == to), err
			}), "alias", "target"),
	}
	return append(looks, modules.Writing(
		modules.ExecSpec{Name: "aliases.set_target", Doc: "Sets a mail alias.", Params: []string{"alias", "target"},
			Fn: writing(func(c *modules.Call, t *table) error {
				to, err := target(c)
				t.set(c.Str("alias"), to)
				return err
			})},
		modules.ExecSpec{Name: "aliases.rm_alias", Doc: "Removes a mail alias.", Params: []string{"alias"},
			Fn: writing(func(c *modules.Call, t *table) error {
				t.remove(c.Str("alias"))
				return nil
			})},
	)...)
}

func target(c *modules.Call) (string, error) {
	all, err := modules.Texts(c.Arg("target"))
	if err == nil && strings.Join(all, "") == "" {
		err = value.Raise("SaltInvocationError", "target can not be an empty string")
	}
	return strings.Join(all, ", "), err
}

func looking(look func(c *modules.Call, t *table) (value.Value, error)) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		t, err := open(c.Env, c.Host)
		if err != nil {
			return nil, err
		}
		return look(c, t)
	}
}

// writing is a function that is True, and writes the file where that changes something.
func writing(edit func(c *modules.Call, t *table) error) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		t, err := open(c.Env, c.Host)
		if err != nil {
			return nil, err
		}
		before := t.get(c.Str("alias"))
		if err := edit(c, t); err != nil {
			return nil, err
		}
		if t.get(c.Str("alias")) != before {
			err = t.write(ctx, c.Host)
		}
		return value.Bool(true), err
	}
}
