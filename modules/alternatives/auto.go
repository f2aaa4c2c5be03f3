package alternatives

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Auto keeps the choice with the highest priority taken.
type Auto struct {
	tool
	Name string `arg:"name,required" doc:"the name of the alternatives"`
}

func autoSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.auto",
		Doc:     "Keeps a name in automatic mode: the choice with the highest priority is taken.",
		Example: "editor:\n  alternatives.auto: []",
		New:     func() modules.StateFunc { return &Auto{} },
	}
}

// Check says whether the mode would change.
func (a *Auto) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	c, err := look(h, a.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if len(c.paths) == 0 {
		return state.Forecast{}, fmt.Errorf("there are no alternatives for %s", a.Name)
	}
	if c.auto {
		return state.Forecast{Comment: fmt.Sprintf("%s already in auto mode", a.Name)}, nil
	}
	c.auto = true
	c.settle()
	return state.Forecast{Pending: true, Changes: value.DictOf("result", value.Str("auto")), Effects: c.promise(),
		Comment: fmt.Sprintf("%s will be put in auto mode", a.Name)}, nil
}

// Apply sets the mode.
func (a *Auto) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := run(ctx, h, "--auto", a.Name); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("%s is in auto mode", a.Name)}, nil
}
