package npm

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Removed keeps a package away.
type Removed struct{ Common }

func removedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "npm.removed",
		Doc:     "Keeps a Node package away.",
		Example: "gulp-cli:\n  npm.removed: []",
		New:     func() modules.StateFunc { return &Removed{} },
	}
}

// Act removes it. Without npm there is nothing that it installed.
func (r *Removed) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	none := state.Settled(fmt.Sprintf("Package '%s' is not installed", r.Name))
	if _, err := h.LookPath("npm"); err != nil {
		return none, nil
	}
	have, err := r.have(ctx, h)
	name, _ := split(r.Name)
	if _, there := have[name]; !there || err != nil {
		return none, err
	}
	if err := r.change(ctx, h, nil, map[string]string{name: ""}, "uninstall", name); err != nil {
		return state.Effect{}, fmt.Errorf("Could not remove %s: %w", r.Name, err)
	}
	return state.Effect{Changes: value.DictOf(r.Name, value.Str("Removed")),
		Comment: fmt.Sprintf("Package '%s' was successfully removed", r.Name),
		Preview: fmt.Sprintf("Package '%s' is set to be removed", r.Name)}, nil
}
