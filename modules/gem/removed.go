package gem

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Removed keeps a gem away.
type Removed struct{ Common }

func removedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "gem.removed",
		Doc:     "Keeps a Ruby gem away.",
		Example: "bundler:\n  gem.removed: []",
		New:     func() modules.StateFunc { return &Removed{} },
	}
}

// Act removes all its versions. Without the gem command there is nothing that it installed.
func (r *Removed) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	none := state.Settled("Gem is not installed.")
	if _, err := h.LookPath(r.bin()); err != nil {
		return none, nil
	}
	vs, err := r.versions(ctx, h)
	if err != nil || len(vs) == 0 {
		return none, err
	}
	if err := r.change(ctx, h, nil, "uninstall", r.Name, "--all", "--executables", "--ignore-dependencies"); err != nil {
		return state.Effect{}, fmt.Errorf("Could not remove gem %s: %w", r.Name, err)
	}
	return state.Effect{Changes: value.DictOf(r.Name, value.Str("Removed")), Comment: "Gem was successfully removed.",
		Preview: fmt.Sprintf("The gem %s would have been removed", r.Name)}, nil
}
