package pip

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Removed keeps a Python package away.
type Removed struct {
	Common
	Name   string      `arg:"name,required" doc:"the package"`
	Others value.Value `arg:"requirements" alias:"log,use_vt" doc:"no effect"`
}

func removedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pip.removed",
		Doc:     "Keeps a Python package away.",
		Example: "requests:\n  pip.removed: []",
		New:     func() modules.StateFunc { return &Removed{} },
	}
}

// Check says whether it would be removed. Without pip there is nothing that it installed.
func (r *Removed) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	none := state.Forecast{Comment: "Package is not installed."}
	if _, err := r.command(h); err != nil {
		return none, nil
	}
	have, err := r.have(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if _, there := have[normal(r.Name)]; !there {
		return none, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(r.Name, value.Str("Removed")), Comment: fmt.Sprintf("Package %s is set to be removed", r.Name)}, nil
}

// Apply removes it.
func (r *Removed) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	cmd, err := r.cmd(h, "uninstall", "-y", r.Name)
	if err != nil {
		return state.Applied{}, err
	}
	out, err := h.Run(ctx, cmd)
	if err != nil {
		return state.Applied{}, fmt.Errorf("run pip: %w", err)
	}
	if out.Code != 0 {
		return state.Applied{}, fmt.Errorf("remove %s: %s", r.Name, reason(out))
	}
	return state.Applied{Changes: f.Changes, Comment: "Package was successfully removed."}, nil
}
