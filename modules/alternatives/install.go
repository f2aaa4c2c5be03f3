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
	Name     string `arg:"name,required,file" doc:"The name of the alternatives."`
	Link     string `arg:"link,required,path" doc:"The link that users call."`
	Path     string `arg:"path,required,path" doc:"What the link may point to."`
	Priority int    `arg:"priority,required" doc:"The choice with the highest is taken in automatic mode."`
}

func installSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "alternatives.install",
		Doc:  "Keeps a path among the choices for a name.",
		Example: "editor:\n  alternatives.install:\n    - link: /usr/bin/editor\n    - path: /usr/bin/vim\n    - priority: " +
			"100",
		New: func() modules.StateFunc { return &Install{} },
	}
}

// Act registers the choice.
func (i *Install) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	c, err := look(h, i.Name)
	if err != nil || c.has(i.Path) {
		return state.Settled(fmt.Sprintf("Alternative %s for %s is already registered", i.Path, i.Name)), err
	}
	if _, err := h.Stat(i.Path); err != nil {
		return state.Effect{}, fmt.Errorf("alternative path %s doesn't exist: %w", i.Path, err)
	}
	c.options = append(c.options, option{i.Path, i.Priority, make([]string, len(c.slaves))})
	c.link = i.Link
	c.settle()
	e := state.Effect{Comment: fmt.Sprintf("Setting alternative for %s to %s with priority %d", i.Name, i.Path,
		i.Priority),
		Preview: fmt.Sprintf("Alternative will be set for %s to %s with priority %d", i.Name, i.Path, i.Priority),
		Changes: value.DictOf("name", value.Str(i.Name), "link", value.Str(i.Link), "path", value.Str(i.Path), "priority",
			value.Int(i.Priority))}
	if c.current != i.Path {
		e.Comment = fmt.Sprintf("Alternative %s for %s registered with priority %d and not set to default", i.Path, i.Name,
			i.Priority)
	}
	return e, c.become(ctx, h, "--install", i.Link, i.Name, i.Path, strconv.Itoa(i.Priority))
}
