package requisite

import (
	"path"
	"slices"

	"github.com/gostate/gostate/state"
)

// automatics find what states stand on without saying so: an index of what states make, by which each need is one
// look-up, or one for each directory above a path.
type automatics struct {
	plan   *Plan
	relate func(i int, r *state.Relations)
	rel    state.Relations // of the state that is looked at
	makers map[state.Thing]int32
	lists  [][]int32 // states in chunk order, what makers points to
	sets   []int32   // list -> set of the plan, NotFound until it is asked for
	mounts bool      // some state mounts something
	needs  int       // how many there are
	// sole are the packages of an SLS that has one state of them only, NotFound for more.
	sole map[string]int32
	// reqs are the requisites made so far: equal ones are one.
	reqs map[reqKey]*state.Requisite
}

type reqKey struct {
	set int32
	tie state.Tie
}

// newAutomatics asks all states what they make; it is nil where no state makes anything.
func newAutomatics(p *Plan, relate func(i int, r *state.Relations)) *automatics {
	if relate == nil {
		return nil
	}
	a := &automatics{plan: p, relate: relate, makers: map[state.Thing]int32{}, sole: map[string]int32{},
		reqs: map[reqKey]*state.Requisite{}}
	for i := range p.Low {
		a.rel.Reset()
		relate(i, &a.rel)
		a.needs += len(a.rel.Needs)
		for _, t := range a.rel.Makes {
			a.make(t, int32(i))
		}
	}
	if len(a.makers) == 0 {
		return nil
	}
	return a
}

// make puts a state in the list of a thing, once.
func (a *automatics) make(t state.Thing, i int32) {
	switch t.Kind {
	case state.ThingPackage:
		t = inSLS(t, a.plan.Low[i])
		a.addSole(i)
	case state.ThingMount:
		a.mounts = true
	}
	at, ok := a.makers[t]
	if !ok {
		a.makers[t] = int32(len(a.lists))
		a.lists, a.sets = append(a.lists, []int32{i}), append(a.sets, NotFound)
		return
	}
	if l := a.lists[at]; l[len(l)-1] != i {
		a.lists[at] = append(l, i)
	}
}

// inSLS is a thing that is there for the states of one SLS only.
func inSLS(t state.Thing, l *state.Low) state.Thing {
	t.Name = l.Env + "\x00" + l.SLS + "\x00" + t.Name
	return t
}

// addSole notes a state that makes packages as that of its SLS.
func (a *automatics) addSole(i int32) {
	all := inSLS(state.Thing{Kind: state.ThingPackage}, a.plan.Low[i])
	if of, ok := a.sole[all.Name]; !ok || of == i {
		a.sole[all.Name] = i
	} else {
		a.sole[all.Name] = NotFound
	}
}

// room is how many targets there may be.
func (a *automatics) room() int {
	if a == nil {
		return 0
	}
	return 2 * a.needs
}

// group appends the automatic group of a state, whose other groups are there, to the slab.
func (a *automatics) group(slab []Group, l *state.Low) []Group {
	if a == nil {
		return slab
	}
	a.rel.Reset()
	a.relate(l.Index, &a.rel)
	said, from := a.plan.flat[a.plan.first[l.Index]:], len(a.plan.flat)
	for _, n := range a.rel.Needs {
		for _, list := range a.find(n, l) {
			if list == NotFound {
				continue
			}
			t := Target{Set: a.setFor(list, int32(l.Index), said)}
			if t.Set == NotFound || slices.ContainsFunc(a.plan.flat[from:], func(o Target) bool { return o.Set == t.Set }) {
				continue
			}
			t.Req = a.requisite(t.Set, n)
			a.plan.flat = append(a.plan.flat, t)
		}
	}
	if len(a.plan.flat) == from {
		return slab
	}
	return append(slab, Group{Kind: state.Require, Mode: state.Automatic,
		Targets: a.plan.flat[from:len(a.plan.flat):len(a.plan.flat)]})
}

// find are the lists of what a state needs: of one need at most two, where a folder is made and mounted on.
func (a *automatics) find(n state.Need, l *state.Low) [2]int32 {
	switch {
	case n.Tie == state.TieFolder:
		return [2]int32{a.list(state.Thing{Kind: state.ThingPath, Name: n.Name}), NotFound}
	case n.Tie == state.TiePackage:
		return [2]int32{a.packaged(n.Name, l), NotFound}
	case n.Tie.Thing() == state.ThingPath:
		return a.nearest(n.Name, n.Tie != state.TieDirectory, int32(l.Index))
	}
	return [2]int32{a.list(state.Thing{Kind: n.Tie.Thing(), Name: n.Name}), NotFound}
}

func (a *automatics) list(t state.Thing) int32 {
	if at, ok := a.makers[t]; ok {
		return at
	}
	return NotFound
}

// nearest is what makes the path or, where nothing does, the nearest one above it. What the state makes itself is
// passed over.
func (a *automatics) nearest(p string, itself bool, self int32) [2]int32 {
	for ; ; p, itself = path.Dir(p), true {
		if itself {
			found := [2]int32{a.list(state.Thing{Kind: state.ThingPath, Name: p}), NotFound}
			if a.mounts {
				found[1] = a.list(state.Thing{Kind: state.ThingMount, Name: p})
			}
			if a.others(found[0], self) || a.others(found[1], self) {
				return found
			}
		}
		if p == "/" {
			return [2]int32{NotFound, NotFound}
		}
	}
}

// others says whether the list has another state than this one.
func (a *automatics) others(list, self int32) bool {
	return list != NotFound && (len(a.lists[list]) > 1 || a.lists[list][0] != self)
}

// packaged is the package of the name in the SLS of the state or, where there is none, the only one of the SLS.
func (a *automatics) packaged(name string, l *state.Low) int32 {
	if at := a.list(inSLS(state.Thing{Kind: state.ThingPackage, Name: name}, l)); at != NotFound {
		return at
	}
	all := inSLS(state.Thing{Kind: state.ThingPackage}, l)
	i, ok := a.sole[all.Name]
	if !ok || i == NotFound {
		return NotFound
	}
	at, ok := a.makers[all]
	if !ok {
		at = int32(len(a.lists))
		a.makers[all] = at
		a.lists, a.sets = append(a.lists, []int32{i}), append(a.sets, NotFound)
	}
	return at
}

// setFor is the set of a list, without the state itself and what it names as a requisite of any kind: that says more.
func (a *automatics) setFor(list, self int32, said []Target) int32 {
	members := a.lists[list]
	out := func(m int32) bool {
		return m == self || slices.ContainsFunc(said, func(t Target) bool { return t.Set != NotFound && a.in(t.Set, m) })
	}
	switch {
	case slices.ContainsFunc(members, out):
		if members = slices.DeleteFunc(slices.Clone(members), out); len(members) == 0 {
			return NotFound
		}
		return a.add(members)
	case a.sets[list] == NotFound:
		a.sets[list] = a.add(members)
	}
	return a.sets[list]
}

func (a *automatics) in(set, m int32) bool {
	_, ok := slices.BinarySearch(a.plan.Sets[set], m)
	return ok
}

// add makes a set of the plan.
func (a *automatics) add(members []int32) int32 {
	a.plan.Sets = append(a.plan.Sets, members)
	return int32(len(a.plan.Sets)) - 1
}

// requisite is what stands for a need where messages show requisites.
func (a *automatics) requisite(set int32, n state.Need) *state.Requisite {
	k := reqKey{set, n.Tie}
	if q := a.reqs[k]; q != nil {
		return q
	}
	first := a.plan.Low[a.plan.Sets[set][0]]
	q := &state.Requisite{Kind: state.Require, Mode: state.Automatic, Tie: n.Tie,
		To: state.Ref{Module: first.Module, Target: first.ID}}
	a.reqs[k] = q
	return q
}
