package user

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a user away.
type Absent struct {
	Name  string `arg:"name,required,file" not:":,#" doc:"The user."`
	Purge bool   `arg:"purge" doc:"Remove the home directory and the mail too."`
	Force bool   `arg:"force" doc:"Remove the user even while it is logged in."`
	Local bool   `arg:"local" doc:"Look only at the local files; no effect, they are what is changed anyway."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "user.absent",
		Doc:     "Keeps a user away.",
		Example: "mallory:\n  user.absent:\n    - purge: true",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

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

// Act removes it, and its group with it.
func (a *Absent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	u, err := h.User(a.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return state.Settled(fmt.Sprintf("User %s is not present", a.Name)), nil
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("look up the user %s: %w", a.Name, err)
	}
	_, had := h.Group(a.Name)
	if err := userdel(ctx, h, u, a.Purge, a.Force); err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.NewDict(2), Comment: fmt.Sprintf("Removed user %s", a.Name),
		Preview: fmt.Sprintf("User %s set for removal", a.Name)}
	if _, err := h.Group(a.Name); had == nil && err != nil {
		e.Changes.SetStr(a.Name+" group", value.Str("removed"))
	}
	e.Changes.SetStr(a.Name, value.Str("removed"))
	return e, nil
}

// process is one of the user's, "" for none that is known to stay: where services change, it may go.
func process(h host.Reader, u host.User) string {
	all, _ := h.ReadDir("/proc")
	for _, i := range all {
		if _, err := strconv.Atoi(i.Path); err == nil && i.UID == u.UID && u.UID != 0 && len(h.Facts(host.FactService)) == 0 {
			return i.Path
		}
	}
	return ""
}

// userdel removes the user, and with purge the home directory and the mail.
func userdel(ctx context.Context, h host.Host, u host.User, purge, force bool) error {
	args := []string{"userdel"}
	if purge {
		args = append(args, "-r")
	}
	if force {
		args = append(args, "-f")
	}
	return run(ctx, h, func(o host.Host) error {
		if pid := process(o, u); pid != "" && !force {
			return fmt.Errorf("userdel: user %s is currently used by process %s", u.Name, pid)
		}
		setGroups(o, u.Name, nil)
		own := ownGroup(o, u)
		o.Promise(host.Fact{Kind: host.FactUser, Name: u.Name, Value: "absent"})
		if own && host.Defaults(o, "/etc/login.defs")["USERGROUPS_ENAB"] == "yes" {
			o.Promise(host.Fact{Kind: host.FactGroup, Name: u.Name, Value: "absent"})
		}
		if err := editShadow(o, u.Name, func([]string) []string { return nil }); err != nil || !purge {
			return err
		}
		for _, p := range []string{u.Home, "/var/mail/" + u.Name} {
			if i, err := o.Lstat(p); err == nil && i.UID != u.UID && !force {
				return fmt.Errorf("userdel: %s not owned by %s, not removing", p, u.Name)
			} else if err := o.RemoveAll(p); err != nil {
				return err
			}
		}
		return nil
	}, "", append(args, u.Name)...)
}
