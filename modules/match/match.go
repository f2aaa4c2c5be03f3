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
		modules.NewExec("match.search_by", "search_by(lookup, tgt_type='compound', minion_id=None): the keys one of whose "+
			"targets means this machine.", searchBy,
			"lookup:map", "tgt_type=compound", "minion_id=None"),
		modules.NewExec("match.filter_by", "filter_by(lookup, tgt_type='compound', minion_id=None, merge=None, "+
			"merge_lists=False, default='default'): the entry whose target means this machine.",
			matchFilterBy, "lookup:map", "tgt_type=compound", "minion_id=None", "merge=None", "merge_lists=false",
			"default=default"),
	}
	for _, kind := range []string{"glob", "pcre", "list", "compound"} {
		out = append(out, modules.NewExec("match."+kind, kind+
			"(tgt, minion_id=None): whether a target of this kind means this machine.", matcher(kind), "tgt", "minion_id=None"))
	}
	for _, kind := range []string{"grain", "grain_pcre", "pillar", "pillar_pcre", "pillar_exact"} {
		out = append(out, modules.NewExec("match."+kind, kind+
			"(tgt, delimiter=':'): whether a target of this kind means this machine.", matcher(kind), "tgt", "delimiter=:"))
	}
	return append(out, modules.NewExec("match.data", "data(tgt): whether the machine's own store (data) has the value "+
		"that the target, KEY:GLOB, says.", matcher("data"), "tgt"),
		modules.NewExec("match.ifelse", "ifelse(*args, tgt_type='compound', minion_id=None, merge=None, "+
			"merge_lists=False): of pairs of target and value, the value of "+
			"the first that means this machine; the last argument else.", ifelse, "*args", "tgt_type=compound", "minion_id=None",
			"merge=None", "merge_lists=false"),
		modules.NewExec("match.ipcidr", "ipcidr(tgt): whether this machine has the address, or one in the network.",
			matcher("ipcidr"), "tgt"))
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
	return filterBy(c, c.Dict("lookup"), c.Arg("default"))
}

// otherwise is the key of the value that ifelse gives where no target means the machine.
const otherwise = value.Str("SALT_IFELSE_FUNCTION_DEFAULT")

func ifelse(_ context.Context, c *modules.Call) (value.Value, error) {
	args := c.Rest()
	switch {
	case len(args)%2 == 0:
		return nil, value.Raise("SaltException", "The ifelse function must have an odd number of arguments!")
	case len(args) == 1:
		return args[0], nil
	}
	table := value.NewDict(len(args)/2 + 1)
	for i := 0; i+1 < len(args); i += 2 {
		key := args[i]
		switch key {
		case value.Bool(true):
			key = value.Str("*")
		case value.Bool(false):
			key = value.Str("SALT_IFELSE_MATCH_NOTHING")
		}
		if err := table.Set(key, args[i+1]); err != nil {
			return nil, err
		}
	}
	if err := table.Set(otherwise, args[len(args)-1]); err != nil {
		return nil, err
	}
	return filterBy(c, table, otherwise)
}

// filterBy is the first entry whose target means this machine, with merge laid over it, else that of the key def as it
// is.
func filterBy(c *modules.Call, table *value.Dict, def value.Value) (value.Value, error) {
	for i := range table.Len() {
		e := table.At(i)
		if ok, err := match(c, c.Str("tgt_type"), value.String(e.Key)); err != nil {
			return nil, err
		} else if ok {
			return c.MergeOver(e.Val)
		}
	}
	v, ok := table.Get(def)
	return modules.OrElse(v, ok, value.None), nil
}
