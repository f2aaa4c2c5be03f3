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

// Check says whether it would be removed. Without the gem command there is nothing that it installed.
func (r *Removed) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	none := state.Forecast{Comment: "Gem is not installed."}
	if _, err := h.LookPath("gem"); err != nil && r.Bin == "" {
		return none, nil
	}
	vs, err := r.versions(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if len(vs) == 0 {
		return none, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(r.Name, value.Str("Removed")), Comment: fmt.Sprintf("The gem %s would have been removed", r.Name)}, nil
}

// Apply removes all its versions.
func (r *Removed) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := r.run(ctx, h, "uninstall", r.Name, "--all", "--executables", "--ignore-dependencies"); err != nil {
		return state.Applied{}, fmt.Errorf("Could not remove gem %s: %w", r.Name, err)
	}
	return state.Applied{Changes: f.Changes, Comment: "Gem was successfully removed."}, nil
}
