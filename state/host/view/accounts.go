//go:build linux

package view

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// Accounts are the users and groups that an overlay promises beyond what its files say.
type Accounts struct {
	Users      []host.User
	Groups     []host.Group
	GoneUsers  []string
	GoneGroups []string
}

func (a *Accounts) empty() bool {
	return len(a.Users)+len(a.Groups)+len(a.GoneUsers)+len(a.GoneGroups) == 0
}

// Promised are the accounts among an overlay's facts.
func Promised(o *host.Overlay) Accounts {
	var a Accounts
	for _, f := range o.Promised() {
		switch f.Kind {
		case host.FactUser:
			if u, err := o.User(f.Name); err == nil {
				a.Users = append(a.Users, u)
			} else {
				a.GoneUsers = append(a.GoneUsers, f.Name)
			}
		case host.FactGroup:
			if g, err := o.Group(f.Name); err == nil {
				a.Groups = append(a.Groups, g)
			} else {
				a.GoneGroups = append(a.GoneGroups, f.Name)
			}
		}
	}
	return a
}

// write puts the accounts into the account files.
func (a *Accounts) write(h host.Host) error {
	passwd, shadow, group := map[string]string{}, map[string]string{}, map[string]string{}
	for _, u := range a.Users {
		passwd[u.Name] = fmt.Sprintf("%s:x:%d:%d:%s:%s:%s", u.Name, u.UID, u.GID, u.Gecos, u.Home, u.Shell)
		shadow[u.Name] = u.Name + ":!:20000:0:99999:7:::"
		if _, known := group[u.Name]; !known && u.Promised && u.GID == u.UID {
			group[u.Name] = fmt.Sprintf("%s:x:%d:", u.Name, u.GID)
		}
	}
	for _, g := range a.Groups {
		group[g.Name] = fmt.Sprintf("%s:x:%d:%s", g.Name, g.GID, strings.Join(g.Members, ","))
	}
	for _, n := range a.GoneUsers {
		passwd[n], shadow[n] = "", ""
	}
	for _, n := range a.GoneGroups {
		group[n] = ""
	}
	for _, t := range []struct {
		path string
		want map[string]string
		keep bool // an entry that is there stays
	}{{"/etc/passwd", passwd, false}, {"/etc/shadow", shadow, true}, {"/etc/group", group, false}} {
		if err := rewrite(h, t.path, t.want, t.keep); err != nil {
			return err
		}
	}
	return nil
}

// rewrite brings the entries of an account file to what is wanted; "" removes one.
func rewrite(h host.Host, path string, want map[string]string, keep bool) error {
	if len(want) == 0 {
		return nil
	}
	raw, err := h.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(string(raw)) {
		name, _, _ := strings.Cut(line, ":")
		entry, ours := want[name]
		if delete(want, name); ours && !(keep && entry != "") {
			if line = entry; line != "" {
				line += "\n"
			}
		}
		out.WriteString(line)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if want[name] != "" {
			out.WriteString(want[name] + "\n")
		}
	}
	return h.WriteFile(path, strings.NewReader(out.String()), host.KeepAttr())
}
