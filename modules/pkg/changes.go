package pkg

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// difference are Salt's changes between two looks at the database: {name: {old: version, new: version}}, sorted by
// name.
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

// effects are what the steps promise to later states in test mode: the packages, and that new ones may bring units and
// commands.
func effects(steps []Step) []host.Fact {
	var out []host.Fact
	brings := false
	for _, s := range sorted(steps) {
		f := host.Fact{Kind: host.FactPackage, Name: s.Name, Value: s.New}
		if s.Control != "" {
			f.Attrs = map[string]string{"control": s.Control}
		}
		if s.New == "" {
			f.Value, f.Attrs = absent, map[string]string{"purged": fmt.Sprint(s.Purged)}
		}
		brings = brings || s.Old == "" && s.New != ""
		out = append(out, f)
	}
	if brings {
		out = append(out, host.Fact{Kind: host.FactUnit, Name: "*", Value: "unknown"},
			host.Fact{Kind: host.FactCommand, Name: "*", Value: "unknown"})
	}
	return out
}

// absent is the value of the fact that a package would be removed.
const absent = "absent"
