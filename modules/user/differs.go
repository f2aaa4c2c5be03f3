package user

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A difference is what has to change of a user that exists. What is nil or empty stays.
type difference struct {
	uid, gid *int
	home     string
	makeHome string // the home directory that is missing
	shell    string
	gecos    *[5]string
	names    []int    // the places of gecos that change
	groups   []string // all groups beside the primary one
	regroup  bool
	keep     bool   // the groups stay, with the one that was the primary one
	password string // the hash
	newPass  bool
	empty    bool
	lock     *bool
	ages     []age
}

// An age is one number of /etc/shadow that has to change.
type age struct {
	key, flag string
	field     int // in /etc/shadow
	days      int
}

func (p *Present) differs(h host.Reader, a account) (difference, error) {
	var d difference
	if err := p.numbers(h, a, &d); err != nil {
		return d, err
	}
	if err := p.regroup(h, a, &d); err != nil {
		return d, err
	}
	if p.Home != "" && p.Home != a.Home {
		d.home = p.Home
	}
	if p.CreateHome {
		home := a.Home
		if d.home != "" {
			home = d.home
		}
		if _, err := h.Stat(home); errors.Is(err, fs.ErrNotExist) {
			d.makeHome = home
		}
	}
	if p.Shell != "" && p.Shell != a.Shell {
		d.shell = p.Shell
	}
	for i, g := range p.gecos() {
		if g != nil && *g != a.Gecos[i] {
			if d.gecos == nil {
				d.gecos = &[5]string{}
				*d.gecos = a.Gecos
			}
			d.gecos[i] = *g
			d.names = append(d.names, i)
		}
	}
	return d, p.secrets(a, &d)
}

// numbers compares uid and gid, whose change has to be allowed.
func (p *Present) numbers(h host.Reader, a account, d *difference) error {
	var refused []string
	if p.UID != nil && a.UID != *p.UID {
		d.uid = p.UID
		if !p.AllowUID {
			refused = append(refused, fmt.Sprintf("Changing uid (%d -> %d) not permitted, set allow_uid_change to True to "+
				"force this change", a.UID, *p.UID))
		}
	}
	gid, given, err := p.gid(h, true)
	if err != nil {
		return err
	}
	if given && gid != a.GID {
		d.gid = &gid
		if !p.AllowGID {
			refused = append(refused, fmt.Sprintf("Changing gid (%d -> %d) not permitted, set allow_gid_change to True to "+
				"force this change", a.GID, gid))
		}
	}
	if len(refused) > 0 {
		return errors.New(strings.Join(refused, "; "))
	}
	return nil
}

// regroup compares the groups beside the primary one. A group that was the primary one, and one of the user's name, are
// left alone unless they are asked for; where no groups are given, the user stays in the group that was the primary
// one.
func (p *Present) regroup(h host.Reader, a account, d *difference) error {
	want, err := p.wantedGroups(h)
	if err != nil {
		return err
	}
	old := groupName(h, a.GID)
	primary := old
	if d.gid != nil {
		primary = groupName(h, *d.gid)
	}
	without := func(groups []string, names ...string) []string {
		return slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return slices.Contains(names, g) })
	}
	have := without(a.Groups, primary)
	asked := len(want) > 0
	want = without(want, primary)
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(want, have))))
	mine := []string{primary, old}
	if !slices.Contains(want, p.Name) {
		mine = append(mine, p.Name)
	}
	switch have := without(a.Groups, mine...); {
	case p.Groups == nil && !asked:
		d.keep = d.gid != nil && old != "" && old != primary
		d.groups = all
	case p.Remove && !slices.Equal(have, want):
		d.groups, d.regroup = want, true
	case !p.Remove && slices.ContainsFunc(want, func(g string) bool { return !slices.Contains(have, g) }):
		d.groups, d.regroup = all, true
	}
	return nil
}

func groupName(h host.Reader, gid int) string {
	if g, err := h.GroupByID(gid); err == nil {
		return g.Name
	}
	return ""
}

// secrets compares what is in /etc/shadow, as far as it can be read.
func (p *Present) secrets(a account, d *difference) error {
	s := a.Shadow
	if !s.Known {
		return nil
	}
	switch {
	case p.Empty:
		d.empty = s.Hash != ""
	case p.Password != "":
		if err := p.password(s, d); err != nil {
			return err
		}
	}
	if p.Lock != nil && *p.Lock != s.locked() && !(s.none() && !*p.Lock) {
		d.lock = p.Lock
	}
	for _, c := range []struct {
		age
		want *int
		now  int
	}{
		{age{"date", "-d", 2, 0}, p.Date.days(), s.Last}, {age{"mindays", "-m", 3, 0}, p.Min, s.Min},
		{age{"maxdays", "-M", 4, 0}, p.Max, s.Max},
		{age{"inactdays", "-I", 6, 0}, p.Inact, s.Inactive}, {age{"warndays", "-W", 5, 0}, p.Warn, s.Warn},
		{age{"expire", "-E", 7, 0}, p.Expire.days(), s.Expire},
	} {
		if c.want != nil && *c.want != c.now {
			c.days = *c.want
			d.ages = append(d.ages, c.age)
		}
	}
	return nil
}

func (p *Present) password(s shadow, d *difference) error {
	if !s.none() && !p.Enforce {
		return nil
	}
	now := s.Hash
	if p.Lock != nil && *p.Lock { // a locked password keeps its hash behind the mark
		now = strings.TrimPrefix(now, "!")
	}
	if !p.HashPass {
		d.password, d.newPass = p.Password, now != p.Password
		return nil
	}
	if matches(now, p.Password) {
		return nil
	}
	hash, err := hashed(p.Password)
	d.password, d.newPass = hash, true
	return err
}

// changes are Salt's: the attributes with their new values.
func (d difference) changes() *value.Dict {
	out := value.NewDict(0)
	set := func(on bool, key string, v value.Value) {
		if on {
			out.SetStr(key, v)
		}
	}
	if d.uid != nil {
		set(true, "uid", value.Int(*d.uid))
	}
	if d.gid != nil {
		set(true, "gid", value.Int(*d.gid))
	}
	if d.regroup {
		l := value.NewList()
		for _, g := range d.groups {
			l.Items = append(l.Items, value.Str(g))
		}
		set(true, "groups", l)
	}
	set(d.home != "", "home", value.Str(d.home))
	set(d.makeHome != "", "homeDoesNotExist", value.Str(d.makeHome))
	set(d.shell != "", "shell", value.Str(d.shell))
	for _, i := range d.names {
		set(true, gecosNames()[i], value.Str(d.gecos[i]))
	}
	set(d.newPass, "passwd", value.Str(redacted))
	set(d.empty, "empty_password", value.Bool(true))
	if d.lock != nil {
		set(true, "password_lock", value.Bool(*d.lock))
	}
	for _, a := range d.ages {
		set(true, a.key, value.Int(a.days))
	}
	return out
}

// after is the account as the change will leave it.
func (d difference) after(a account) account {
	if d.uid != nil {
		a.UID = *d.uid
	}
	if d.gid != nil {
		a.GID = *d.gid
	}
	if d.home != "" {
		a.Home = d.home
	}
	if d.shell != "" {
		a.Shell = d.shell
	}
	if d.gecos != nil {
		a.User.Gecos, a.Gecos = joinGecos(*d.gecos), *d.gecos
	}
	return a
}

// apply makes the changes: one usermod, then the home directory, the ages and the password. One that fails does not
// keep it from the others.
func (d difference) apply(ctx context.Context, h host.Host, p *Present, a account) error {
	var failed []error
	after := d.after(a).User
	if args := d.usermod(h, p); len(args) > 1 {
		foretell := func(o host.Host) error { return d.foretell(o, a.User, after) }
		if err := run(ctx, h, foretell, "", append(args, p.Name)...); err != nil {
			failed = append(failed, err)
		}
	}
	if d.makeHome != "" { // an empty one, with what is missing above it: as Salt makes it for a user who is there
		if err := modules.MakeDirs(h, d.makeHome, host.Attr{Mode: 0o755, HasMode: true, UID: after.UID,
			GID: after.GID}); err != nil {
			failed = append(failed, &state.PropertyError{Name: "home", Err: err})
		}
	}
	for _, s := range d.passwords(p) {
		foretell := func(o host.Host) error { return editShadow(o, p.Name, s.edit) }
		if err := run(ctx, h, foretell, s.stdin, s.args...); err != nil {
			failed = append(failed, &state.PropertyError{Name: "passwd", Err: err})
		}
	}
	return errors.Join(failed...)
}

// A step is one command that changes /etc/shadow, and what it does to the user's fields there.
type step struct {
	args  []string
	stdin string
	edit  func(fields []string) []string
}

func (d difference) passwords(p *Present) []step {
	hash := func(edit func(string) string) func([]string) []string {
		return func(f []string) []string {
			if len(f) > 1 {
				f[1] = edit(f[1])
			}
			return f
		}
	}
	var steps []step
	if d.newPass {
		steps = append(steps, step{[]string{"chpasswd", "-e"}, p.Name + ":" + d.password + "\n",
			hash(func(string) string { return d.password })})
	}
	if d.empty {
		steps = append(steps, step{[]string{"passwd", "-d", p.Name}, "", hash(func(string) string { return "" })})
	}
	switch {
	case d.lock != nil && !*d.lock:
		steps = append(steps, step{[]string{"usermod", "-U", p.Name}, "", hash(unlocked)})
	case d.lock != nil || d.newPass && p.Lock != nil && *p.Lock:
		steps = append(steps, step{[]string{"usermod", "-L", p.Name}, "",
			hash(func(old string) string { return "!" + strings.TrimPrefix(old, "!") })})
	}
	if len(d.ages) == 0 {
		return steps
	}
	args := []string{"chage"}
	for _, a := range d.ages {
		args = append(args, a.flag, strconv.Itoa(a.days))
	}
	return append(steps, step{append(args, p.Name), "", func(f []string) []string {
		for _, a := range d.ages {
			if len(f) > a.field {
				f[a.field] = strings.TrimPrefix(strconv.Itoa(a.days), "-1")
			}
		}
		return f
	}})
}

// unlocked is a hash without its mark; an account that would be without a password keeps it.
func unlocked(hash string) string {
	if hash == "!" {
		return hash
	}
	return strings.TrimPrefix(hash, "!")
}

func (d difference) usermod(h host.Reader, p *Present) []string {
	args := []string{"usermod"}
	add := func(on bool, words ...string) {
		if on {
			args = append(args, words...)
		}
	}
	if d.uid != nil {
		add(true, "-u", strconv.Itoa(*d.uid))
		add(!p.Unique || p.NonUnique, "-o")
	}
	if d.gid != nil {
		add(true, "-g", strconv.Itoa(*d.gid))
	}
	add(d.home != "", "-d", d.home)
	add(d.shell != "", "-s", d.shell)
	if d.gecos != nil {
		add(true, "-c", joinGecos(*d.gecos))
	}
	add(d.regroup || d.keep, "-G", strings.Join(d.groups, ","))
	return args
}

// foretell leaves on an overlay what usermod leaves: what is in the home directory changes its owner.
func (d difference) foretell(o host.Host, old, now host.User) error {
	o.Promise(now.Fact())
	if d.regroup || d.keep {
		setGroups(o, now.Name, d.groups)
	}
	if old.UID == now.UID && old.GID == now.GID {
		return nil
	}
	return chownBelow(o, now.Home, old, now)
}
