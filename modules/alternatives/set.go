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
	Name string `arg:"name,required,file" doc:"The name of the alternatives."`
	Path string `arg:"path,required,path" doc:"The choice to take."`
}

func setSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.set",
		Doc:     "Keeps a choice taken for a name.",
		Example: "editor:\n  alternatives.set:\n    - path: /usr/bin/vim.basic",
		New:     func() modules.StateFunc { return &Set{} },
	}
}

// Act takes the choice.
func (s *Set) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	c, err := look(h, s.Name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case c.current == s.Path:
		return state.Settled(fmt.Sprintf("Alternative for %s already set to %s", s.Name, s.Path)), nil
	case !c.has(s.Path):
		return state.Effect{}, host.Missing("Alternative %s for %s doesn't exist", s.Path, s.Name)
	}
	c.current, c.auto = s.Path, false
	return state.Effect{Changes: value.DictOf("path", value.Str(s.Path)),
			Comment: fmt.Sprintf("Alternative for %s set to path %s", s.Name, s.Path),
			Preview: fmt.Sprintf("Alternative for %s will be set to path %s", s.Name, s.Path)},
		c.become(ctx, h, "--set", s.Name, s.Path)
}
