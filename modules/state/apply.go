package state

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// applySpecs are the functions that carry states out, on the machine of the call: in a preview on its overlay.
func applySpecs() []modules.ExecSpec {
	return modules.Writing(
		modules.NewExec("state.apply", "apply(mods=None, test=None, exclude=None, saltenv=None): carries SLS files out, or "+
			"the top file; the results of the states.",
			apply(asked), common("mods:list=None")...),
		modules.NewExec("state.sls", "sls(mods, test=None, exclude=None, saltenv=None): carries SLS files out; the results "+
			"of the states.", apply(asked),
			"mods:list", "test=None", "exclude:list=None", "queue=None", "saltenv=None", "concurrent=false"),
		modules.NewExec("state.highstate", "highstate(test=None, exclude=None, saltenv=None): carries the top file out; "+
			"the results of the states.", apply(asked), common()...),
		modules.NewExec("state.test", "test(mods=None, exclude=None, saltenv=None): what state.apply would do.",
			apply(func(c *modules.Call) modules.TreeRequest {
				r := asked(c)
				r.Test = true
				return r
			}), common("mods:list=None")...),
		modules.NewExec("state.sls_id", "sls_id(id_, mods, test=None, saltenv=None): carries the states of an ID out, with "+
			"what they require.", apply(func(c *modules.Call) modules.TreeRequest {
			r := asked(c)
			r.IDs = []string{c.Str("id_")}
			return r
		}), common("id_", "mods:list")...),
		modules.NewExec("state.single", "single(fun, name, test=None, **kwargs): carries one state out.",
			apply(func(c *modules.Call) modules.TreeRequest {
				r := asked(c)
				r.Single, r.Name, r.Args = c.Str("fun"), c.Str("name"), c.Extra()
				return r
			}), "fun", "name", "test=None", "queue=None", "saltenv=None", "**kwargs"),
	)
}

func apply(request func(c *modules.Call) modules.TreeRequest) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		t, err := trees(c)
		if err != nil {
			return nil, err
		}
		results, err := t.Apply(ctx, c.Host, request(c))
		if err != nil {
			return nil, err
		}
		return results, nil
	}
}
