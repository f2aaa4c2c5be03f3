package host

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// standIn is the first of the numbers that promised accounts get while their own is not known, so that what they own
// can be told apart. No real account has one.
const standIn = 1 << 30

// User looks up a user by name: a promise counts before the base.
func (o *Overlay) User(name string) (User, error) {
	o.tracker.Load().ask(FactUser, name)
	f, ok := o.facts.get(FactUser, name)
	if !ok {
		return o.base.User(name)
	}
	if f.Value == "absent" {
		return User{}, &fs.PathError{Op: "look up user", Path: name, Err: fs.ErrNotExist}
	}
	u, err := o.base.User(name)
	if err != nil {
		u = User{Name: name, UID: o.standInOf(FactUser, name), GID: -1, Home: "/home/" + name, Shell: "/bin/sh",
			Promised: true}
	}
	applyUserAttrs(&u, f.Attrs)
	if u.GID < 0 {
		u.GID = u.UID
	}
	return u, nil
}

func applyUserAttrs(u *User, attrs map[string]string) {
	if id, err := strconv.Atoi(attrs["uid"]); err == nil {
		u.UID = id
	}
	if id, err := strconv.Atoi(attrs["gid"]); err == nil {
		u.GID = id
	}
	for _, t := range []struct {
		key string
		dst *string
	}{{"home", &u.Home}, {"shell", &u.Shell}, {"gecos", &u.Gecos}} {
		if v, ok := attrs[t.key]; ok {
			*t.dst = v
		}
	}
}

// standInOf is the stand-in number of a promised account: the same as long as the overlay lasts, and none of those of
// its base.
func (o *Overlay) standInOf(kind Kind, name string) int {
	p, _ := o.facts.promised(kind, name)
	return standIn + o.promisedBelow() + p.number
}

// promisedBelow is how many facts the overlays below hold.
func (o *Overlay) promisedBelow() int {
	if o.under == nil {
		return 0
	}
	return o.under.promisedBelow() + o.under.facts.count()
}

// Group looks up a group by name: a promise counts before the base. A promised user promises a group of its name when
// the fact says so with gid.
func (o *Overlay) Group(name string) (Group, error) {
	o.tracker.Load().ask(FactGroup, name)
	f, ok := o.facts.get(FactGroup, name)
	if !ok {
		return o.base.Group(name)
	}
	if f.Value == "absent" {
		return Group{}, &fs.PathError{Op: "look up group", Path: name, Err: fs.ErrNotExist}
	}
	g, err := o.base.Group(name)
	if err != nil {
		g = Group{Name: name, GID: o.standInOf(FactGroup, name), Promised: true}
	}
	if id, err := strconv.Atoi(f.Attrs["gid"]); err == nil {
		g.GID = id
	}
	if m, ok := f.Attrs["members"]; ok {
		g.Members = strings.FieldsFunc(m, func(r rune) bool { return r == ',' })
	}
	return g, nil
}

// UserByID looks up a user by number.
func (o *Overlay) UserByID(uid int) (User, error) {
	o.tracker.Load().ask(FactUser, "*")
	for _, f := range o.facts.of(FactUser) {
		if u, err := o.User(f.Name); err == nil && u.UID == uid {
			return u, nil
		}
	}
	u, err := o.base.UserByID(uid)
	if err == nil {
		if f, ok := o.facts.get(FactUser, u.Name); ok && f.Value == "absent" {
			return User{}, &fs.PathError{Op: "look up user", Path: strconv.Itoa(uid), Err: fs.ErrNotExist}
		}
	}
	return u, err
}

// GroupByID looks up a group by number.
func (o *Overlay) GroupByID(gid int) (Group, error) {
	o.tracker.Load().ask(FactGroup, "*")
	for _, f := range o.facts.of(FactGroup) {
		if g, err := o.Group(f.Name); err == nil && g.GID == gid {
			return g, nil
		}
	}
	g, err := o.base.GroupByID(gid)
	if err == nil {
		if f, ok := o.facts.get(FactGroup, g.Name); ok && f.Value == "absent" {
			return Group{}, &fs.PathError{Op: "look up group", Path: strconv.Itoa(gid), Err: fs.ErrNotExist}
		}
	}
	return g, err
}

// Users are the base's users and the promised ones.
func (o *Overlay) Users() ([]User, error) {
	o.tracker.Load().ask(FactUser, "*")
	base, err := o.base.Users()
	out := slices.DeleteFunc(base, func(u User) bool { _, ok := o.facts.get(FactUser, u.Name); return ok })
	for _, f := range o.facts.of(FactUser) {
		if u, err := o.User(f.Name); err == nil {
			out = append(out, u)
		}
	}
	return out, err
}

// Groups are the base's groups and the promised ones.
func (o *Overlay) Groups() ([]Group, error) {
	o.tracker.Load().ask(FactGroup, "*")
	base, err := o.base.Groups()
	out := slices.DeleteFunc(base, func(g Group) bool { _, ok := o.facts.get(FactGroup, g.Name); return ok })
	for _, f := range o.facts.of(FactGroup) {
		if g, err := o.Group(f.Name); err == nil {
			out = append(out, g)
		}
	}
	return out, err
}
