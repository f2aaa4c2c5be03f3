package state

import (
	"cmp"
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// stored is where requests are kept, below cachedir.
const stored = "req_state.p"

// requestSpecs are those of runs that somebody asks for and somebody else lets happen.
func requestSpecs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("state.request", "request(mods=None, name='default'): notes that SLS files are to be carried out, "+
			"for state.run_request, and gives what would change.", ask, common("mods=None", "name=None")...),
		modules.NewExec("state.run_request", "run_request(name='default'): carries a request out and forgets all of them.",
			runRequest, "name=default", "test=None", "queue=None", "exclude=None", "saltenv=None"),
		modules.NewExec("state.clear_request", "clear_request(name=None): forgets one request, or all.", clearRequest,
			"name=None"),
	), modules.NewExec("state.check_request", "check_request(name=None): the requests with what they would change, or "+
		"one of them.", checkRequest, "name=None"))
}

func ask(ctx context.Context, c *modules.Call) (value.Value, error) {
	r := asked(c)
	r.Test = true
	results, err := apply(func(*modules.Call) modules.TreeRequest { return r })(ctx, c)
	if err != nil {
		return nil, err
	}
	all, err := c.Stored(stored)
	if err != nil {
		return nil, err
	}
	kwargs := value.DictOf("test", value.Bool(true))
	for _, k := range []string{"exclude", "saltenv"} {
		if c.Has(k) {
			kwargs.SetStr(k, c.Arg(k))
		}
	}
	all.SetStr(cmp.Or(c.Str("name"), "default"),
		value.DictOf("test_run", results, "mods", c.Arg("mods"), "kwargs", kwargs))
	return results, c.Store(stored, all, host.Attr{Mode: 0o600, HasMode: true, UID: -1, GID: -1})
}

func checkRequest(_ context.Context, c *modules.Call) (value.Value, error) {
	all, err := c.Stored(stored)
	if err != nil || c.Str("name") == "" {
		return all, err
	}
	one, ok := all.GetStr(c.Str("name"))
	if !ok {
		return nil, value.Raise("KeyError", "'%s'", c.Str("name"))
	}
	return one, nil
}

func clearRequest(_ context.Context, c *modules.Call) (value.Value, error) {
	if c.Str("name") == "" {
		return value.Bool(true), c.Forget(stored)
	}
	all, err := c.Stored(stored)
	switch {
	case err != nil:
		return nil, err
	case all.Len() == 0:
		return value.Bool(true), nil
	case !all.Delete(c.Arg("name")):
		return value.Bool(false), nil
	}
	return value.Bool(true), c.Store(stored, all, host.KeepAttr())
}

func runRequest(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, err := c.Stored(stored)
	if err != nil {
		return nil, err
	}
	v, _ := all.GetStr(c.Str("name"))
	one, ok := v.(*value.Dict)
	if !ok {
		return value.NewDict(0), nil
	}
	mods, _ := one.GetStr("mods")
	v, _ = one.GetStr("kwargs")
	kwargs, ok := v.(*value.Dict)
	if !ok || mods == nil {
		return value.NewDict(0), nil
	}
	kwargs = kwargs.Copy()
	kwargs.Delete(value.Str("test"))
	kwargs.Update(c.Kwargs)
	kwargs.Delete(value.Str("name"))
	spec := modules.NewExec("state.apply", "", apply(asked), common("mods=None")...)
	spec.Class = modules.Writes
	call, err := modules.NewCall(&spec, c.Env, c.Host, []value.Value{mods}, kwargs)
	if err != nil {
		return nil, err
	}
	results, err := spec.Fn(ctx, call)
	if err != nil {
		return nil, err
	}
	return results, c.Forget(stored)
}
