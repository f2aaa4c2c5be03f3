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
	Name string `arg:"name,required,file" doc:"The name of the alternatives."`
	Path string `arg:"path,required,path" doc:"The path that must be no choice."`
}

func removeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alternatives.remove",
		Doc:     "Keeps a path away from the choices for a name.",
		Example: "editor:\n  alternatives.remove:\n    - path: /bin/ed",
		New:     func() modules.StateFunc { return &Remove{} },
	}
}

// Act removes the choice. Its changes are what is taken now. Salt differs: Salt shows none where nothing is left, so
// that nothing that watches it reacts, and fails when it looks for the choice again.
func (r *Remove) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	c, err := look(h, r.Name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !c.has(r.Path) && c.current != "":
		return state.Settled(fmt.Sprintf("Alternative for %s is set to it's default path %s", r.Name, c.current)), nil
	case !c.has(r.Path):
		return state.Settled(fmt.Sprintf("Alternative for %s doesn't exist", r.Name)), nil
	}
	c.options = slices.DeleteFunc(c.options, func(o option) bool { return o.path == r.Path })
	c.settle()
	done := fmt.Sprintf("Alternative for %s removed", r.Name)
	if c.current != "" {
		done += ". Falling back to path " + c.current
	}
	return state.Effect{Changes: value.DictOf("path", value.Str(c.current)), Comment: done,
		Preview: fmt.Sprintf("Alternative for %s will be removed", r.Name)}, c.become(ctx, h, "--remove", r.Name, r.Path)
}
