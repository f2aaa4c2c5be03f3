package state

import (
	"cmp"
	"context"
	"strings"

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
			}), "fun", "name:text", "test=None", "queue=None", "saltenv=None", "**kwargs:text"),
		modules.NewExec("state.top", "top(topfn, test=None, exclude=None, saltenv=None): carries out what another top file "+
			"says.", apply(func(c *modules.Call) modules.TreeRequest {
			r := asked(c)
			r.TopFile = strings.TrimPrefix(c.Str("topfn"), "salt://")
			return r
		}), common("topfn")...),
		modules.NewExec("state.high", "high(data, test=None): carries high data out.",
			apply(func(c *modules.Call) modules.TreeRequest {
				r := asked(c)
				r.High = c.Dict("data")
				return r
			}), "data:text", "test=None", "queue=None", "saltenv=None"),
		modules.NewExec("state.low", "low(data): carries one low state out; its result.", low, "data:text", "queue=None"),
		modules.NewExec("state.template_str", "template_str(tem): carries the text of an SLS out.",
			apply(func(c *modules.Call) modules.TreeRequest {
				r := asked(c)
				r.Text = c.Str("tem")
				return r
			}), "tem:text", "queue=None", "test=None"),
		modules.NewExec("state.template", "template(tem): carries an SLS out that is a file of the machine.", template,
			"tem", "queue=None", "test=None", "saltenv=None"),
	)
}

// low applies {state: file, fun: managed, name: /x, ...} as state.single does, and gives its one result.
func low(ctx context.Context, c *modules.Call) (value.Value, error) {
	data := c.Dict("data").Copy()
	word := func(key string) string {
		v, _ := data.GetStr(key)
		data.Delete(value.Str(key))
		if v == nil {
			return ""
		}
		return value.String(v)
	}
	r := asked(c)
	module, fun, id := word("state"), word("fun"), word("__id__")
	if r.Name = cmp.Or(word("name"), id); module == "" || fun == "" || r.Name == "" {
		return nil, value.Raise("SaltInvocationError", "the low state needs state, fun and name")
	}
	r.Single, r.Args = module+"."+fun, data
	all, err := apply(func(*modules.Call) modules.TreeRequest { return r })(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, one := range all.(*value.Dict).All() {
		return one, nil
	}
	return all, nil
}

func template(ctx context.Context, c *modules.Call) (value.Value, error) {
	name := c.Str("tem")
	if !strings.HasSuffix(name, ".sls") {
		name += ".sls"
	}
	text, err := c.Host.ReadFile(name)
	if err != nil {
		return nil, value.Raise("SaltRenderError", "Template %s could not be read: %v", name, err)
	}
	r := asked(c)
	r.Text = string(text)
	return apply(func(*modules.Call) modules.TreeRequest { return r })(ctx, c)
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
