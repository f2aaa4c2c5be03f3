package user

import (
	"context"
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
	Name      string      `arg:"name,required" doc:"the user"`
	UID       *int        `arg:"uid" doc:"the number; the next free one when not given"`
	GID       value.Value `arg:"gid" doc:"the primary group, its number or name"`
	FromName  bool        `arg:"gid_from_name" doc:"take the group of the user's name as the primary one; it has to exist"`
	UserGroup *bool       `arg:"usergroup" doc:"make a group of the user's name as the primary one"`
	Groups    []string    `arg:"groups" doc:"the groups that the user has to be in; they have to exist"`
	Optional  []string    `arg:"optional_groups" doc:"groups that the user has to be in if they exist"`
	Remove    bool        `arg:"remove_groups" default:"true" doc:"end memberships in other groups, when groups are given"`

	Home       string `arg:"home" doc:"the home directory"`
	CreateHome bool   `arg:"createhome" default:"true" doc:"make the home directory when it is missing"`
	NoLoginIt  bool   `arg:"nologinit" doc:"do not add the user to the lastlog and faillog databases"`
	Shell      string `arg:"shell" doc:"the login shell"`
	Unique     bool   `arg:"unique" default:"true" doc:"the number must be nobody else's"`
	System     bool   `arg:"system" doc:"take the number from those of the system when the user is made"`
	NonUnique  bool   `arg:"non_unique" doc:"the same as unique: false"`

	Password string `arg:"password" doc:"the password's hash, or the password in clear with hash_password"`
	HashPass bool   `arg:"hash_password" doc:"password is in clear and is hashed here"`
	Enforce  bool   `arg:"enforce_password" default:"true" doc:"change the password back when the user changed it"`
	Empty    bool   `arg:"empty_password" doc:"let the user log in without a password"`
	Lock     *bool  `arg:"password_lock" doc:"lock the password, or unlock it"`

	FullName   *string `arg:"fullname" doc:"the full name"`
	RoomNumber *string `arg:"roomnumber" doc:"the room"`
	WorkPhone  *string `arg:"workphone" doc:"the phone at work"`
	HomePhone  *string `arg:"homephone" doc:"the phone at home"`
	Other      *string `arg:"other" doc:"what else the comment field holds"`
	LoginClass string  `arg:"loginclass" doc:"of BSD; no effect here"`

	Date   Day  `arg:"date" doc:"when the password was changed last: days since 1970, or a date"`
	Min    *int `arg:"mindays" doc:"days between changes of the password at least"`
	Max    *int `arg:"maxdays" doc:"days between changes of the password at most"`
	Inact  *int `arg:"inactdays" doc:"days after the password expired until the account is locked"`
	Warn   *int `arg:"warndays" doc:"days of warning before the password expires"`
	Expire Day  `arg:"expire" doc:"when the account expires: days since 1970, or a date"`

	AllowUID bool        `arg:"allow_uid_change" doc:"let the number of a user that exists change; files keep the old one"`
	AllowGID bool        `arg:"allow_gid_change" doc:"let the primary group of a user that exists change"`
	Local    bool        `arg:"local" doc:"look only at the local files; no effect, they are what is changed anyway"`
	Win      value.Value `arg:"win_homedrive" alias:"win_profile?,win_logonscript?,win_description?" doc:"of Windows; no effect here"`
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

// Locks keeps other changes of the account database out.
func (*Present) Locks() []string { return []string{"accounts"} }

// NeedsRoot is true: only root may change accounts.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

// Validate refuses contradictions.
func (p *Present) Validate() []modules.Fault {
	var faults []modules.Fault
	if p.Password != "" && p.Empty {
		faults = append(faults, modules.Fault{Arg: "empty_password", Msg: "password and empty_password exclude each other"})
	}
	for arg, f := range p.gecos() {
		if f != nil && strings.ContainsAny(*f, ":\n") {
			faults = append(faults, modules.Fault{Arg: gecosNames()[arg], Msg: fmt.Sprintf("%q has a colon or a line break, which the account database cannot hold", *f)})
		}
	}
	for _, g := range p.Groups {
		if slices.Contains(p.Optional, g) {
			faults = append(faults, modules.Fault{Arg: "optional_groups", Msg: fmt.Sprintf("the group %s is in groups and in optional_groups", g)})
		}
	}
	return faults
}

func (p *Present) gecos() [5]*string {
	return [5]*string{p.FullName, p.RoomNumber, p.WorkPhone, p.HomePhone, p.Other}
}

// gid is the number of the primary group; ok is false when none is asked for. A group that is promised has no number yet.
func (p *Present) gid(h host.Reader) (gid int, name string, ok bool, err error) {
	switch v := p.GID.(type) {
	case nil, value.NoneType:
		if !p.FromName {
			return 0, "", false, nil
		}
		name = p.Name
	case value.Int:
		gid = int(v)
	default:
		name = value.String(v)
		if n, nerr := strconv.Atoi(name); nerr == nil {
			gid, name = n, ""
		}
	}
	if name == "" {
		if g, gerr := h.GroupByID(gid); gerr == nil {
			name = g.Name
		}
		return gid, name, true, nil
	}
	g, err := h.Group(name)
	if err != nil {
		return 0, name, true, fmt.Errorf("Default group with name \"%s\" not found", name)
	}
	return g.GID, name, true, nil
}

// wantedGroups are the groups that the user has to be in beside the primary one, sorted; the error names those that are missing.
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
		return nil, fmt.Errorf("The following group(s) are not present: %s", strings.Join(missing, ","))
	}
	for _, g := range p.Optional {
		if _, err := h.Group(g); err == nil {
			out = append(out, g)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Check says what would change.
func (p *Present) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	a, ok, err := find(h, p.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	if !ok {
		return p.foretellNew(h)
	}
	d, err := p.differs(h, a)
	if err != nil {
		return state.Forecast{}, err
	}
	changes := d.changes()
	if changes.Len() == 0 {
		return state.Forecast{Comment: fmt.Sprintf("User %s is present and up to date", p.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: changes, Effects: p.promise(d.after(a)),
		Comment: "The following user attributes are set to be changed:\n" + list(changes)}, nil
}

func list(d *value.Dict) string {
	var b strings.Builder
	for k, v := range d.All() {
		fmt.Fprintf(&b, "%s: %s\n", value.String(k), value.String(v))
	}
	return b.String()
}

// foretellNew says what a user that has to be made will be, as far as useradd's defaults are known.
func (p *Present) foretellNew(h host.Reader) (state.Forecast, error) {
	groups, err := p.wantedGroups(h)
	if err != nil {
		return state.Forecast{}, err
	}
	gid, primary, given, err := p.gid(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if p.UID != nil && p.Unique && !p.NonUnique {
		if u, err := h.UserByID(*p.UID); err == nil && u.Name != p.Name && !u.Promised {
			return state.Forecast{}, fmt.Errorf("User %s cannot have the uid %d: user %s has it", p.Name, *p.UID, u.Name)
		}
	}
	a := account{User: host.User{Name: p.Name, UID: -1, GID: -1, Home: p.Home, Shell: p.Shell, Promised: true}}
	if p.UID != nil {
		a.UID = *p.UID
	}
	if given {
		a.GID = gid
	}
	if a.Home == "" {
		a.Home = "/home/" + p.Name
	}
	if a.Shell == "" {
		a.Shell = defaultShell(h)
	}
	if !given && (p.UserGroup == nil || *p.UserGroup) {
		primary = p.Name
		if g, err := h.Group(p.Name); err == nil {
			a.GID = g.GID
		}
	}
	if primary != "" {
		groups = append(groups, primary)
	}
	slices.Sort(groups)
	a.Groups = slices.Compact(groups)
	for i, g := range p.gecos() {
		if g != nil {
			a.Gecos[i] = *g
		}
	}
	facts := p.promise(a)
	if _, err := h.Group(p.Name); err != nil && primary == p.Name {
		facts = append(facts, host.Fact{Kind: host.FactGroup, Name: p.Name, Value: "present"})
	}
	return state.Forecast{Pending: true, Changes: a.info(), Comment: fmt.Sprintf("User %s set to be added", p.Name), Effects: facts}, nil
}

// defaultShell is useradd's: from /etc/default/useradd.
func defaultShell(h host.Reader) string {
	data, _ := h.ReadFile("/etc/default/useradd")
	for line := range strings.Lines(string(data)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "SHELL="); ok {
			return v
		}
	}
	return "/bin/sh"
}

// promise is the fact that later states may rely on in test mode.
func (p *Present) promise(a account) []host.Fact {
	attrs := map[string]string{"home": a.Home, "shell": a.Shell, "gecos": joinGecos(a.Gecos), "groups": strings.Join(a.Groups, ",")}
	if a.UID >= 0 && a.UID < 1<<30 {
		attrs["uid"] = strconv.Itoa(a.UID)
	}
	if a.GID >= 0 && a.GID < 1<<30 {
		attrs["gid"] = strconv.Itoa(a.GID)
	}
	return []host.Fact{{Kind: host.FactUser, Name: p.Name, Value: "present", Attrs: attrs}}
}

// Apply makes the user, or changes what differs.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	a, ok, err := find(h, p.Name)
	if err != nil {
		return state.Applied{}, err
	}
	if !ok {
		return p.add(ctx, h)
	}
	d, err := p.differs(h, a)
	if err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: d.changes(), Comment: fmt.Sprintf("Updated user %s", p.Name)}, d.apply(ctx, h, p, a)
}
