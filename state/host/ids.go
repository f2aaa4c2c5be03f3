package host

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Defaults are the settings of a file such as /etc/login.defs or /etc/default/useradd: lines of a name and a value.
func Defaults(r Reader, file string) map[string]string {
	out := map[string]string{}
	data, _ := r.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if i := strings.IndexAny(line, " \t="); i > 0 && line[0] != '#' {
			out[line[:i]] = strings.Trim(line[i+1:], " \t\"")
		}
	}
	return out
}

// Usual says of numbers whether they are people's and not the system's: kind is UID or GID.
func Usual(r Reader, kind string) func(id int) bool {
	defs := Defaults(r, "/etc/login.defs")
	number := func(key string, otherwise int) int {
		if n, err := strconv.Atoi(defs[key]); err == nil {
			return n
		}
		return otherwise
	}
	least, most := number(kind+"_MIN", 1000), number(kind+"_MAX", 60000)
	return func(id int) bool { return least <= id && id <= most }
}

// Fact is the promise of the account as it is.
func (u User) Fact() Fact {
	return Fact{Kind: FactUser, Name: u.Name, Value: "present", Attrs: map[string]string{
		"uid": strconv.Itoa(u.UID), "gid": strconv.Itoa(u.GID), "home": u.Home, "shell": u.Shell, "gecos": u.Gecos}}
}

// Fact is the promise of the group as it is.
func (g Group) Fact() Fact {
	return Fact{Kind: FactGroup, Name: g.Name, Value: "present", Attrs: map[string]string{
		"gid": strconv.Itoa(g.GID), "members": strings.Join(g.Members, ",")}}
}

// NextID is the number that useradd (FactUser) or groupadd (FactGroup) chooses: the preferred one if it can be had,
// else the next one above all in use or, for the system's own accounts, below all in use; -1 when none is left.
func NextID(r Reader, kind Kind, system bool, prefer int) int {
	used, key := usedIDs(r, kind)
	defs := Defaults(r, "/etc/login.defs")
	number := func(name string, def int) int {
		if n, err := strconv.Atoi(defs[name]); err == nil {
			return n
		}
		return def
	}
	least, most, step, lowest := number(key+"_MIN", 1000), number(key+"_MAX", 60000), 1, 0
	if lowest = least; system {
		least, most, step, lowest = number("SYS_"+key+"_MIN", 101), number("SYS_"+key+"_MAX", least-1), -1, 1
	}
	if prefer >= lowest && prefer <= most && !used[prefer] {
		return prefer
	}
	in := slices.DeleteFunc(slices.Sorted(maps.Keys(used)), func(id int) bool { return id < least || id > most })
	first, from := least, least
	if system {
		first, from = most, most
	}
	switch {
	case len(in) > 0 && system:
		from = in[0] - 1
	case len(in) > 0:
		from = in[len(in)-1] + 1
	}
	for _, start := range []int{from, first} {
		for id := start; id >= least && id <= most; id += step {
			if !used[id] {
				return id
			}
		}
	}
	return -1
}

func usedIDs(r Reader, kind Kind) (used map[int]bool, key string) {
	used = map[int]bool{}
	if kind == FactUser {
		users, _ := r.Users()
		for _, u := range users {
			used[u.UID] = true
		}
		return used, "UID"
	}
	groups, _ := r.Groups()
	for _, g := range groups {
		used[g.GID] = true
	}
	return used, "GID"
}

// AccountName says whether useradd and groupadd take the name. Debian's take almost everything.
func AccountName(r Reader, name string) bool {
	if name == "" || len(name) > 32 || strings.ContainsAny(name[:1], "-+~") || strings.ContainsAny(name, ":,\n") ||
		strings.ContainsFunc(name, unicode.IsSpace) {
		return false
	}
	if _, err := r.Stat("/etc/debian_version"); err == nil {
		return true
	}
	plain := func(c rune) bool {
		return c == '_' || c == '.' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return strings.IndexFunc(strings.TrimSuffix(name, "$"), func(c rune) bool { return !plain(c) }) < 0
}
