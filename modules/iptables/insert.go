package iptables

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Insert keeps a rule in a chain, at a place when it is missing.
type Insert struct {
	Rule
	Position int `arg:"position,required" doc:"The place of the rule, 1 for the first; a negative one counts from the end."`
}

func insertSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "iptables.insert",
		Doc: "Keeps a rule in a chain, at a place when it is missing. A rule that is there stays where it is. All other " +
			"arguments are the options of iptables, as for iptables.append.",
		Example: "ssh:\n  iptables.insert:\n    - position: 1\n    - chain: INPUT\n    - protocol: tcp\n    - dport: 22\n" +
			"    - source: '!192.0.2.0/24'\n    - jump: DROP",
		New: func() modules.StateFunc { return &Insert{} },
	}
}

// Validate wants a place.
func (i *Insert) Validate() []modules.Fault {
	if i.Position == 0 {
		return []modules.Fault{{Arg: "position", Msg: "there is no place 0", Hint: "position: 1 is the first"}}
	}
	return i.Rule.Validate()
}

// Act inserts the rule.
func (i *Insert) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return i.put(ctx, env, h, 'I', i.Position, "for %[1]s (%[2]s)")
}

// place counts a negative place from the end: -1 is the last but one.
func place(ctx context.Context, h host.Reader, n Net, name string, at int) (int, error) {
	if at >= 0 {
		return at, nil
	}
	all, err := now(ctx, h, n.Family)
	if err != nil {
		return 0, err
	}
	if c := all.chain(n.Table, name); c != nil {
		at += len(c.lines)
	}
	return max(at+1, 1), nil
}
