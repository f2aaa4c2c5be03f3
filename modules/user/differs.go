package user

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

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
	password string // the hash
	newPass  bool
	empty    bool
	lock     *bool
	ages     []age
}

// An age is one number of /etc/shadow that has to change.
type age struct {
	key, flag string
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
	if p.CreateHome && !a.Promised {
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
			refused = append(refused, fmt.Sprintf("Changing uid (%d -> %d) not permitted, set allow_uid_change to True to force this change", a.UID, *p.UID))
		}
	}
	gid, _, given, err := p.gid(h)
	if err != nil {
		return err
	}
	if given && gid != a.GID {
		d.gid = &gid
		if !p.AllowGID {
			refused = append(refused, fmt.Sprintf("Changing gid (%d -> %d) not permitted, set allow_gid_change to True to force this change", a.GID, gid))
		}
	}
	if len(refused) > 0 {
		return errors.New(strings.Join(refused, "; "))
	}
	return nil
}

// regroup compares the groups beside the primary one.
func (p *Present) regroup(h host.Reader, a account, d *difference) error {
	if p.Groups == nil && len(p.Optional) == 0 {
		return nil
	}
	want, err := p.wantedGroups(h)
	if err != nil {
		return err
	}
	primary := ""
	if g, err := h.GroupByID(a.GID); err == nil {
		primary = g.Name
	}
	beside := func(groups []string) []string {
		return slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return g == primary })
	}
	have, want := beside(a.Groups), beside(want)
	if !p.Remove || p.Groups == nil {
		want = append(want, have...)
		slices.Sort(want)
		want = slices.Compact(want)
	}
	if !slices.Equal(have, want) {
		d.groups, d.regroup = want, true
	}
	return nil
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
		key, flag string
		want      *int
		now       int
	}{
		{"date", "-d", p.Date.days(), s.Last}, {"mindays", "-m", p.Min, s.Min}, {"maxdays", "-M", p.Max, s.Max},
		{"inactdays", "-I", p.Inact, s.Inactive}, {"warndays", "-W", p.Warn, s.Warn}, {"expire", "-E", p.Expire.days(), s.Expire},
	} {
		if c.want != nil && *c.want != c.now {
			d.ages = append(d.ages, age{c.key, c.flag, *c.want})
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
	if d.regroup {
		a.Groups = d.groups
	}
	return a
}

// apply makes the changes: one usermod, then the home directory, the ages and the password.
func (d difference) apply(ctx context.Context, h host.Host, p *Present, a account) error {
	if args := d.usermod(h, p); len(args) > 1 {
		if err := run(ctx, h, "", append(args, p.Name)...); err != nil {
			return err
		}
	}
	if d.makeHome != "" {
		if err := makeHome(ctx, h, p.Name, d.makeHome); err != nil {
			return err
		}
	}
	if d.newPass {
		if err := run(ctx, h, p.Name+":"+d.password+"\n", "chpasswd", "-e"); err != nil {
			return err
		}
	}
	if d.empty {
		if err := run(ctx, h, "", "passwd", "-d", p.Name); err != nil {
			return err
		}
	}
	if d.lock != nil || d.newPass && p.Lock != nil && *p.Lock {
		flag := "-U"
		if *p.Lock {
			flag = "-L"
		}
		if err := run(ctx, h, "", "usermod", flag, p.Name); err != nil {
			return err
		}
	}
	args := []string{"chage"}
	for _, a := range d.ages {
		args = append(args, a.flag, strconv.Itoa(a.days))
	}
	if len(args) == 1 {
		return nil
	}
	return run(ctx, h, "", append(args, p.Name)...)
}

func (d difference) usermod(h host.Reader, p *Present) []string {
	args := []string{"usermod"}
	if d.uid != nil {
		args = append(args, "-u", strconv.Itoa(*d.uid))
		if !p.Unique || p.NonUnique {
			args = append(args, "-o")
		}
	}
	if d.gid != nil {
		args = append(args, "-g", strconv.Itoa(*d.gid))
	}
	if d.home != "" {
		args = append(args, "-d", d.home)
		if _, err := h.Stat(d.home); p.CreateHome && errors.Is(err, fs.ErrNotExist) {
			args = append(args, "-m")
		}
	}
	if d.shell != "" {
		args = append(args, "-s", d.shell)
	}
	if d.gecos != nil {
		args = append(args, "-c", joinGecos(*d.gecos))
	}
	if d.regroup {
		args = append(args, "-G", strings.Join(d.groups, ","))
	}
	return args
}

// makeHome makes a home directory that is missing, with what /etc/skel has.
func makeHome(ctx context.Context, h host.Host, name, home string) error {
	if _, err := h.Stat(home); err == nil {
		return nil // usermod moved the old one there
	}
	if _, err := h.LookPath("mkhomedir_helper"); err == nil {
		if u, err := h.User(name); err == nil && u.Home == home {
			return run(ctx, h, "", "mkhomedir_helper", name)
		}
	}
	u, err := h.User(name)
	if err != nil {
		return fmt.Errorf("look up the user %s: %w", name, err)
	}
	if err := h.Mkdir(home, host.Attr{Mode: 0o700, HasMode: true, UID: u.UID, GID: u.GID}); err != nil {
		return fmt.Errorf("make the home directory of %s: %w", name, err)
	}
	return nil
}
