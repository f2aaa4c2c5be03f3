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
	Name   string      `arg:"name,required" doc:"The package."`
	Others value.Value `arg:"requirements,path" alias:"log,use_vt" doc:"No effect."`
}

func removedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pip.removed",
		Doc:     "Keeps a Python package away.",
		Example: "requests:\n  pip.removed: []",
		New:     func() modules.StateFunc { return &Removed{} },
	}
}

// Act removes it. Without pip there is nothing that it installed.
func (r *Removed) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	none := state.Settled("Package is not installed.")
	if _, err := r.command(h); err != nil {
		return none, nil
	}
	have, err := r.have(ctx, h)
	if _, there := have[normal(r.Name)]; !there || err != nil {
		return none, err
	}
	e := state.Effect{Changes: value.DictOf(r.Name, value.Str("Removed")), Comment: "Package was successfully removed.",
		Preview: fmt.Sprintf("Package %s is set to be removed", r.Name)}
	return e, h.Do(ctx, host.Deed{What: "pip uninstall " + r.Name, On: host.FactLibrary,
		Do: func(ctx context.Context) error {
			if _, err := r.run(ctx, h, "uninstall", "-y", r.Name); err != nil {
				return fmt.Errorf("remove %s: %w", r.Name, err)
			}
			return nil
		},
		Foretell: func(o host.Host) error {
			r.promise(o, map[string]string{normal(r.Name): ""})
			return nil
		}})
}
