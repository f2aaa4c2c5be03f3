package requisite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/fnmatch"
)

// An index finds the states that a reference means without looking at all of them. Bare IDs, SLS names and patterns
// have tables of their own, made when first asked for.
type index struct {
	low   []*state.Low
	lists [][]int32 // states in chunk order, what the tables point to
	exact map[state.Ref]int32
	// bare and bySLS say that these tables are part of exact.
	bare, bySLS, byStage, byResource bool
	stages                           *stages // nil without run stages
	patterns                         map[state.Ref]int32
	// queries are the lists of references that are queries; catalog finds them.
	queries map[state.Ref]int32
	catalog *state.Catalog
	sorted  map[string][]entry // by module: all IDs and names, sorted
}

type entry struct {
	text string
	low  int32
}

func newIndex(low []*state.Low) *index {
	x := &index{low: low, exact: map[state.Ref]int32{}, patterns: map[state.Ref]int32{}}
	if !slices.ContainsFunc(low, func(l *state.Low) bool { return len(l.Reqs)+len(l.In) > 0 }) {
		return x // no exact name will be asked for
	}
	x.exact, x.lists = make(map[state.Ref]int32, len(low)+len(low)/2), make([][]int32, 0, len(low))
	x.addNames()
	return x
}

// addNames lists the states by their IDs, names and aliases.
func (x *index) addNames() {
	for i, l := range x.low {
		x.add(state.Ref{Module: l.Module, Target: l.ID}, int32(i))
		x.add(state.Ref{Module: l.Module, Target: l.Name}, int32(i))
		for _, a := range l.Meta().Aliases {
			x.add(state.Ref{Module: l.Module, Target: a}, int32(i))
		}
	}
}

// add puts the state in the list of the reference, once.
func (x *index) add(ref state.Ref, i int32) {
	at, ok := x.exact[ref]
	if !ok {
		x.exact[ref] = int32(len(x.lists))
		x.lists = append(x.lists, []int32{i})
		return
	}
	if l := x.lists[at]; l[len(l)-1] != i {
		x.lists[at] = append(l, i)
	}
}

// find is the list that the reference means, NotFound when it means none.
func (x *index) find(ref state.Ref) int32 {
	switch ref.Module {
	case "puppet":
		if at := x.resource(ref); at != NotFound {
			return at
		}
	case "id":
		x.addBare()
	case "sls":
		x.addSLS()
	case "stage":
		x.addStages()
	}
	if fnmatch.HasMeta(ref.Target) {
		if at := x.match(ref); at != NotFound {
			return at
		}
	} else if at, ok := x.exact[ref]; ok {
		return at
	}
	return x.query(ref)
}

// query is the list of a reference that is a query, as none is that any name is like.
func (x *index) query(ref state.Ref) int32 {
	if at, ok := x.queries[ref]; ok {
		return at
	}
	if !ref.IsQuery() {
		return NotFound
	}
	if x.catalog == nil {
		x.catalog, x.queries = state.NewCatalog(x.low), map[state.Ref]int32{}
	}
	at := NotFound
	if found := x.catalog.Find(ref); len(found) > 0 {
		at = int32(len(x.lists))
		x.lists = append(x.lists, found)
	}
	x.queries[ref] = at
	return at
}

// others is a list of a query without the declaration of the state that has it: none is in its own collector.
func (x *index) others(ref state.Ref, at int32, l *state.Low) int32 {
	if q, ok := x.queries[ref]; !ok || at == NotFound || q != at {
		return at
	}
	own := func(i int32) bool { return x.low[i].ID == l.ID && x.low[i].Module == l.Module }
	if !slices.ContainsFunc(x.lists[at], own) {
		return at
	}
	rest := slices.DeleteFunc(slices.Clone(x.lists[at]), own)
	if len(rest) == 0 {
		return NotFound
	}
	x.lists = append(x.lists, rest)
	return int32(len(x.lists)) - 1
}

// resource is the list of the states that a resource of a Puppet catalog stands for. References are no patterns.
// States of a module that a tree calls puppet come behind them.
func (x *index) resource(ref state.Ref) int32 {
	if !x.byResource {
		x.byResource = true
		for i, l := range x.low {
			for _, r := range l.Meta().Within {
				x.add(state.Ref{Module: "puppet", Target: state.PuppetKey(r)}, int32(i))
			}
		}
	}
	if at, ok := x.exact[state.Ref{Module: "puppet", Target: state.PuppetKey(ref.Target)}]; ok {
		return at
	}
	return NotFound
}

func (x *index) addBare() {
	if x.bare {
		return
	}
	x.bare = true
	for i, l := range x.low {
		x.add(state.Ref{Module: "id", Target: l.ID}, int32(i))
		x.add(state.Ref{Module: "id", Target: l.Name}, int32(i))
		for _, a := range l.Meta().Aliases {
			x.add(state.Ref{Module: "id", Target: a}, int32(i))
		}
	}
}

func (x *index) addSLS() {
	if x.bySLS {
		return
	}
	x.bySLS = true
	for i, l := range x.low {
		x.add(state.Ref{Module: "sls", Target: l.SLS}, int32(i))
	}
}

func (x *index) addStages() {
	if x.byStage || x.stages == nil {
		return
	}
	x.byStage = true
	for i := range x.low {
		x.add(state.Ref{Module: "stage", Target: x.stages.name(i)}, int32(i))
	}
	for _, name := range x.stages.names { // one without states is there, too
		if ref := (state.Ref{Module: "stage", Target: name}); !x.has(ref) {
			x.exact[ref] = int32(len(x.lists))
			x.lists = append(x.lists, nil)
		}
	}
}

func (x *index) has(ref state.Ref) bool { _, ok := x.exact[ref]; return ok }

// match finds the states of a pattern: only names that begin as the pattern does are compared.
func (x *index) match(ref state.Ref) int32 {
	if at, ok := x.patterns[ref]; ok {
		return at
	}
	names := x.names(ref.Module)
	prefix := ref.Target[:strings.IndexAny(ref.Target, "*?[")]
	from, _ := slices.BinarySearchFunc(names, prefix, func(e entry, p string) int { return cmp.Compare(e.text, p) })
	p := fnmatch.Compile(ref.Target)
	var found []int32
	for _, e := range names[from:] {
		if !strings.HasPrefix(e.text, prefix) {
			break
		}
		if p.Match(e.text) {
			found = append(found, e.low)
		}
	}
	at := NotFound
	if found != nil {
		slices.Sort(found)
		at = int32(len(x.lists))
		x.lists = append(x.lists, slices.Compact(found))
	}
	x.patterns[ref] = at
	return at
}

// names are the IDs and names of a module's states ("id": of all, "sls": SLS names, "stage": run stages), sorted.
func (x *index) names(module string) []entry {
	if es, ok := x.sorted[module]; ok {
		return es
	}
	if x.sorted == nil {
		x.sorted = map[string][]entry{}
	}
	var es []entry
	for i, l := range x.low {
		switch {
		case module == "sls":
			es = append(es, entry{l.SLS, int32(i)})
		case module == "stage":
			es = append(es, entry{x.stages.name(i), int32(i)})
		case module == "puppet":
			for _, r := range l.Meta().Within {
				es = append(es, entry{r, int32(i)})
			}
		case module == "id" || module == l.Module:
			es = append(es, entry{l.ID, int32(i)})
			if l.Name != l.ID {
				es = append(es, entry{l.Name, int32(i)})
			}
			for _, a := range l.Meta().Aliases {
				es = append(es, entry{a, int32(i)})
			}
		}
	}
	slices.SortStableFunc(es, func(a, b entry) int { return cmp.Compare(a.text, b.text) })
	x.sorted[module] = es
	return es
}
