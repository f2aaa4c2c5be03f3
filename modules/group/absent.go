package group

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a group away.
type Absent struct {
	Name  string `arg:"name,required" doc:"the group"`
	Local bool   `arg:"local" doc:"look only at the local files; no effect, they are what is changed anyway"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "group.absent",
		Doc:     "Keeps a group away.",
		Example: "games:\n  group.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Locks keeps other changes of the account database out.
func (*Absent) Locks() []string { return []string{"accounts"} }

// NeedsRoot is true: only root may change accounts.
func (*Absent) NeedsRoot(*modules.Env) bool { return true }

// Check says whether it would be removed.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	g, ok, err := find(h, a.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if !ok {
		return state.Forecast{Comment: "Group not present"}, nil
	}
	users, err := h.Users()
	if err != nil {
		return state.Forecast{}, fmt.Errorf("look up the users of the group %s: %w", a.Name, err)
	}
	for _, u := range users {
		if u.GID == g.GID {
			return state.Forecast{}, fmt.Errorf("cannot remove the group %s: it is the primary group of the user %s", a.Name, u.Name)
		}
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(a.Name, value.Str("")), Comment: fmt.Sprintf("Group %s is set for removal", a.Name),
		Effects: []host.Fact{{Kind: host.FactGroup, Name: a.Name, Value: "absent"}}}, nil
}

// Apply removes it.
func (a *Absent) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := run(ctx, h, "groupdel", a.Name); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Removed group %s", a.Name)}, nil
}
