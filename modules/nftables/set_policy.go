package nftables

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Policy keeps the policy of a chain.
type Policy struct {
	Name string `arg:"name,required,text" doc:"The name of the state."`
	Net
	Table  string      `arg:"table,word" default:"filter" doc:"The table."`
	Chain  string      `arg:"chain,required,word" doc:"The chain, a base chain."`
	Policy string      `arg:"policy,required,word" doc:"What becomes of a packet that no rule takes, accept or drop."`
	Save   value.Value `arg:"save" doc:"Writes all rules to a file."`
	File   string      `arg:"save_filename,path" doc:"The file; without one /etc/nftables, or salt-all-in-one.nft in it where that is a directory."`
}

func policySpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "nftables.set_policy",
		Doc:     "Keeps the policy of a base chain: what becomes of a packet that no rule takes.",
		Example: "closed:\n  nftables.set_policy:\n    - table: filter\n    - chain: input\n    - policy: drop",
		New:     func() modules.StateFunc { return &Policy{} },
	}
}

// Act sets the policy.
//
// Salt differs: it looks for a table with the name of the chain's type, so that it sets the policy in each run where
// the table has another name.
func (p *Policy) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	all, err := now(ctx, h, told(h))
	if err != nil {
		return state.Effect{}, err
	}
	c := all.chain(p.nft(), p.Table, p.Chain)
	said := fmt.Sprintf("nftables default policy for chain %s on table %s for %s ", p.Chain, p.Table, p.Family) + "%s " +
		p.Policy
	switch {
	case c == nil:
		return state.Effect{}, failedPolicy("the chain %s is not in the table %s", p.Chain, p.Table)
	case c.Hook == "":
		return state.Effect{}, failedPolicy("%s is no base chain: only these have a policy", p.Chain)
	case strings.EqualFold(c.Policy, p.Policy):
		return state.Settled(fmt.Sprintf(said, "already set to")), nil
	}
	if err := do(ctx, h, policyLine(c, p.Policy)); err != nil {
		return state.Effect{}, failedPolicy("%w", err)
	}
	e := changed(p.Name, fmt.Sprintf("Set default policy for %s to %s family %s", p.Chain, p.Policy, p.Family),
		fmt.Sprintf(said, "needs to be set to"))
	if saves(p.Save) {
		e.Comment = fmt.Sprintf("Set and saved default policy for %s to %s family %s", p.Chain, p.Policy, p.Family)
		err = save(ctx, env, h, p.File)
	}
	return e, err
}

func failedPolicy(format string, args ...any) error {
	return fmt.Errorf("Failed to set nftables default policy: "+format, args...) //nolint:staticcheck // Salt's words
}

func policyLine(c *chain, policy string) string {
	return fmt.Sprintf("add chain %s %s %s { policy %s; }", c.Family, c.Table, c.Name, strings.ToLower(policy))
}
