package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Role are the arguments of a user and of a group alike.
type Role struct {
	Name            string  `arg:"name,required" doc:"The role."`
	CreateDB        *bool   `arg:"createdb" doc:"Whether it may make databases."`
	CreateRoles     *bool   `arg:"createroles" doc:"Whether it may make roles."`
	Encrypted       hashing `arg:"encrypted" doc:"How the password is kept: true or md5, which is Salt's default, or scram-sha-256. PostgreSQL keeps none unencrypted since version 10."`
	Superuser       *bool   `arg:"superuser" doc:"Whether it may do everything."`
	Replication     *bool   `arg:"replication" doc:"Whether it may begin streaming replication."`
	Inherit         *bool   `arg:"inherit" doc:"Whether it may do what its groups may."`
	Login           *bool   `arg:"login" doc:"Whether it may connect. A new user may, a new group may not."`
	Password        string  `arg:"password,secret" doc:"The password, as it is or as the server keeps it (md5... or SCRAM-SHA-256$...)."`
	RefreshPassword bool    `arg:"refresh_password" doc:"Sets the password without a look at the one that is kept, which only a superuser may see."`
	Groups          names   `arg:"groups" doc:"The roles that it is to be a member of; others stay."`
	maintained
}

// GroupPresent keeps a group.
type GroupPresent struct{ Role }

// UserPresent keeps a user.
type UserPresent struct {
	Role
	DefaultPassword string `arg:"default_password,secret" doc:"The password of a new user for whom none is given."`
	ValidUntil      string `arg:"valid_until" doc:"When the password ends, as PostgreSQL reads it."`
}

func userPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_user.present", Doc: "Keeps a role that may connect, with its privileges.",
		Example: "app:\n  postgres_user.present:\n    - password: secret\n    - encrypted: scram-sha-256\n    - createdb: " +
			"true",
		New: func() modules.StateFunc { return &UserPresent{} }}
}

func groupPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_group.present", Doc: "Keeps a role that has others for members.",
		Example: "readers:\n  postgres_group.present:\n    - inherit: true",
		New:     func() modules.StateFunc { return &GroupPresent{} }}
}

// Act makes or changes the user.
func (u *UserPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return u.keep(ctx, env, h, "user", u.DefaultPassword, u.ValidUntil)
}

// Act makes or changes the group.
func (g *GroupPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return g.keep(ctx, env, h, "group", "", "")
}

func (r *Role) wish(until string) *wish {
	return &wish{name: r.Name, hashing: r.Encrypted, password: r.Password, until: until, groups: r.Groups,
		flags: [6]*bool{r.Inherit, r.CreateDB, r.CreateRoles, r.Superuser, r.Replication, r.Login}}
}

func (r *Role) keep(ctx context.Context, env *modules.Env, h host.Host,
	what, first, until string) (state.Effect, error) {
	title := strings.ToUpper(what[:1]) + what[1:]
	c := r.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.role(r.Name)
	if err != nil {
		return state.Effect{}, err
	}
	w, mode, e := r.wish(until), "update", state.NewEffect()
	if was == nil {
		mode = "create"
		w.asNew(what == "user", first)
		e.Changes.SetStr(r.Name, value.Str("Present"))
		e.Foretold = value.NewDict(0)
	} else {
		update, err := c.differing(w, was, r.RefreshPassword)
		if err != nil || update.Len() == 0 {
			return state.Settled(title + " " + r.Name + " is already present"), err
		}
		e.Changes.SetStr(r.Name, update)
	}
	e.Once = r.RefreshPassword && r.Password != "" // it would be set again
	e.Comment = fmt.Sprintf("The %s %s has been %sd", what, r.Name, mode)
	e.Preview = fmt.Sprintf("%s %s is set to be %sd", title, r.Name, mode)
	if err := c.save(w, was); err != nil {
		return state.Effect{}, failed(err, "Failed to %s %s %s", mode, what, r.Name)
	}
	return e, nil
}

// failed words why a deed failed as Salt does, with the reason.
func failed(err error, format string, args ...any) error {
	if host.IsUnknown(err) {
		return err
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// asNew sets what a new role is given.
func (w *wish) asNew(login bool, password string) {
	if w.flags[0] == nil {
		yes := true
		w.flags[0] = &yes
	}
	if w.flags[5] == nil {
		w.flags[5] = &login
	}
	if w.password == "" {
		w.password = password
	}
}

// differing is what of a role is not as wanted, in Salt's shape. A password that is as wanted is wanted no more.
func (c *catalog) differing(w *wish, was object, refresh bool) (*value.Dict, error) {
	update := value.NewDict(0)
	for _, i := range []int{1, 0, 5, 2, 4, 3} { // Salt's order
		if f := w.flags[i]; f != nil && was[flagNames[i]] != truth(*f) {
			update.SetStr(flagNames[i], value.Bool(*f))
		}
	}
	if w.password != "" && !refresh {
		kept, err := c.kept(w.name)
		if err != nil {
			return nil, err
		}
		if w.matches(kept) {
			w.password = ""
		}
	}
	if w.password != "" {
		update.SetStr("password", value.Bool(true))
	}
	if w.until != "" {
		until, err := c.instant(w.until)
		if err != nil {
			return nil, err
		}
		if until != when(was["valid_until"]) {
			update.SetStr("valid_until", value.Str(w.until))
		}
	}
	has, err := c.groupsOf(w.name)
	lacking := slices.DeleteFunc(slices.Clone(w.groups), func(g string) bool { return slices.Contains(has, g) })
	if len(lacking) > 0 {
		update.SetStr("groups", modules.TextList(lacking))
	}
	return update, err
}
