package state

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func showSpecs() []modules.ExecSpec {
	show := func(what string) modules.ExecFunc {
		return func(ctx context.Context, c *modules.Call) (value.Value, error) { return shown(ctx, c, what) }
	}
	return []modules.ExecSpec{
		modules.NewExec("state.show_top", "show_top(): what the top file assigns to this machine.", show("top"), common()...),
		modules.NewExec("state.show_highstate", "show_highstate(): the high data of the top file.", show("high"),
			common()...),
		modules.NewExec("state.show_lowstate", "show_lowstate(): the low data of the top file.", show("low"), common()...),
		modules.NewExec("state.show_sls", "show_sls(mods): the high data of SLS files.", show("high"),
			common("mods:list")...),
		modules.NewExec("state.show_low_sls", "show_low_sls(mods): the low data of SLS files.", show("low"),
			common("mods:list")...),
		modules.NewExec("state.show_states", "show_states(): the SLS files that the top file comes to, with those that "+
			"they include.", showStates, common()...),
		modules.NewExec("state.show_state_usage", "show_state_usage(): which SLS files of each environment the top file "+
			"uses.", showUsage, common()...),
		modules.NewExec("state.sls_exists", "sls_exists(mods): whether SLS files are there and can be rendered.", slsExists,
			common("mods:list")...),
		modules.NewExec("state.id_exists", "id_exists(ids, mods): whether SLS files have states of all the IDs.", idExists,
			common("ids:list", "mods:list")...),
	}
}

func shown(ctx context.Context, c *modules.Call, what string) (value.Value, error) {
	t, err := trees(c)
	if err != nil {
		return nil, err
	}
	return t.Show(ctx, what, asked(c))
}

// values are what the low states hold under a key, each once, in their order.
func values(ctx context.Context, c *modules.Call, key string) ([]string, error) {
	low, err := shown(ctx, c, "low")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, chunk := range low.(*value.List).Items {
		v, _ := chunk.(*value.Dict).GetStr(key)
		if text := value.String(v); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out, nil
}

func showStates(ctx context.Context, c *modules.Call) (value.Value, error) {
	names, err := values(ctx, c, "__sls__")
	return modules.TextList(names), err
}

func slsExists(ctx context.Context, c *modules.Call) (value.Value, error) {
	_, err := shown(ctx, c, "high")
	if err != nil {
		c.Log("info", err.Error())
	}
	return value.Bool(err == nil), nil
}

func idExists(ctx context.Context, c *modules.Call) (value.Value, error) {
	have, err := values(ctx, c, "__id__")
	if err != nil {
		return nil, err
	}
	for _, id := range c.Strs("ids") {
		if !slices.Contains(have, id) {
			return value.Bool(false), nil
		}
	}
	return value.Bool(true), nil
}

// showUsage compares the top file with the SLS files that there are.
func showUsage(ctx context.Context, c *modules.Call) (value.Value, error) {
	top, err := shown(ctx, c, "top")
	if err != nil {
		return nil, err
	}
	usage := value.NewDict(0)
	envs, err := c.Exec.Call(ctx, "cp.envs", nil, value.NewDict(0))
	if err != nil {
		return nil, err
	}
	for _, env := range envs.(*value.List).Items {
		all, err := c.Exec.Call(ctx, "cp.list_states", []value.Value{env}, value.NewDict(0))
		if err != nil {
			return nil, err
		}
		var matches value.Value
		if assigned, ok := top.(*value.Dict); ok {
			matches, _ = assigned.Get(env)
		}
		used, unused := value.NewList(), value.NewList()
		for _, name := range all.(*value.List).Items {
			if l, ok := matches.(*value.List); ok && slices.ContainsFunc(l.Items,
				func(v value.Value) bool { return value.Equal(v, name) }) {
				used.Items = append(used.Items, name)
			} else {
				unused.Items = append(unused.Items, name)
			}
		}
		usage.Set(env, value.DictOf("used", used, "unused", unused, "count_all", value.Int(len(used.Items)+
			len(unused.Items)), "count_used", value.Int(len(used.Items)), "count_unused", value.Int(len(unused.Items))))
	}
	return usage, nil
}
