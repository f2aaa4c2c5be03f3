package rabbitmq

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// User keeps a user.
type User struct {
	Name     string      `arg:"name,required" doc:"The user."`
	Password *string     `arg:"password,secret" doc:"The password; without one a new user cannot log in with any."`
	Force    bool        `arg:"force" doc:"Sets the password, or takes it away where none is given, in every run."`
	Tags     []string    `arg:"tags,word" doc:"The tags: administrator, monitoring, ..."`
	Perms    value.Value `arg:"perms" doc:"What it may do: a list of virtual hosts, each with three patterns: configure, write, read."`
	RunAs    string      `arg:"runas,word" doc:"Who runs rabbitmqctl."`
}

func userSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_user.present", Doc: "Keeps a user of RabbitMQ, with its password, tags and permissions.",
		Example: "app:\n  rabbitmq_user.present:\n    - password: secret\n    - tags: [monitoring]\n    - perms:\n      - " +
			"/:\n        - '.*'\n        - '.*'\n        - '.*'",
		New: func() modules.StateFunc { return &User{} },
	}
}

// A perm is what a user may do in a virtual host: configure, write, read.
type perm struct {
	vhost string
	may   [3]string
}

// perms reads the argument.
func (u *User) perms() (out []perm, err error) {
	if u.Perms == nil {
		return nil, nil
	}
	d, err := modules.Map(u.Perms)
	if err != nil {
		return nil, fmt.Errorf("takes a list of virtual hosts with three patterns, not %s", modules.Describe(u.Perms))
	}
	for k, v := range d.All() {
		may, err := modules.Texts(v)
		if err != nil || len(may) != 3 {
			return nil, fmt.Errorf("takes for the virtual host %s three patterns: configure, write, read", value.String(k))
		}
		out = append(out, perm{value.String(k), [3]string(may)})
	}
	return out, nil
}

// Validate finds permissions that are none.
func (u *User) Validate() []modules.Fault {
	out := dashed("name", u.Name)
	if _, err := u.perms(); err != nil {
		out = append(out, modules.Fault{Arg: "perms", Msg: "perms " + err.Error()})
	}
	if u.Password != nil && *u.Password == "" {
		out = append(out, modules.Fault{Arg: "password", Msg: "an empty password is none", Hint: "leave it out"})
	}
	return out
}

// A step is one command of a change, with what goes to its standard input.
type step struct {
	stdin string
	words []string
}

// Act makes the user, or changes what differs.
func (u *User) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b := &broker{h, u.RunAs}
	if err := unclear(h, "user "+u.Name); err != nil {
		return state.Effect{}, err
	}
	all, err := b.list(ctx, "list_users")
	if err != nil {
		return state.Effect{}, err
	}
	now := find(all, "user", u.Name)
	if !there(h, "user "+u.Name, now != nil) {
		now = nil
	}
	e := state.Effect{Changes: value.NewDict(3), Comment: fmt.Sprintf("'%s' was configured.", u.Name),
		Preview: fmt.Sprintf("Configuration for '%s' will change.", u.Name), Once: u.Force}
	steps, err := u.secret(ctx, b, now, &e)
	if err != nil {
		return e, err
	}
	more, err := u.rights(ctx, b, now, &e)
	if err != nil {
		return e, err
	}
	switch {
	case e.Alters():
	case u.Tags == nil && u.Perms == nil:
		return state.Settled(fmt.Sprintf("User '%s' is already present.", u.Name)), nil
	default:
		return state.Settled(fmt.Sprintf("'%s' is already in the desired state.", u.Name)), nil
	}
	return done(&e, deed(ctx, h, "user "+u.Name, "present", func(ctx context.Context) error {
		for _, s := range append(steps, more...) {
			if _, err := b.run(ctx, h, s.stdin, append([]string{"rabbitmqctl"}, s.words...)...); err != nil {
				return fmt.Errorf("Error: %w", err) //nolint:staticcheck // Salt's words
			}
		}
		return nil
	}))
}

// secret are the steps for the account and its password.
func (u *User) secret(ctx context.Context, b *broker, now *value.Dict, e *state.Effect) ([]step, error) {
	if now == nil {
		e.Changes.SetStr("user", oldNew(value.Str(""), value.Str(u.Name)))
		e.Preview = fmt.Sprintf("User '%s' is set to be created.", u.Name)
		if u.Password != nil {
			return []step{{*u.Password, []string{"add_user", u.Name}}}, nil
		}
		// with a password that nobody knows, which is taken away then
		return []step{{randomText(), []string{"add_user", u.Name}}, {"", []string{"clear_password", u.Name}}}, nil
	}
	set := u.Force
	if u.Password != nil && !set {
		out, err := b.h.Query(ctx, b.command(*u.Password, "rabbitmqctl", "authenticate_user", u.Name))
		if err != nil {
			return nil, err
		}
		set = out.Code != 0
	}
	switch {
	case set && u.Password != nil:
		e.Changes.SetStr("password", oldNew(value.Str(""), value.Str("Set password.")))
		return []step{{*u.Password, []string{"change_password", u.Name}}}, nil
	case set:
		e.Changes.SetStr("password", oldNew(value.Str("Removed password."), value.Str("")))
		return []step{{"", []string{"clear_password", u.Name}}}, nil
	}
	return nil, nil
}

// rights are the steps for tags and permissions.
func (u *User) rights(ctx context.Context, b *broker, now *value.Dict, e *state.Effect) (steps []step, err error) {
	var tags []string
	may := map[string][3]string{}
	if now != nil {
		v, _ := now.GetStr("tags")
		tags, _ = modules.Texts(v)
		if may, err = b.may(ctx, u.Name); err != nil {
			return nil, err
		}
	}
	if u.Tags != nil && !alike(tags, u.Tags) {
		e.Changes.SetStr("tags", oldNew(modules.TextList(tags), modules.TextList(u.Tags)))
		steps = append(steps, step{"", append([]string{"set_user_tags", u.Name}, u.Tags...)})
	}
	want, err := u.perms()
	old, new := value.NewDict(0), value.NewDict(0)
	for _, p := range want {
		is, has := may[p.vhost]
		if has && is == p.may {
			continue
		}
		steps = append(steps, step{"", append([]string{"set_permissions", "-p", p.vhost, u.Name}, p.may[:]...)})
		new.SetStr(p.vhost, permDict(p.may))
		if has {
			old.SetStr(p.vhost, permDict(is))
		}
	}
	if new.Len() > 0 {
		changes := value.DictOf("new", new)
		if old.Len() > 0 {
			changes = oldNew(old, new)
		}
		e.Changes.SetStr("perms", changes)
	}
	return steps, err
}

func permDict(may [3]string) *value.Dict {
	return value.DictOf("configure", value.Str(may[0]), "write", value.Str(may[1]), "read", value.Str(may[2]))
}

// may is what a user may do, by virtual hosts.
func (b *broker) may(ctx context.Context, user string) (map[string][3]string, error) {
	all, err := b.list(ctx, "list_user_permissions", user)
	out := map[string][3]string{}
	for _, d := range all {
		out[text(d, "vhost")] = [3]string{text(d, "configure"), text(d, "write"), text(d, "read")}
	}
	return out, err
}

// alike says whether two lists hold the same words.
func alike(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// UserAbsent keeps a user away.
type UserAbsent struct {
	Name  string `arg:"name,required" doc:"The user."`
	RunAs string `arg:"runas,word" doc:"Who runs rabbitmqctl."`
}

func userAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_user.absent", Doc: "Keeps a user of RabbitMQ away.", Example: "app:\n  rabbitmq_user.absent: []",
		New: func() modules.StateFunc { return &UserAbsent{} },
	}
}

// Validate finds what is no user.
func (u *UserAbsent) Validate() []modules.Fault { return dashed("name", u.Name) }

// Act removes the user.
func (u *UserAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b := &broker{h, u.RunAs}
	all, err := b.list(ctx, "list_users")
	if err != nil || !there(h, "user "+u.Name, find(all, "user", u.Name) != nil) {
		return state.Settled(fmt.Sprintf("The user '%s' is not present.", u.Name)), err
	}
	e := state.Effect{Changes: value.DictOf("name", oldNew(value.Str(u.Name), value.Str(""))),
		Comment: fmt.Sprintf("The user '%s' was removed.", u.Name),
		Preview: fmt.Sprintf("The user '%s' will be removed.", u.Name)}
	return done(&e, deed(ctx, h, "user "+u.Name, "absent", func(ctx context.Context) error {
		_, err := b.ctl(ctx, h, "delete_user", u.Name)
		return err
	}))
}
