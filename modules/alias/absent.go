package alias

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps an alias away.
type Absent struct {
	Name string `arg:"name,required,word" not:":#" doc:"The alias."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.absent",
		Doc:     "Keeps a mail alias out of /etc/aliases.",
		Example: "postmaster:\n  alias.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Act removes it.
func (a *Absent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	t, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	if t.get(a.Name) == "" {
		return state.Settled(fmt.Sprintf("Alias %s already absent", a.Name)), nil
	}
	t.remove(a.Name)
	return state.Effect{Changes: value.DictOf("alias", value.Str(a.Name)),
		Comment: fmt.Sprintf("Removed alias %s", a.Name),
		Preview: fmt.Sprintf("Alias %s is set to be removed", a.Name)}, t.write(ctx, h)
}
