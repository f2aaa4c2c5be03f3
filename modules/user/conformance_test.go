package user

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// A base is a file of the account database, line by line.
type base [][]string

func open(m *hosttest.Memory, file string) base {
	raw, _ := m.ReadFile(file)
	var out base
	for l := range strings.Lines(string(raw)) {
		out = append(out, strings.Split(strings.TrimSuffix(l, "\n"), ":"))
	}
	return out
}

func (b base) save(m *hosttest.Memory, file string) {
	text := ""
	for _, f := range b {
		text += strings.Join(f, ":") + "\n"
	}
	m.MustWrite(file, text, 0o640)
}

func (b base) of(name string) []string {
	if i := slices.IndexFunc(b, func(f []string) bool { return f[0] == name }); i >= 0 {
		return b[i]
	}
	return nil
}

func (b base) without(name string) base {
	return slices.DeleteFunc(b, func(f []string) bool { return f[0] == name })
}

// tools are useradd and its kin on a machine in memory, as far as the deeds need them.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	passwd, group, shadow := open(m, "/etc/passwd"), open(m, "/etc/group"), open(m, "/etc/shadow")
	has := func(flag string) bool { return slices.Contains(c.Args, flag) }
	set := func(flag string, field *string) {
		if i := slices.Index(c.Args, flag); i > 0 {
			*field = c.Args[i+1]
		}
	}
	name := c.Args[len(c.Args)-1]
	if c.Args[0] == "chpasswd" {
		name, _, _ = strings.Cut(string(c.Stdin), ":")
	}
	join := func(groups string) {
		for _, g := range group {
			members := slices.DeleteFunc(strings.Split(g[3], ","), func(u string) bool { return u == name || u == "" })
			if slices.Contains(strings.Split(groups, ","), g[0]) {
				members = append(members, name)
			}
			g[3] = strings.Join(members, ",")
		}
	}
	var err error
	u, s := passwd.of(name), shadow.of(name)
	switch c.Args[0] {
	case "useradd":
		uid := strconv.Itoa(host.NextID(m, host.FactUser, has("-r"), -1))
		u = []string{name, "x", uid, "100", "", "/home/" + name, "/bin/sh"}
		set("-u", &u[2])
		if has("-U") {
			id, _ := strconv.Atoi(u[2])
			u[3] = strconv.Itoa(host.NextID(m, host.FactGroup, has("-r"), id))
			group = append(group, []string{name, "x", u[3], ""})
		}
		set("-g", &u[3])
		set("-c", &u[4])
		set("-d", &u[5])
		set("-s", &u[6])
		var groups string
		set("-G", &groups)
		join(groups)
		passwd, shadow = append(passwd, u), append(shadow, []string{name, "!", "19000", "0", "99999", "7", "", "", ""})
		if uid, _ := strconv.Atoi(u[2]); has("-m") && m.Mkdir("/nothing", host.KeepAttr()) == nil {
			gid, _ := strconv.Atoi(u[3])
			err = errors.Join(m.Remove("/nothing"), ready(m, u[5], uid, gid))
		}
	case "usermod":
		if old := u[2]; has("-u") {
			set("-u", &u[2])
			err = chown(m, u[5], old, u[2], true)
		}
		if old := u[3]; has("-g") {
			set("-g", &u[3])
			err = chown(m, u[5], old, u[3], false)
		}
		set("-c", &u[4])
		set("-d", &u[5])
		set("-s", &u[6])
		if has("-G") {
			var groups string
			set("-G", &groups)
			join(groups)
		}
		if has("-L") {
			s[1] = "!" + s[1]
		}
		if has("-U") {
			s[1] = strings.TrimPrefix(s[1], "!")
		}
	case "userdel":
		join("")
		if g := group.of(name); g != nil && g[2] == u[3] {
			group = group.without(name)
		}
		if passwd, shadow = passwd.without(name), shadow.without(name); has("-r") {
			err = m.RemoveAll(u[5])
		}
	case "chpasswd":
		_, s[1], _ = strings.Cut(strings.TrimSpace(string(c.Stdin)), ":")
	case "passwd":
		s[1] = ""
	case "chage":
		for flag, i := range map[string]int{"-d": 2, "-m": 3, "-M": 4, "-W": 5, "-I": 6, "-E": 7} {
			set(flag, &s[i])
		}
	}
	passwd.save(m, "/etc/passwd")
	group.save(m, "/etc/group")
	shadow.save(m, "/etc/shadow")
	return &host.Output{}, err
}

func ready(m *hosttest.Memory, home string, uid, gid int) error {
	m.MustMkdir(home)
	m.MustWrite(home+"/.profile", "# profile\n", 0o644)
	return errors.Join(m.Chown(home, uid, gid), m.Chown(home+"/.profile", uid, gid))
}

func chown(m *hosttest.Memory, dir, from, to string, user bool) error {
	old, _ := strconv.Atoi(from)
	now, _ := strconv.Atoi(to)
	var err error
	for _, p := range []string{dir, dir + "/.profile"} {
		switch i, _ := m.Lstat(p); {
		case user && i.UID == old:
			err = errors.Join(err, m.Chown(p, now, -1))
		case !user && i.GID == old:
			err = errors.Join(err, m.Chown(p, -1, now))
		}
	}
	return err
}

func TestConformance(t *testing.T) {
	with := func(user bool, hash string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			for _, tool := range []string{"useradd", "usermod", "userdel", "chpasswd", "passwd", "chage"} {
				m.MustWrite("/usr/sbin/"+tool, "", 0o755)
			}
			m.MustWrite("/etc/login.defs", "USERGROUPS_ENAB yes\nPASS_MIN_DAYS 0\nPASS_MAX_DAYS 99999\nPASS_WARN_AGE 7\n", 0o644)
			m.MustWrite("/etc/skel/.profile", "# profile\n", 0o644)
			m.MustWrite("/etc/shadow", "root:*:19000:0:99999:7:::\n", 0o640)
			m.MustWrite("/etc/group", "root:x:0:\nadm:x:4:root\nstaff:x:50:\nusers:x:100:\n", 0o644)
			if !user {
				return
			}
			m.AddUser("bob", 1001)
			m.MustWrite("/etc/group", "root:x:0:\nadm:x:4:bob,root\nstaff:x:50:\nusers:x:100:\nbob:x:1001:\n", 0o644)
			m.MustWrite("/etc/shadow", fmt.Sprintf("root:*:19000:0:99999:7:::\nbob:%s:19000:0:99999:7:::\n", hash), 0o640)
			if err := ready(m, "/home/bob", 1001, 1001); err != nil {
				t.Fatal(err)
			}
		})
	}
	bob := func(args ...any) modtest.Deed { return modtest.State("user.present", "bob", args...) }
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"none": with(false, ""), "there": with(true, "$6$x$y"),
			"locked": with(true, "!$6$x$y"), "no password": with(true, "!")},
		Deeds: []modtest.Deed{
			bob(), bob("uid", 1001), bob("uid", 1500, "allow_uid_change", true), bob("uid", 1500), bob("uid", 0),
			bob("uid", 0, "unique", false, "allow_uid_change", true),
			bob("gid", 50, "allow_gid_change", true, "createhome", false), bob("gid", "nope"), bob("gid", 77),
			bob("usergroup", false), bob("system", true, "usergroup", true),
			bob("groups", []string{"staff", "users"}), bob("groups", []string{"staff"}, "remove_groups", false),
			bob("groups", []string{}), bob("groups", []string{"nope"}),
			bob("optional_groups", []string{"staff", "nope"}), bob("home", "/srv/people/bob"), bob("home", "relative"),
			bob("groups", []string{"bob"}, "gid", 50, "allow_gid_change", true),
			bob("shell", "/bin/bash", "fullname", "Bob B", "other", "x"),
			bob("password", "$6$x$z"), bob("password", "$6$x$z", "enforce_password", false), bob("empty_password", true),
			bob("password", "$6$x$z", "password_lock", true),
			bob("password_lock", true), bob("password_lock", false),
			bob("maxdays", 90, "mindays", 1, "warndays", 3, "inactdays", 4, "expire", "2030-01-01", "date", 18000),
			modtest.State("user.present", "Bob Builder"),
			modtest.State("user.absent", "bob"), modtest.State("user.absent", "bob", "purge", true),
			modtest.State("user.absent", "eve"),
		},
	}.Run(t)
}
