package alias

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps an alias.
type Present struct {
	Name   string   `arg:"name,required,word" not:":#" doc:"The alias."`
	Target []string `arg:"target,required" doc:"Where its mail goes."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.present",
		Doc:     "Keeps a mail alias in /etc/aliases.",
		Example: "root:\n  alias.present:\n    - target: admin@example.org",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Validate refuses an alias for nothing.
func (p *Present) Validate() []modules.Fault {
	if strings.Join(p.Target, "") == "" {
		return []modules.Fault{{Arg: "target", Msg: "target can not be an empty string"}}
	}
	return nil
}

// Act sets it.
func (p *Present) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	t, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	target := strings.Join(p.Target, ", ")
	if t.get(p.Name) == target {
		return state.Settled(fmt.Sprintf("Alias %s already present", p.Name)), nil
	}
	t.set(p.Name, target)
	return state.Effect{Changes: value.DictOf("alias", value.Str(p.Name)),
		Comment: fmt.Sprintf("Set email alias %s -> %s", p.Name, target),
		Preview: fmt.Sprintf("Alias %s -> %s is set to be added", p.Name, target)}, t.write(ctx, h)
}
