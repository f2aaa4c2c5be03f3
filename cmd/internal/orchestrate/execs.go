package orchestrate

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/saltutil"
	"github.com/gostate/gostate/state/value"
)

// saltutil is the family that every machine has, with runners that a template of an orchestration asks.
func (c *Conductor) saltutil() modules.Family {
	f := saltutil.Family()
	f.Execs = slices.DeleteFunc(f.Execs, func(e modules.ExecSpec) bool { return e.Name == "saltutil.runner" })
	f.Execs = append(f.Execs, modules.NewExec("saltutil.runner", "runner(name, arg=None, kwarg=None, ...): what a runner "+
		"that only looks gives: cache.grains, mine.get, manage.up, manage.down, manage.status.", c.askRunner, "name",
		"arg:list=None", "kwarg:map=None",
		"full_return=false", "**kwargs"))
	return f
}

// askRunner answers a template. Only what looks is answered there.
func (c *Conductor) askRunner(ctx context.Context, call *modules.Call) (value.Value, error) {
	r := &runnerCall{c: c, name: call.Str("name"), kwargs: value.NewDict(4)}
	if l, ok := call.Arg("arg").(*value.List); ok {
		r.args = l.Items
	}
	for _, d := range []*value.Dict{call.Dict("kwarg"), call.Extra()} {
		if d == nil {
			continue
		}
		for k, v := range d.All() {
			_ = r.kwargs.Set(k, v)
		}
	}
	switch {
	case r.idle():
		return value.Bool(true), nil
	case r.asks():
		return r.ask(ctx)
	case r.nested(), r.local() != "", r.name == "salt.cmd":
		return nil, fmt.Errorf("a template only looks: write a state salt.runner for %s", r.name)
	}
	return nil, r.unknown()
}
