package iptables

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Flush empties a chain, or all of a table.
type Flush struct {
	Name string `arg:"name,required,text" doc:"The name of the state."`
	Net
	Chain string `arg:"chain,word" doc:"The chain; without one all chains of the table."`
}

func flushSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "iptables.flush",
		Doc:     "Empties a chain, or all chains of a table, in each run.",
		Example: "empty:\n  iptables.flush:\n    - chain: FORWARD",
		New:     func() modules.StateFunc { return &Flush{} },
	}
}

// Act empties.
func (f *Flush) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := (deed{f.Family, f.Table, 'F', f.Chain, ""}).do(ctx, h); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to flush iptables rules: %w", err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Changes: value.DictOf("locale", value.Str(f.Name)), Foretold: none(), Once: true,
		Comment: fmt.Sprintf("Flush iptables rules in %s table %s chain %s family", f.Table, f.Chain, f.Family),
		Preview: fmt.Sprintf("iptables rules in %s table %s chain %s family needs to be flushed", f.Name, f.Table,
			f.Family)}, nil
}
