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
	Name string `arg:"name,required" doc:"the alias"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.absent",
		Doc:     "Keeps a mail alias out of /etc/aliases.",
		Example: "postmaster:\n  alias.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Locks keeps other changes of the file out.
func (*Absent) Locks() []string { return []string{"aliases"} }

// Check says whether the alias would be removed.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	lines, err := read(h)
	if err != nil {
		return state.Forecast{}, err
	}
	i, _ := find(lines, a.Name)
	if f, ok := h.Fact(host.FactAlias, a.Name); ok && f.Value == "" || !ok && i < 0 {
		return state.Forecast{Comment: fmt.Sprintf("Alias %s already absent", a.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("alias", value.Str(a.Name)), Effects: []host.Fact{{Kind: host.FactAlias, Name: a.Name}},
		Comment: fmt.Sprintf("Alias %s is set to be removed", a.Name)}, nil
}

// Apply removes it.
func (a *Absent) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	lines, err := read(h)
	if err != nil {
		return state.Applied{}, err
	}
	for i, _ := find(lines, a.Name); i >= 0; i, _ = find(lines, a.Name) {
		lines = slices.Delete(lines, i, i+1)
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Removed alias %s", a.Name)}, write(ctx, h, lines)
}
