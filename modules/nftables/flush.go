package nftables

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Flush empties a chain, or all of a table.
type Flush struct {
	Name string `arg:"name,required,text" doc:"The name of the state."`
	Net
	Table  string `arg:"table,word" default:"filter" doc:"The table."`
	Chain  string `arg:"chain,word" doc:"The chain; without one all chains of the table."`
	Ignore bool   `arg:"ignore_absence" doc:"Lets it be that the table or the chain is not there."`
}

func flushSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "nftables.flush",
		Doc:     "Empties a chain, or all chains of a table, in each run.",
		Example: "empty:\n  nftables.flush:\n    - table: filter\n    - chain: forward\n    - ignore_absence: true",
		New:     func() modules.StateFunc { return &Flush{} },
	}
}

// Act empties.
func (f *Flush) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	e := changed(f.Name, fmt.Sprintf("Flush nftables rules in %s table %s chain %s family", f.Table, f.Chain, f.Family),
		"nftables flush not performed in test mode.")
	e.Once = true
	all, err := now(ctx, h, told(h))
	if err != nil {
		return state.Effect{}, err
	}
	lacking := ""
	switch {
	case all.table(f.nft(), f.Table) == nil:
		lacking = fmt.Sprintf("table %s in family %s, table", f.Table, f.Family)
	case f.Chain != "" && all.chain(f.nft(), f.Table, f.Chain) == nil:
		lacking = fmt.Sprintf("chain %s in table %s in family %s, chain", f.Chain, f.Table, f.Family)
	}
	if lacking != "" {
		if f.Ignore {
			return e, nil
		}
		return state.Effect{}, fmt.Errorf("Failed to flush %s does not exist.", lacking) //nolint:staticcheck // Salt's
	}
	if err := do(ctx, h, flushLine(f.nft(), f.Table, f.Chain)); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to flush nftables rules: %w", err) //nolint:staticcheck // Salt's words
	}
	return e, nil
}

func flushLine(family, table, chain string) string {
	if chain == "" {
		return strings.Join([]string{"flush table", family, table}, " ")
	}
	return strings.Join([]string{"flush chain", family, table, chain}, " ")
}
