package alternatives

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Set keeps a choice taken.
type Set struct {
	tool
	Name string `arg:"name,required" doc:"the name of the alternatives"`
	Path string `arg:"path,required" doc:"the choice to take"`
}

func setSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.set",
		Doc:     "Keeps a choice taken for a name.",
		Example: "editor:\n  alternatives.set:\n    - path: /usr/bin/vim.basic",
		New:     func() modules.StateFunc { return &Set{} },
	}
}

// Check says whether another choice would be taken.
func (s *Set) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	c, err := look(h, s.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if c.current == s.Path {
		return state.Forecast{Comment: fmt.Sprintf("Alternative for %s already set to %s", s.Name, s.Path)}, nil
	}
	if _, coming := h.Fact(host.FactUnit, "*"); !c.has(s.Path) && !coming {
		return state.Forecast{}, fmt.Errorf("Alternative %s for %s doesn't exist", s.Path, s.Name)
	}
	c.current, c.auto = s.Path, false
	return state.Forecast{Pending: true, Changes: value.DictOf("path", value.Str(s.Path)), Effects: c.promise(),
		Comment: fmt.Sprintf("Alternative for %s will be set to path %s", s.Name, s.Path)}, nil
}

// Apply takes it.
func (s *Set) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := run(ctx, h, "--set", s.Name, s.Path); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Alternative for %s set to path %s", s.Name, s.Path)}, nil
}
