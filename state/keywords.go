package state

import "slices"

// A reqKey is one requisite argument: what it means, and whether it points the other way.
type reqKey struct {
	name string
	kind Kind
	mode Mode
	in   bool // require_in and its like: the target gets the requisite
	// free: it is one only where its value is a list or a map, and where its function has no argument of the name.
	free bool
}

// freeKeys are the names that Puppet has for relationships and Salt does not. They come last.
var freeKeys = [...]reqKey{
	{"subscribe", Subscribe, All, false, true},
	{"before", Require, All, true, true},
	{"notify", Subscribe, All, true, true},
}

// reqKeys are all requisite arguments, those of a state in the order in which they are walked.
func reqKeys() []reqKey {
	keys := make([]reqKey, 0, 2*len(kinds)+len(freeKeys))
	for _, r := range kinds {
		if r.Kind != Subscribe {
			keys = append(keys, reqKey{r.Key, r.Kind, r.Mode, false, false})
		}
	}
	for _, r := range kinds {
		if r.In {
			keys = append(keys, reqKey{r.Key + "_in", r.Kind, r.Mode, true, false})
		}
	}
	return append(keys, freeKeys[:]...)
}

// reqKeyOf finds the requisite argument of the name.
func reqKeyOf(name string) (reqKey, bool) {
	// A switch on the first letters keeps the common case, no requisite, off the table.
	switch {
	case len(name) < 3:
		return reqKey{}, false
	case name[:2] == "re", name[:2] == "wa", name[:2] == "pr", name[:2] == "on", name[:2] == "li", name[:2] == "us",
		name[:2] == "su", name[:2] == "be", name[:2] == "no":
		for _, k := range requisiteKeys {
			if k.name == name {
				return k, true
			}
		}
	}
	return reqKey{}, false
}

// requisiteKeys is reqKeys, made once; nobody writes it.
var requisiteKeys = reqKeys()

// merges says whether extend appends to the argument instead of replacing it.
func (k reqKey) merges() bool { return k.free || !k.in && k.kind != Use }

// IsRequisite says whether the name is that of a requisite argument: "require", "watch_in".
func IsRequisite(name string) bool { _, ok := reqKeyOf(name); return ok }

// Key is the name of a requisite in an SLS file: "onfail_all".
func (k Kind) Key(m Mode) string { return KindOf(k, m).Key }

// String is the kind's name: "require".
func (k Kind) String() string { return k.Key(All) }

// runtimeArgs are the arguments that every state takes and no function sees, besides requisites.
func runtimeArgs() []string {
	return []string{
		"aggregate", "check_cmd", "cmd_opts_exclude", "creates", "failhard", "fire_event", "fun", "name", "names", "onlyif",
		"order", "parallel",
		"reload_grains", "reload_modules", "reload_pillar", "retry", "runas", "runas_password", "saltenv", "state", "timeout",
		"umask", "unless",
	}
}

// GlobalArgs are the names of all arguments that every state takes, sorted: for hints about unknown arguments.
func GlobalArgs() []string {
	out := append(runtimeArgs(), metaKeys()...)
	for _, k := range requisiteKeys {
		out = append(out, k.name)
	}
	slices.Sort(out)
	return out
}
