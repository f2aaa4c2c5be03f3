package user

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "user", ByName: true,
		Doc: "Accounts with their groups, home, shell and ages of passwords.",
		Left: "Accounts of the system (by UID_MIN and UID_MAX of /etc/login.defs): packages make them. Hashes of " +
			"passwords are told with --show-secrets only.",
		Rank: 30, Describe: describeAll}
}

func describeAll(_ context.Context, l *modules.Look) error {
	users, err := l.Host.Users()
	if err != nil {
		return err
	}
	usual := host.Usual(l.Host, "UID")
	for _, u := range users {
		if l.Wants(usual(u.UID), u.Name) {
			if err := tell(l, u.Name, users); err != nil {
				return err
			}
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "user.absent")
	}
	return nil
}

// tell tells of one account.
func tell(l *modules.Look, name string, all []host.User) error {
	a, _, err := find(l.Host, name)
	if err != nil {
		return err
	}
	t := l.Tell(name, "user.present", "uid", a.UID)
	if g := groupName(l.Host, a.GID); g != "" {
		t.On("group", g)
		t.Set("gid", a.GID)
	} else {
		t.Note("its group %d has no name", a.GID)
	}
	same := func(u host.User) bool { return u.UID == a.UID && u.Name != name }
	t.SetIf(slices.ContainsFunc(all, same), "unique", false)
	primary := groupName(l.Host, a.GID)
	groups := slices.DeleteFunc(slices.Clone(a.Groups), func(g string) bool { return g == primary })
	for _, g := range groups {
		t.On("group", g)
	}
	t.SetIf(len(groups) > 0, "groups", groups)
	t.SetIf(a.Home != "", "home", a.Home)
	if _, err := l.Host.Stat(a.Home); modules.Gone(err) {
		t.Set("createhome", false)
	}
	t.SetIf(a.Shell != "", "shell", a.Shell)
	for i, n := range gecosNames() {
		t.SetIf(a.Gecos[i] != "", n, a.Gecos[i])
	}
	tellShadow(l, t, a.Shadow)
	return nil
}

// tellShadow tells what /etc/shadow says: ages that new accounts do not get anyway, and the password where secrets are
// asked for.
func tellShadow(l *modules.Look, t *modules.Thing, s shadow) {
	if !s.Known {
		t.Note("its entry of %s is missing, or cannot be read", shadowFile)
		return
	}
	hash := strings.TrimPrefix(s.Hash, "!")
	switch {
	case s.Hash == "":
		t.Set("empty_password", true)
	case s.none():
	case l.Secrets:
		t.Set("password", hash)
	default:
		t.Note("the hash of its password is left out: --show-secrets tells it")
	}
	t.SetIf(s.locked() && !s.none() && hash != "", "password_lock", true)
	login := host.Defaults(l.Host, "/etc/login.defs")
	for _, age := range []struct {
		name, def string
		days      int
	}{{"mindays", login["PASS_MIN_DAYS"], s.Min}, {"maxdays", login["PASS_MAX_DAYS"], s.Max},
		{"warndays", login["PASS_WARN_AGE"], s.Warn}, {"inactdays", "", s.Inactive}, {"expire", "", s.Expire}} {
		t.SetIf(age.days >= 0 && strconv.Itoa(age.days) != age.def, age.name, age.days)
	}
}
