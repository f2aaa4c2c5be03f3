package alternatives

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Remove keeps a path away from the choices.
type Remove struct {
	tool
	Name string `arg:"name,required" doc:"the name of the alternatives"`
	Path string `arg:"path,required" doc:"the path that must be no choice"`
}

func removeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.remove",
		Doc:     "Keeps a path away from the choices for a name.",
		Example: "editor:\n  alternatives.remove:\n    - path: /bin/ed",
		New:     func() modules.StateFunc { return &Remove{} },
	}
}

// Check says whether the choice would be removed.
func (r *Remove) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	c, err := look(h, r.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if !c.has(r.Path) {
		return state.Forecast{Comment: fmt.Sprintf("Alternative for %s doesn't exist", r.Name)}, nil
	}
	c.paths = slices.DeleteFunc(c.paths, func(p string) bool { return p == r.Path })
	c.settle()
	return state.Forecast{Pending: true, Changes: value.DictOf("path", value.Str(r.Path)), Effects: c.promise(),
		Comment: fmt.Sprintf("Alternative for %s will be removed", r.Name)}, nil
}

// Apply removes it.
func (r *Remove) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := run(ctx, h, "--remove", r.Name, r.Path); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Alternative for %s removed", r.Name)}, nil
}
