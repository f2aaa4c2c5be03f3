package iptables

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Chain is what chain_present and chain_absent take.
type Chain struct {
	Name string `arg:"name,required,word" doc:"The chain."`
	Net
}

// Present keeps a chain.
type Present struct{ Chain }

// Absent keeps a chain away.
type Absent struct{ Chain }

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "iptables.chain_present",
		Doc:     "Keeps a chain in a table.",
		Example: "LOGGING:\n  iptables.chain_present:\n    - table: mangle\n    - family: ipv6",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "iptables.chain_absent",
		Doc:     "Keeps a chain out of a table: it is emptied and deleted.",
		Example: "LOGGING:\n  iptables.chain_absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// say makes one of Salt's sentences of chain, table and family.
func (c *Chain) say(format string) string { return fmt.Sprintf(format, c.Name, c.Table, c.Family) }

// done is the effect on the chain.
func (c *Chain) done(comment, preview string) state.Effect {
	return state.Effect{Changes: value.DictOf("locale", value.Str(c.Name)), Foretold: none(), Comment: c.say(comment),
		Preview: c.say(preview)}
}

func (c *Chain) do(ctx context.Context, h host.Host, verb byte) error {
	if err := (deed{c.Family, c.Table, verb, c.Name, ""}).do(ctx, h); err != nil {
		word := map[byte]string{'N': "create", 'X': "delete", 'F': "flush"}[verb]
		return fmt.Errorf("Failed to %s %s chain in %s table: %w for %s", word, c.Name, c.Table, err,
			c.Family) //nolint:staticcheck // Salt's words
	}
	return nil
}

// Act makes the chain.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := now(ctx, h, p.Family)
	if err != nil {
		return state.Effect{}, err
	}
	if all.has(p.Table, p.Name) {
		return state.Settled(p.say("iptables %s chain is already exist in %s table for %s")), nil
	}
	return p.done("iptables %s chain in %s table create success for %s", "iptables %s chain in %s table needs to be set "+
		"for %s"), p.do(ctx, h, 'N')
}

// Act empties and deletes the chain.
//
// Salt differs: it empties a chain that it then cannot delete, one that is built in or that a rule leads to.
func (a *Absent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := now(ctx, h, a.Family)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !all.has(a.Table, a.Name):
		return state.Settled(a.say("iptables %s chain is already absent in %s table for %s")), nil
	case slices.Contains(builtin(a.Table), a.Name):
		return state.Effect{}, fmt.Errorf("%s is built in: it cannot be deleted, only emptied with iptables.flush", a.Name)
	case all.named(a.Table, a.Name):
		return state.Effect{}, fmt.Errorf("rules of the table %s lead to %s: delete them first", a.Table, a.Name)
	}
	e := a.done("iptables %s chain in %s table delete success for %s",
		"iptables %s chain in %s table needs to be removed %s")
	if err := a.do(ctx, h, 'F'); err != nil {
		return state.Effect{}, err
	}
	return e, a.do(ctx, h, 'X')
}
