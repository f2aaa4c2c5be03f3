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

// Check says whether it would be removed. Without npm there is nothing that it installed.
func (r *Removed) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	none := state.Forecast{Comment: fmt.Sprintf("Package '%s' is not installed", r.Name)}
	if _, err := h.LookPath("npm"); err != nil {
		return none, nil
	}
	have, err := r.have(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	name, _ := split(r.Name)
	if _, there := have[name]; !there {
		return none, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(r.Name, value.Str("Removed")), Comment: fmt.Sprintf("Package '%s' is set to be removed", r.Name)}, nil
}

// Apply removes it.
func (r *Removed) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	name, _ := split(r.Name)
	out, err := h.Run(ctx, r.cmd(nil, "uninstall", name))
	if err != nil {
		return state.Applied{}, fmt.Errorf("run npm: %w", err)
	}
	if out.Code != 0 {
		return state.Applied{}, fmt.Errorf("Could not remove %s: %s", r.Name, reason(out))
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Package '%s' was successfully removed", r.Name)}, nil
}
