package user

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a user away.
type Absent struct {
	Name  string `arg:"name,required" doc:"the user"`
	Purge bool   `arg:"purge" doc:"remove the home directory and the mail too"`
	Force bool   `arg:"force" doc:"remove the user even while it is logged in"`
	Local bool   `arg:"local" doc:"look only at the local files; no effect, they are what is changed anyway"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "user.absent",
		Doc:     "Keeps a user away.",
		Example: "mallory:\n  user.absent:\n    - purge: true",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Locks keeps other changes of the account database out.
func (*Absent) Locks() []string { return []string{"accounts"} }

// NeedsRoot is true: only root may change accounts.
func (*Absent) NeedsRoot(*modules.Env) bool { return true }

// ownGroup is the group that userdel removes along: of the user's name, and nobody else's.
func ownGroup(h host.Reader, u host.User) bool {
	g, err := h.Group(u.Name)
	if err != nil || g.GID != u.GID || len(g.Members) > 0 {
		return false
	}
	users, _ := h.Users()
	for _, o := range users {
		if o.GID == g.GID && o.Name != u.Name {
			return false
		}
	}
	return true
}

// Check says whether it would be removed, and its group with it.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	u, ok, err := find(h, a.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if !ok {
		return state.Forecast{Comment: fmt.Sprintf("User %s is not present", a.Name)}, nil
	}
	f := state.Forecast{Pending: true, Changes: value.NewDict(2), Comment: fmt.Sprintf("User %s set for removal", a.Name),
		Effects: []host.Fact{{Kind: host.FactUser, Name: a.Name, Value: "absent"}}}
	if ownGroup(h, u.User) {
		f.Changes.SetStr(a.Name+" group", value.Str("removed"))
		f.Effects = append(f.Effects, host.Fact{Kind: host.FactGroup, Name: a.Name, Value: "absent"})
	}
	f.Changes.SetStr(a.Name, value.Str("removed"))
	return f, nil
}

// Apply removes it.
func (a *Absent) Apply(ctx context.Context, _ *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	args := []string{"userdel"}
	if a.Purge {
		args = append(args, "-r")
	}
	if a.Force {
		args = append(args, "-f")
	}
	_, had := h.Group(a.Name)
	if err := run(ctx, h, "", append(args, a.Name)...); err != nil {
		return state.Applied{}, err
	}
	done := state.Applied{Changes: value.NewDict(2), Comment: fmt.Sprintf("Removed user %s", a.Name)}
	if _, err := h.Group(a.Name); had == nil && err != nil {
		done.Changes.SetStr(a.Name+" group", value.Str("removed"))
	}
	done.Changes.SetStr(a.Name, value.Str("removed"))
	return done, nil
}
