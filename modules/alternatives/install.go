package alternatives

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Install keeps a path among the choices.
type Install struct {
	tool
	Name     string `arg:"name,required" doc:"the name of the alternatives"`
	Link     string `arg:"link,required" doc:"the link that users call"`
	Path     string `arg:"path,required" doc:"what the link may point to"`
	Priority int    `arg:"priority,required" doc:"the choice with the highest is taken in automatic mode"`
}

func installSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.install",
		Doc:     "Keeps a path among the choices for a name.",
		Example: "editor:\n  alternatives.install:\n    - link: /usr/bin/editor\n    - path: /usr/bin/vim\n    - priority: 100",
		New:     func() modules.StateFunc { return &Install{} },
	}
}

// Check says whether the choice would be registered.
func (i *Install) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	c, err := look(h, i.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if c.has(i.Path) {
		return state.Forecast{Comment: fmt.Sprintf("Alternative %s for %s is already registered", i.Path, i.Name)}, nil
	}
	c.paths = append(c.paths, i.Path)
	c.prio[i.Path] = i.Priority
	c.settle()
	return state.Forecast{Pending: true, Effects: c.promise(), Comment: fmt.Sprintf("Alternative will be set for %s to %s with priority %d", i.Name, i.Path, i.Priority),
		Changes: value.DictOf("name", value.Str(i.Name), "link", value.Str(i.Link), "path", value.Str(i.Path), "priority", value.Int(i.Priority))}, nil
}

// Apply registers it.
func (i *Install) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := run(ctx, h, "--install", i.Link, i.Name, i.Path, strconv.Itoa(i.Priority)); err != nil {
		return state.Applied{}, err
	}
	done := state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Setting alternative for %s to %s with priority %d", i.Name, i.Path, i.Priority)}
	if c, err := look(h, i.Name); err == nil && c.current != i.Path {
		done.Comment = fmt.Sprintf("Alternative %s for %s registered with priority %d and not set to default", i.Path, i.Name, i.Priority)
	}
	return done, nil
}
