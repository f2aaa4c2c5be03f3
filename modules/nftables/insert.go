package nftables

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Insert keeps a rule in a chain, before another when it is missing.
type Insert struct {
	Rule
	Position int `arg:"position" doc:"The handle of the rule that it goes before; without one it is the first. Where the rule is there already, its place is left alone."`
}

func insertSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "nftables.insert",
		Doc:  "Keeps a rule in a chain, at its beginning or before another when it is missing. " + ruleDoc,
		Example: "no telnet:\n  nftables.insert:\n    - table: filter\n    - chain: input\n    - proto: tcp\n" +
			"    - dport: 23\n    - jump: drop",
		New: func() modules.StateFunc { return &Insert{} },
	}
}

// Act inserts the rule.
//
// Salt differs: without a position it ends with an exception.
func (i *Insert) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	place := ""
	if i.Position != 0 {
		place = fmt.Sprintf("position %d", i.Position)
	}
	return i.put(ctx, env, h, "insert", place, "for %[2]s (%[1]s)")
}
