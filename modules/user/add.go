package user

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// add makes the user, then gives it what useradd does not: password, ages, marks.
func (p *Present) add(ctx context.Context, h host.Host) (state.Effect, error) {
	n, err := p.plan(h)
	if err != nil {
		return state.Effect{}, err
	}
	if err := run(ctx, h, n.foretell, "", n.args...); err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf(p.Name, value.Str("added")),
		Comment: fmt.Sprintf("New user %s created", p.Name),
		Preview: fmt.Sprintf("User %s set to be added", p.Name)}
	a, ok, err := find(h, p.Name)
	if err != nil {
		return e, err
	}
	if !ok {
		return e, fmt.Errorf("the user %s is not there after useradd", p.Name)
	}
	e.Changes = a.info()
	d, err := p.differs(h, a)
	if err != nil {
		return e, err
	}
	if err := d.apply(ctx, h, p, a); err != nil {
		return e, fmt.Errorf("New user %s created, but: %w", p.Name, err)
	}
	p.told(e.Changes)
	return e, nil
}

// told adds what Salt says of a new user beside its description.
func (p *Present) told(changes *value.Dict) {
	if !p.CreateHome {
		changes.SetStr("home", value.Str(""))
	}
	switch {
	case p.Empty:
		changes.SetStr("password", value.Str(""))
	case p.Password != "":
		changes.SetStr("password", value.Str(redacted))
	}
	if day := p.Date.days(); day != nil {
		changes.SetStr("date", value.Int(*day))
	}
	for _, n := range []struct {
		key  string
		days *int
	}{{"mindays", p.Min}, {"maxdays", p.Max}, {"inactdays", p.Inact}, {"warndays", p.Warn}, {"expire", p.Expire.days()}} {
		if n.days != nil && *n.days != 0 {
			changes.SetStr(n.key, value.Int(*n.days))
		}
	}
}

// A newcomer is a user who has to be made: the command for it, and what that leaves.
type newcomer struct {
	host.User
	groups   []string // beside the primary one
	ownGroup bool     // a group of its name comes with it
	home     bool     // the home directory is made
	system   bool
	args     []string
}

// plan is the user that useradd makes, with what it chooses itself from /etc/login.defs and /etc/default/useradd.
func (p *Present) plan(h host.Reader) (*newcomer, error) {
	if !host.AccountName(h, p.Name) {
		return nil, fmt.Errorf("useradd: invalid user name '%s'", p.Name)
	}
	defs, login := host.Defaults(h, "/etc/default/useradd"), host.Defaults(h, "/etc/login.defs")
	n := &newcomer{User: host.User{Name: p.Name, Gecos: joinGecos(p.newGecos()), Home: p.Home, Shell: p.Shell},
		home: p.CreateHome, system: p.System}
	gid, given, err := p.gid(h, false)
	if err != nil {
		return nil, err
	}
	if n.groups, err = p.wantedGroups(h); err != nil {
		return nil, err
	}
	n.Home, n.Shell = cmp.Or(n.Home, path.Join(cmp.Or(defs["HOME"], "/home"), p.Name)),
		cmp.Or(n.Shell, cmp.Or(defs["SHELL"], "/bin/sh"))
	if !path.IsAbs(n.Home) {
		return nil, fmt.Errorf("useradd: invalid home directory '%s'", n.Home)
	}
	if p.UID != nil {
		n.UID = *p.UID
	} else if n.UID = host.NextID(h, host.FactUser, p.System, -1); n.UID < 0 {
		return nil, fmt.Errorf("useradd: no number is left for the user %s", p.Name)
	}
	same, missing := h.Group(p.Name)
	own := p.UserGroup == nil && login["USERGROUPS_ENAB"] == "yes" || p.UserGroup != nil && *p.UserGroup
	switch {
	case given:
		n.GID = gid
	case p.UserGroup != nil && !*p.UserGroup:
		n.GID = number(defs["GROUP"], 100)
	case own && missing == nil && p.UserGroup == nil && slices.Contains(n.groups, p.Name):
		n.GID, given = same.GID, true
		n.groups = slices.DeleteFunc(n.groups, func(g string) bool { return g == p.Name })
	case own && missing == nil:
		return nil, fmt.Errorf("useradd: group %s exists - if you want to add this user to that group, give gid", p.Name)
	case own:
		n.GID, n.ownGroup = host.NextID(h, host.FactGroup, p.System, n.UID), true
	default:
		n.GID = number(defs["GROUP"], 100)
	}
	n.args = p.useradd(n, given)
	return n, nil
}

func (p *Present) newGecos() (out [5]string) {
	for i, g := range p.gecos() {
		if g != nil {
			out[i] = *g
		}
	}
	return out
}

func number(text string, def int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return def
}

// useradd is the command that makes the user; what is not given is left to it.
func (p *Present) useradd(n *newcomer, group bool) []string {
	args := []string{"useradd"}
	add := func(on bool, words ...string) {
		if on {
			args = append(args, words...)
		}
	}
	add(p.Shell != "", "-s", p.Shell)
	add(p.UID != nil, "-u", strconv.Itoa(n.UID))
	add(group, "-g", strconv.Itoa(n.GID))
	add(!n.ownGroup, "-N")
	add(n.ownGroup, "-U")
	add(len(n.groups) > 0, "-G", strings.Join(n.groups, ","))
	add(n.home, "-m")
	add(!n.home, "-M")
	add(p.NoLoginIt, "-l")
	add(p.Home != "", "-d", p.Home)
	add(!p.Unique || p.NonUnique, "-o")
	add(p.System, "-r")
	add(n.Gecos != "", "-c", n.Gecos)
	return append(args, p.Name)
}

// foretell leaves on an overlay what useradd leaves.
func (n *newcomer) foretell(o host.Host) error {
	if n.ownGroup {
		if n.GID < 0 {
			return fmt.Errorf("useradd: no number is left for the group %s", n.Name)
		}
		o.Promise(host.Group{Name: n.Name, GID: n.GID}.Fact())
	}
	o.Promise(n.User.Fact())
	setGroups(o, n.Name, n.groups)
	ages := []string{"", "", ""}
	if login := host.Defaults(o, "/etc/login.defs"); !n.system {
		ages = []string{login["PASS_MIN_DAYS"], login["PASS_MAX_DAYS"], login["PASS_WARN_AGE"]}
	}
	defs := host.Defaults(o, "/etc/default/useradd")
	line := append(append([]string{n.Name, "!", ""}, ages...), defs["INACTIVE"], defs["EXPIRE"], "")
	if err := editShadow(o, n.Name, func([]string) []string { return line }); err != nil || !n.home {
		return err
	}
	return makeHome(o, n.User)
}
