package group

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a group away.
type Absent struct {
	Name  string `arg:"name,required,file" not:":,#" doc:"The group."`
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
	_, ok, err := find(h, a.Name)
	if err != nil {
		return state.Effect{}, err
	}
	if !ok {
		return state.Settled("Group not present"), nil
	}
	if err := groupdel(ctx, h, a.Name); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf(a.Name, value.Str("")), Comment: fmt.Sprintf("Removed group %s", a.Name),
		Preview: fmt.Sprintf("Group %s is set for removal", a.Name)}, nil
}

// groupdel removes a group that is nobody's primary one.
func groupdel(ctx context.Context, h host.Host, name string) error {
	return run(ctx, h, func(o host.Host) error {
		g, ok, err := find(o, name)
		if err != nil || !ok {
			return errors.Join(fmt.Errorf("groupdel: group '%s' does not exist", name), err)
		}
		users, err := o.Users()
		for _, u := range users {
			if u.GID == g.GID {
				return fmt.Errorf("groupdel: cannot remove the primary group of user '%s'", u.Name)
			}
		}
		o.Promise(host.Fact{Kind: host.FactGroup, Name: name, Value: "absent"})
		return err
	}, "groupdel", name)
}
