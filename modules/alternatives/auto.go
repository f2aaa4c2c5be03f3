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
	Name string `arg:"name,required,file" doc:"The name of the alternatives."`
}

func autoSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.auto",
		Doc:     "Keeps a name in automatic mode: the choice with the highest priority is taken.",
		Example: "editor:\n  alternatives.auto: []",
		New:     func() modules.StateFunc { return &Auto{} },
	}
}

// Act puts the name in automatic mode.
func (a *Auto) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	c, err := look(h, a.Name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case len(c.options) == 0:
		return state.Effect{}, host.Missing("there are no alternatives for %s", a.Name)
	case c.auto:
		return state.Settled(a.Name + " already in auto mode"), nil
	}
	was := c.current
	c.auto = true
	c.settle()
	words := "" // the tool's, where it changes something
	if c.current != was {
		words = fmt.Sprintf("update-alternatives: using %s to provide %s (%s) in auto mode", c.current, c.link, c.name)
	}
	return state.Effect{Changes: value.DictOf("result", value.Str(words)), Comment: a.Name + " is in auto mode",
			Preview: a.Name + " will be put in auto mode"},
		c.become(ctx, h, "--auto", a.Name)
}
