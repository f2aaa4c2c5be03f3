package user

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a user there.
type Present struct {
	Name      string      `arg:"name,required,file" not:":,#" doc:"The user."`
	UID       *int        `arg:"uid" doc:"The number; the next free one when not given."`
	GID       value.Value `arg:"gid,word" not:":" doc:"The primary group, its number or name."`
	FromName  bool        `arg:"gid_from_name" doc:"Take the group of the user's name as the primary one; it has to exist."`
	UserGroup *bool       `arg:"usergroup" doc:"Make a group of the user's name as the primary one."`
	Groups    []string    `arg:"groups,word" not:":," doc:"The groups that the user has to be in; they have to exist."`
	Optional  []string    `arg:"optional_groups,word" not:":," doc:"Groups that the user has to be in if they exist. Alone, they are all that the user is in beside the primary one."`
	Remove    bool        `arg:"remove_groups" default:"true" doc:"End memberships in other groups, when groups are given."`

	Home       string `arg:"home,path" not:":" doc:"The home directory."`
	CreateHome bool   `arg:"createhome" default:"true" doc:"Make the home directory when it is missing."`
	NoLoginIt  bool   `arg:"nologinit" doc:"Do not add the user to the lastlog and faillog databases."`
	Shell      string `arg:"shell,path" not:":" doc:"The login shell."`
	Unique     bool   `arg:"unique" default:"true" doc:"The number must be nobody else's."`
	System     bool   `arg:"system" doc:"Take the number from those of the system when the user is made."`
	NonUnique  bool   `arg:"non_unique" doc:"The same as unique: false."`

	Password string `arg:"password,secret" doc:"The password's hash, or the password in clear with hash_password."`
	HashPass bool   `arg:"hash_password" doc:"Password is in clear and is hashed here."`
	Enforce  bool   `arg:"enforce_password" default:"true" doc:"Change the password back when the user changed it."`
	Empty    bool   `arg:"empty_password" doc:"Lets the user log in without a password; password is then ignored."`
	Lock     *bool  `arg:"password_lock" doc:"Lock the password, or unlock it."`

	FullName   *string `arg:"fullname" not:":," doc:"The full name."`
	RoomNumber *string `arg:"roomnumber" not:":," doc:"The room."`
	WorkPhone  *string `arg:"workphone" not:":," doc:"The phone at work."`
	HomePhone  *string `arg:"homephone" not:":," doc:"The phone at home."`
	Other      *string `arg:"other" not:":" doc:"What else the comment field holds."`
	LoginClass string  `arg:"loginclass" doc:"Of BSD; no effect here."`

	Date   Day  `arg:"date" doc:"When the password was changed last: days since 1970, or a date."`
	Min    *int `arg:"mindays" doc:"Days between changes of the password at least."`
	Max    *int `arg:"maxdays" doc:"Days between changes of the password at most."`
	Inact  *int `arg:"inactdays" doc:"Days after the password expired until the account is locked."`
	Warn   *int `arg:"warndays" doc:"Days of warning before the password expires."`
	Expire Day  `arg:"expire" doc:"When the account expires: days since 1970, or a date."`

	AllowUID bool        `arg:"allow_uid_change" doc:"Let the number of a user that exists change; files keep the old one."`
	AllowGID bool        `arg:"allow_gid_change" doc:"Let the primary group of a user that exists change."`
	Local    bool        `arg:"local" doc:"Look only at the local files; no effect, they are what is changed anyway."`
	Win      value.Value `arg:"win_homedrive" alias:"win_profile?,win_logonscript?,win_description?" doc:"Of Windows; no effect here."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "user.present",
		Doc:  "Keeps a user there, with number, groups, home, shell, password and what else is given.",
		Example: `alice:
  user.present:
    - shell: /bin/bash
    - groups:
      - sudo`,
		New: func() modules.StateFunc { return &Present{} },
	}
}

// NeedsRoot is true: only root may change accounts.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

// Validate refuses a hash that would be several fields of /etc/shadow. A password in clear may have colons.
func (p *Present) Validate() []modules.Fault {
	if p.HashPass || !strings.Contains(p.Password, ":") {
		return nil
	}
	return []modules.Fault{{Arg: "password", Msg: "the hash has a colon, which parts the fields of /etc/shadow",
		Hint: "hash_password: true takes a password in clear"}}
}

func (p *Present) gecos() [5]*string {
	return [5]*string{p.FullName, p.RoomNumber, p.WorkPhone, p.HomePhone, p.Other}
}

// gid is the number of the primary group; ok is false when none is asked for. A user who is there is to have the group
// of its name where usergroup asks for one; for a new one useradd makes it.
func (p *Present) gid(h host.Reader, there bool) (gid int, ok bool, err error) {
	name := p.Name
	switch p.GID.(type) {
	case nil, value.NoneType:
		_, missing := h.Group(name)
		if own := there && p.UserGroup != nil && *p.UserGroup && missing == nil; !own && !p.FromName {
			return 0, false, nil
		}
	default:
		name = value.String(p.GID)
	}
	g, err := h.Group(name)
	if n, bad := strconv.Atoi(name); bad == nil && p.GID != nil {
		g, err = h.GroupByID(n)
	}
	if err != nil {
		return 0, true, host.Missing("Default group with name \"%s\" not found", name)
	}
	return g.GID, true, nil
}

// taken is the error for a number that another user has.
func (p *Present) taken(h host.Reader) error {
	if p.UID == nil || !p.Unique || p.NonUnique {
		return nil
	}
	if u, err := h.UserByID(*p.UID); err == nil && u.Name != p.Name {
		return fmt.Errorf("User %s cannot have the uid %d: user %s has it", p.Name, *p.UID, u.Name)
	}
	return nil
}

// wantedGroups are the groups that the user has to be in beside the primary one, sorted; the error names those that are
// missing.
func (p *Present) wantedGroups(h host.Reader) ([]string, error) {
	var missing, out []string
	for _, g := range p.Groups {
		if _, err := h.Group(g); err != nil {
			missing = append(missing, g)
			continue
		}
		out = append(out, g)
	}
	if len(missing) > 0 {
		return nil, host.Missing("The following group(s) are not present: %s", strings.Join(missing, ","))
	}
	for _, g := range p.Optional {
		if _, err := h.Group(g); err == nil {
			out = append(out, g)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Act makes the user, or changes what differs.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := p.taken(h); err != nil {
		return state.Effect{}, err
	}
	a, ok, err := find(h, p.Name)
	if err != nil {
		return state.Effect{}, err
	}
	if !ok {
		return p.add(ctx, h)
	}
	return p.change(ctx, h, a)
}

// change changes what differs, and says what became of it. Salt differs: it says nothing of a home directory that it
// makes anew, it ends all memberships where no groups are given, and gives a new user a locked password in the second
// run only.
func (p *Present) change(ctx context.Context, h host.Host, a account) (state.Effect, error) {
	d, err := p.differs(h, a)
	if err != nil {
		return state.Effect{}, err
	}
	todo := d.changes()
	if todo.Len() == 0 {
		return state.Settled(fmt.Sprintf("User %s is present and up to date", p.Name)), nil
	}
	e := state.Effect{Pending: true, Comment: fmt.Sprintf("Updated user %s", p.Name),
		Preview: "The following user attributes are set to be changed:\n" + list(todo)}
	failed := d.apply(ctx, h, p, a)
	now, _, err := find(h, p.Name)
	if err != nil {
		return e, errors.Join(failed, err)
	}
	if e.Changes = now.since(a); e.Changes.Len() == 0 && failed == nil {
		e.Changes = todo
	}
	e.Properties = state.Properties(a.since(now), e.Changes)
	return e, failed
}

func list(d *value.Dict) string {
	var b strings.Builder
	for k, v := range d.All() {
		fmt.Fprintf(&b, "%s: %s\n", value.String(k), value.String(v))
	}
	return b.String()
}
