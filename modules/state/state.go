// Package state is the execution functions that show what SLS files come to, and carry them out. Of those that speak of
// jobs, requests and pauses there is nothing on a machine without a master.
package state

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "state", Execs: slices.Concat(showSpecs(), applySpecs(), requestSpecs(),
		fixedSpecs())}
}

// common are the keywords that most functions take.
func common(params ...string) []string {
	return append(params, "test=None", "queue=None", "exclude:list=None", "saltenv=None", "concurrent=false")
}

// asked is what a call asks for. Keywords that change the pillar are not taken: each run has one.
func asked(c *modules.Call) modules.TreeRequest {
	r := modules.TreeRequest{SLS: c.Strs("mods"), Exclude: c.Strs("exclude"), Lock: c.Typed}
	if c.Has("saltenv") {
		r.Env = c.Str("saltenv")
	}
	if r.Test = c.Bool("test"); !c.Has("test") {
		v, ok := c.Opts.Dict().GetStr("test")
		r.Test = c.Typed && ok && value.Truth(v)
	}
	return r
}

func trees(c *modules.Call) (modules.Trees, error) {
	if c.Trees == nil {
		return nil, value.Raise("CommandExecutionError", "there are no SLS files here")
	}
	return c.Trees, nil
}

// fixedSpecs are the functions of one answer.
func fixedSpecs() []modules.ExecSpec {
	list := func(context.Context, *modules.Call) (value.Value, error) { return value.NewList(), nil }
	dict := func(context.Context, *modules.Call) (value.Value, error) { return value.NewDict(0), nil }
	return []modules.ExecSpec{
		modules.NewExec("state.running", "running(concurrent=False): the runs that are under way elsewhere; none without a "+
			"master.", list, "concurrent=false"),
		modules.NewExec("state.list_disabled", "list_disabled(): the states that are switched off; none.", list),
		modules.NewExec("state.get_pauses", "get_pauses(jid=None): the runs that were told to wait; none without a master.",
			dict, "jid=None"),
		modules.NewExec("state.clear_cache", "clear_cache(): the states of other runs that were kept; none.", list),
	}
}
