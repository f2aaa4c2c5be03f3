package nftables

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Chain is what chain_present and chain_absent take.
type Chain struct {
	Name  string `arg:"name,required,word" doc:"The chain."`
	Table string `arg:"table,word" default:"filter" doc:"The table."`
	Net
}

// ChainPresent keeps a chain.
type ChainPresent struct {
	Chain
	Type     string `arg:"table_type,word" doc:"The type of a base chain: filter, nat or route."`
	Hook     string `arg:"hook" doc:"Where the kernel gives packets to a base chain, such as input."`
	Priority string `arg:"priority" doc:"The place of a base chain among those at its hook, a number or a word of nft's."`
}

// ChainAbsent keeps a chain away.
type ChainAbsent struct{ Chain }

func chainPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "nftables.chain_present",
		Doc: "Keeps a chain in a table. With table_type, hook and priority, all three of them, it is made as a base chain; " +
			"one that is there is left as it is.",
		Example: "input:\n  nftables.chain_present:\n    - table: filter\n    - family: inet\n    - table_type: filter\n" +
			"    - hook: input\n    - priority: 0",
		New: func() modules.StateFunc { return &ChainPresent{} },
	}
}

func chainAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "nftables.chain_absent",
		Doc:     "Keeps a chain out of a table: it is emptied and deleted.",
		Example: "logging:\n  nftables.chain_absent:\n    - table: filter",
		New:     func() modules.StateFunc { return &ChainAbsent{} },
	}
}

// say makes one of Salt's sentences of chain, table and family.
func (c *Chain) say(format string) string { return fmt.Sprintf(format, c.Name, c.Table, c.Family) }

// Act makes the chain.
func (p *ChainPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := now(ctx, h, told(h))
	if err != nil {
		return state.Effect{}, err
	}
	if all.chain(p.nft(), p.Table, p.Name) != nil {
		return state.Settled(p.say("nftables %s chain is already exist in %s table for %s")), nil
	}
	if why, err := all.newChain(ctx, h, p); why != "" || err != nil {
		if err != nil {
			return state.Effect{}, err
		}
		return state.Effect{}, fmt.Errorf("Failed to create %s chain in %s table: %s for %s", p.Name, p.Table, why,
			p.Family) //nolint:staticcheck // Salt's words
	}
	return changed(p.Name, p.say("nftables %s chain in %s table create success for %s"),
		p.say("nftables chain %s would be created in table %s for family %s")), nil
}

// newChain makes a chain. What stands against it is the first answer.
func (r *ruleset) newChain(ctx context.Context, h host.Host, p *ChainPresent) (why string, err error) {
	if r.table(p.nft(), p.Table) == nil {
		return fmt.Sprintf("Table %s in family %s does not exist", p.Table, p.Family), nil
	}
	line := strings.Join([]string{"add chain", p.nft(), p.Table, p.Name}, " ")
	if p.Type != "" || p.Hook != "" || p.Priority != "" && p.Priority != "0" {
		if p.Type == "" || p.Hook == "" || p.Priority == "" {
			return "Table_type, hook, and priority required.", nil
		}
		line += fmt.Sprintf(" { type %s hook %s priority %s; }", p.Type, p.Hook, p.Priority)
	}
	err = do(ctx, h, line)
	if text, ok := refused(err); ok {
		return p.say("Chain %s in table %s in family %s could not be created") + ": " + text, nil
	}
	return "", err
}

// Act empties and deletes the chain.
//
// Salt differs: it does so in test mode, too, and always ends with an exception, after it or where there is no chain.
func (a *ChainAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := now(ctx, h, told(h))
	if err != nil {
		return state.Effect{}, err
	}
	if all.chain(a.nft(), a.Table, a.Name) == nil {
		return state.Settled(a.say("nftables %s chain is already absent in %s table for %s")), nil
	}
	// One command of two, so that a chain that rules lead to keeps its own.
	both := []string{flushLine(a.nft(), a.Table, a.Name), chainGone(a.nft(), a.Table, a.Name)}
	if err := doAll(ctx, h, both); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to delete %s chain in %s table: %w for %s", a.Name, a.Table, err,
			a.Family) //nolint:staticcheck // Salt's words
	}
	return changed(a.Name, a.say("nftables %s chain in %s table delete success for %s"),
		a.say("nftables chain %s would be deleted in table %s for family %s")), nil
}

func chainGone(family, table, name string) string {
	return strings.Join([]string{"delete chain", family, table, name}, " ")
}
