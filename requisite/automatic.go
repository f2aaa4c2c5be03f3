package requisite

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
)

// automatics find what states stand on without saying so: an index of what states make, by which each need is one
// look-up, or one for each directory above a path.
type automatics struct {
	plan   *Plan
	relate func(i int, r *state.Relations)
	rel    state.Relations // of the state that is looked at
	makers map[state.Thing]int32
	made   []maker // what makers points to: the first of a list
	mounts bool    // some state mounts something
	needs  int     // how many there are
	// sole are the packages of an SLS that has one state of them only, NotFound for more.
	sole map[string]int32
	// reqs are the requisites made so far: equal ones are one.
	reqs map[reqKey]*state.Requisite
}

// A maker is a state of a list, which is in chunk order.
type maker struct {
	low, next int32 // next: place in made, NotFound for the end
	// last, of the first of a list, is the place of its last; set is the list's set of the plan, NotFound until it is
	// asked for.
	last, set int32
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
	a := &automatics{plan: p, relate: relate, makers: make(map[state.Thing]int32, len(p.Low)), sole: map[string]int32{},
		made: make([]maker, 0, len(p.Low)), reqs: map[reqKey]*state.Requisite{}}
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
	a.list(t, i)
}

// list puts a state in the list of a thing, once.
func (a *automatics) list(t state.Thing, i int32) int32 {
	at, ok := a.makers[t]
	n := int32(len(a.made))
	switch {
	case !ok:
		at = n
		a.makers[t] = at
	case a.made[a.made[at].last].low == i:
		return at
	default:
		a.made[a.made[at].last].next = n
		a.made[at].last = n
	}
	a.made = append(a.made, maker{low: i, next: NotFound, last: n, set: NotFound})
	return at
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
	switch {
	case a == nil:
		return 0
	case a.mounts: // a folder may be made and mounted on
		return 2 * a.needs
	}
	return a.needs
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
			t := Target{Set: a.setFor(list, int32(l.Index), said, n)}
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
		return [2]int32{a.lookUp(state.Thing{Kind: state.ThingPath, Name: n.Name}), NotFound}
	case n.Tie == state.TiePackage:
		return [2]int32{a.packaged(n.Name, l), NotFound}
	case n.Tie.Thing() == state.ThingPath:
		return a.nearest(n.Name, n.Tie != state.TieDirectory, int32(l.Index))
	}
	return [2]int32{a.lookUp(state.Thing{Kind: n.Tie.Thing(), Name: n.Name}), NotFound}
}

// lookUp is the list of a thing, NotFound where nobody makes it.
func (a *automatics) lookUp(t state.Thing) int32 {
	if at, ok := a.makers[t]; ok {
		return at
	}
	return NotFound
}

// nearest is what makes the path or, where nothing does, the nearest one above it. What the state makes itself is
// passed over.
func (a *automatics) nearest(p string, itself bool, self int32) [2]int32 {
	for ; ; p, itself = above(p), true {
		if itself {
			found := [2]int32{a.lookUp(state.Thing{Kind: state.ThingPath, Name: p}), NotFound}
			if a.mounts {
				found[1] = a.lookUp(state.Thing{Kind: state.ThingMount, Name: p})
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

// above is the directory of a path that is clean.
func above(p string) string { return p[:max(1, strings.LastIndexByte(p, '/'))] }

// others says whether the list has another state than this one.
func (a *automatics) others(list, self int32) bool {
	return list != NotFound && (a.made[list].next != NotFound || a.made[list].low != self)
}

// packaged is the package of the name in the SLS of the state or, where there is none, the only one of the SLS.
func (a *automatics) packaged(name string, l *state.Low) int32 {
	if at := a.lookUp(inSLS(state.Thing{Kind: state.ThingPackage, Name: name}, l)); at != NotFound {
		return at
	}
	all := inSLS(state.Thing{Kind: state.ThingPackage}, l)
	i, ok := a.sole[all.Name]
	if !ok || i == NotFound {
		return NotFound
	}
	return a.list(all, i)
}

// setFor is the set of a list, without the state itself and what it names as a requisite of any kind: that says more.
// What comes in a later run stage is left out.
func (a *automatics) setFor(list, self int32, said []Target, n state.Need) int32 {
	if a.made[list].set == NotFound {
		a.made[list].set = a.add(a.members(list))
	}
	members := a.plan.Sets[a.made[list].set]
	out := func(m int32) bool {
		return m == self || a.plan.stages.later(m, int(self)) ||
			slices.ContainsFunc(said, func(t Target) bool { return t.Set != NotFound && a.in(t.Set, m) })
	}
	if !slices.ContainsFunc(members, out) {
		return a.made[list].set
	}
	for _, m := range members {
		if a.plan.stages.later(m, int(self)) {
			e := Edge{From: self, To: m, Req: a.requisite(a.made[list].set, n)}
			if !slices.Contains(a.plan.LeftOut, e) {
				a.plan.LeftOut = append(a.plan.LeftOut, e)
			}
		}
	}
	if members = slices.DeleteFunc(slices.Clone(members), out); len(members) == 0 {
		return NotFound
	}
	return a.add(members)
}

func (a *automatics) members(list int32) (out []int32) {
	for at := list; at != NotFound; at = a.made[at].next {
		out = append(out, a.made[at].low)
	}
	return out
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
