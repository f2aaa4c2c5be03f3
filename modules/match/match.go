// Package match is the execution functions that ask whether a target means this machine.
package match

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "match", Execs: execs()} }

func execs() []modules.ExecSpec {
	out := []modules.ExecSpec{
		modules.NewExec("match.search_by", "search_by(lookup, tgt_type='compound', minion_id=None): the keys one of whose targets means this machine.", searchBy,
			"lookup", "tgt_type=compound", "minion_id=None"),
		modules.NewExec("match.filter_by", "filter_by(lookup, tgt_type='compound', minion_id=None, merge=None, merge_lists=False, default='default'): the entry whose target means this machine.",
			matchFilterBy, "lookup", "tgt_type=compound", "minion_id=None", "merge=None", "merge_lists=false", "default=default"),
	}
	for _, kind := range []string{"glob", "pcre", "list", "compound"} {
		out = append(out, modules.NewExec("match."+kind, kind+"(tgt, minion_id=None): whether a target of this kind means this machine.", matcher(kind), "tgt", "minion_id=None"))
	}
	for _, kind := range []string{"grain", "grain_pcre", "pillar", "pillar_pcre", "pillar_exact", "data"} {
		out = append(out, modules.NewExec("match."+kind, kind+"(tgt, delimiter=':'): whether a target of this kind means this machine.", matcher(kind), "tgt", "delimiter=:"))
	}
	return append(out, modules.NewExec("match.ipcidr", "ipcidr(tgt): whether this machine has the address, or one in the network.", matcher("ipcidr"), "tgt"))
}

func match(c *modules.Call, kind, target string) (bool, error) {
	if c.Match == nil {
		return false, value.Raise("CommandExecutionError", "there are no matchers here")
	}
	return c.Match(kind, target, c.Str("delimiter"), c.Str("minion_id"))
}

func matcher(kind string) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		ok, err := match(c, kind, c.Str("tgt"))
		return value.Bool(ok), err
	}
}

// searchBy gives the keys of a map of lists of targets, None when none means this machine.
func searchBy(_ context.Context, c *modules.Call) (value.Value, error) {
	table := c.Dict("lookup")
	out := value.NewList()
	for i := range table.Len() {
		e := table.At(i)
		targets, err := value.ToList(e.Val)
		if _, text := e.Val.(value.Str); text || err != nil {
			targets = []value.Value{e.Val}
		}
		for _, t := range targets {
			ok, err := match(c, c.Str("tgt_type"), value.String(t))
			if err != nil {
				return nil, err
			}
			if ok {
				out.Items = append(out.Items, e.Key)
				break
			}
		}
	}
	if len(out.Items) == 0 {
		return value.None, nil
	}
	return out, nil
}

func matchFilterBy(_ context.Context, c *modules.Call) (value.Value, error) {
	table := c.Dict("lookup")
	var ret value.Value = value.None
	for i := range table.Len() {
		e := table.At(i)
		ok, err := match(c, c.Str("tgt_type"), value.String(e.Key))
		if err != nil {
			return nil, err
		}
		if ok && value.Truth(e.Val) {
			ret = e.Val
			break
		}
	}
	if ret == value.None {
		if v, ok := table.Get(c.Arg("default")); ok {
			ret = v
		}
	}
	return c.MergeOver(ret)
}
