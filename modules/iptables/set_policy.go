package iptables

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Policy keeps the policy of a chain.
type Policy struct {
	Name string `arg:"name,required,text" doc:"The name of the state."`
	Net
	Chain  string      `arg:"chain,required,word" doc:"The chain, one that is built in."`
	Policy string      `arg:"policy,required,word" doc:"What becomes of a packet that no rule takes, ACCEPT or DROP."`
	Save   value.Value `arg:"save" doc:"True saves all rules where they are loaded at boot; a path saves them there."`
}

func policySpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "iptables.set_policy",
		Doc:     "Keeps the policy of a chain: what becomes of a packet that no rule takes.",
		Example: "drop:\n  iptables.set_policy:\n    - chain: INPUT\n    - policy: DROP",
		New:     func() modules.StateFunc { return &Policy{} },
	}
}

// Act sets the policy. As in Salt, a table that nobody has used has none, so that it is set there, too.
func (p *Policy) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	all, err := now(ctx, h, p.Family)
	switch {
	case err != nil:
		return state.Effect{}, err
	case all.policy(p.Table, p.Chain) == p.Policy:
		return state.Settled(fmt.Sprintf("iptables default policy for chain %s on table %s for %s already set to %s",
			p.Chain, p.Table, p.Family, p.Policy)), nil
	}
	e := state.Effect{Changes: value.DictOf("locale", value.Str(p.Name)), Foretold: none(),
		Comment: fmt.Sprintf("Set default policy for %s to %s family %s", p.Chain, p.Policy, p.Family),
		Preview: fmt.Sprintf("iptables default policy for chain %s on table %s for %s needs to be set to %s", p.Chain,
			p.Table, p.Family, p.Policy)}
	if err := (deed{p.Family, p.Table, 'P', p.Chain, p.Policy}).do(ctx, h); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to set iptables default policy: %w", err) //nolint:staticcheck // Salt's
	}
	out, err := keep(ctx, env, h, p.Family, p.Save)
	if out != "" {
		e.Comment = fmt.Sprintf("Set and saved default policy for %s to %s family %s", p.Chain, p.Policy, p.Family)
	}
	return e, err
}
