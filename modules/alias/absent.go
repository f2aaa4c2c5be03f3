package alias

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps an alias away.
type Absent struct {
	Name string `arg:"name,required" doc:"The alias."`
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
func (a *Absent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	lines, err := modules.ReadLines(h, file)
	if err != nil {
		return state.Effect{}, err
	}
	rest := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { _, is := target(l, a.Name); return is })
	if len(rest) == len(lines) {
		return state.Settled(fmt.Sprintf("Alias %s already absent", a.Name)), nil
	}
	return state.Effect{Changes: value.DictOf("alias", value.Str(a.Name)), Comment: fmt.Sprintf("Removed alias %s", a.Name),
		Preview: fmt.Sprintf("Alias %s is set to be removed", a.Name)}, write(ctx, h, rest)
}
