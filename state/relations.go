package state

import (
	"path"
	"strings"
)

// Relations are what one state makes on the machine, and what it stands on there: what automatic relationships are
// found from (auto_require). A state function fills them; the names are as it was given them.
type Relations struct {
	Makes []Thing
	Needs []Need
}

// A Thing is something of the machine that one state makes and others stand on.
type Thing struct {
	Kind ThingKind
	Name string
}

// A ThingKind is a kind of things.
type ThingKind uint8

// The kinds of things.
const (
	// ThingPath is a file, directory or link, by its absolute path.
	ThingPath ThingKind = iota
	// ThingMount is a folder that something is mounted on.
	ThingMount
	// ThingUser is an account by its name.
	ThingUser
	// ThingGroup is a group by its name, or by its number: see GID.
	ThingGroup
	// ThingPackage is a package by its name; it is there for the states of its SLS.
	ThingPackage
	// ThingUnit is what systemd knows of a unit by its name: its file, or one in its drop-in directory.
	ThingUnit
)

func (k ThingKind) String() string {
	return [...]string{"path", "mount", "user", "group", "package", "unit"}[k]
}

// GID is the name of a group that only its number is known of.
func GID(number string) string { return ":" + number }

// A Need is something that a state stands on, and why.
type Need struct {
	Tie  Tie
	Name string
}

// A Tie says why a state stands on something that it does not name as a requisite.
type Tie uint8

// The ties. A path stands for the nearest one at it or above it that some state makes.
const (
	// TieNone is that of a requisite that is written down.
	TieNone Tie = iota
	// TieDirectory is what is above a path; not the path itself.
	TieDirectory
	TieOwner
	TieGroup
	// TieUser is whom something is done for, or as.
	TieUser
	// TieMember is a group that a user is in.
	TieMember
	TieTarget
	TieCwd
	TieScript
	TieGiven
	TieEdited
	TieDevice
	TieFolder
	TieUnit
	TiePackage
)

// Said is what the thing is to the state: "its directory".
func (t Tie) Said() string {
	return [...]string{"", "its directory", "its owner", "its group", "its user", "a group that it is in",
		"what it leads to", "its working directory", "the script that it runs", "a file that it is given",
		"what it works on", "what it mounts", "the folder that it is mounted on", "its unit file", "its package"}[t]
}

// Thing is the kind of things that the tie is to.
func (t Tie) Thing() ThingKind {
	switch t {
	case TieOwner, TieUser:
		return ThingUser
	case TieGroup, TieMember:
		return ThingGroup
	case TieUnit:
		return ThingUnit
	case TiePackage:
		return ThingPackage
	}
	return ThingPath
}

// Reset empties them for the next state.
func (r *Relations) Reset() { r.Makes, r.Needs = r.Makes[:0], r.Needs[:0] }

// Make notes that the state makes something. No name is nothing, and so is a path that is not absolute.
func (r *Relations) Make(kind ThingKind, name string) {
	if kind == ThingPath || kind == ThingMount {
		if name = absolute(name); name != "" {
			r.makeUnit(name)
		}
	}
	if name != "" {
		r.Makes = append(r.Makes, Thing{kind, name})
	}
}

// Need notes that the state stands on something. No name is nothing, and so is a path that is not absolute.
func (r *Relations) Need(tie Tie, name string) {
	if tie.Thing() == ThingPath {
		name = absolute(name)
	}
	if name != "" {
		r.Needs = append(r.Needs, Need{tie, name})
	}
}

// absolute is a path without what Clean drops, "" for one that is not absolute.
func absolute(p string) string {
	switch {
	case p == "" || p[0] != '/':
		return ""
	case strings.Contains(p, "//"), strings.Contains(p, "/."), p[len(p)-1] == '/':
		return path.Clean(p)
	}
	return p // the usual one, at less than half the cost
}
