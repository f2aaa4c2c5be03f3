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
	Name  string `arg:"name,required" doc:"The group."`
	Local bool   `arg:"local" doc:"Look only at the local files; no effect, they are what is changed anyway."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "group.absent",
		Doc:     "Keeps a group away.",
		Example: "games:\n  group.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// NeedsRoot is true: only root may change accounts.
func (*Absent) NeedsRoot(*modules.Env) bool { return true }

// Act removes it.
func (a *Absent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	g, ok, err := find(h, a.Name)
	if err != nil {
		return state.Effect{}, err
	}
	if !ok {
		return state.Settled("Group not present"), nil
	}
	users, err := h.Users()
	if err != nil {
		return state.Effect{}, fmt.Errorf("look up the users of the group %s: %w", a.Name, err)
	}
	for _, u := range users {
		if u.GID == g.GID {
			return state.Effect{}, fmt.Errorf("cannot remove the group %s: it is the primary group of the user %s", a.Name, u.Name)
		}
	}
	if err := groupdel(ctx, h, a.Name); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf(a.Name, value.Str("")), Comment: fmt.Sprintf("Removed group %s", a.Name),
		Preview: fmt.Sprintf("Group %s is set for removal", a.Name)}, nil
}

func groupdel(ctx context.Context, h host.Host, name string) error {
	return run(ctx, h, promise(host.Fact{Kind: host.FactGroup, Name: name, Value: "absent"}), "groupdel", name)
}
