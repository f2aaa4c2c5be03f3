package pkg

import (
	"maps"
	"slices"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// difference are Salt's changes between two looks at the database: {name: {old: version, new: version}}, sorted by name.
func difference(before, after map[string]string) *value.Dict {
	all := maps.Clone(before)
	maps.Copy(all, after)
	out := value.NewDict(0)
	for _, n := range slices.Sorted(maps.Keys(all)) {
		if before[n] != after[n] {
			out.SetStr(n, change(before[n], after[n]))
		}
	}
	return out
}

func change(old, now string) *value.Dict {
	return value.DictOf("old", value.Str(old), "new", value.Str(now))
}

// foretold are the changes that a simulation tells, sorted by name.
func foretold(steps []Step) *value.Dict {
	out := value.NewDict(len(steps))
	for _, s := range sorted(steps) {
		out.SetStr(s.Name, change(s.Old, s.New))
	}
	return out
}

func sorted(steps []Step) []Step {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b Step) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
	return steps
}

// effects are what the steps promise to later states in test mode: the packages, and that new ones may bring services.
func effects(steps []Step) []host.Fact {
	var out []host.Fact
	brings := false
	for _, s := range sorted(steps) {
		f := host.Fact{Kind: host.FactPackage, Name: s.Name, Value: s.New}
		if s.New == "" {
			f.Value = absent
		}
		brings = brings || s.Old == "" && s.New != ""
		out = append(out, f)
	}
	if brings {
		out = append(out, host.Fact{Kind: host.FactUnit, Name: "*", Value: "unknown"})
	}
	return out
}

// absent is the value of the fact that a package would be removed.
const absent = "absent"

// unpromised drops the steps that an earlier state promised already: a dependency that two states share comes once.
func unpromised(h host.Reader, steps []Step) []Step {
	var out []Step
	for _, s := range steps {
		if f, ok := h.Fact(host.FactPackage, s.Name); ok && (f.Value == s.New || f.Value == absent && s.New == "") {
			continue
		}
		out = append(out, s)
	}
	return out
}

// versionNow is the version as test mode sees it: what an earlier state promised, else what is installed.
func versionNow(h host.Reader, db *Database, name string) (version string, promised bool) {
	if f, ok := h.Fact(host.FactPackage, db.Normalize(name)); ok {
		if f.Value == absent {
			return "", true
		}
		return f.Value, true
	}
	return db.Version(name), false
}
