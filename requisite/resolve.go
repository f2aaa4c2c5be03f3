package requisite

import (
	"slices"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

func resolve(low []*state.Low, opts Options) (*Plan, *diag.List) {
	p := &Plan{Low: low, Groups: make([][]Group, len(low)), PrereqOf: make([][]int32, len(low)),
		knotted: make([]bool, len(low)), prior: make([]bool, len(low))}
	r := &resolver{plan: p, opts: opts, diags: &diag.List{}, index: newIndex(low), setOf: map[int32]int32{}}
	p.stages = newStages(low, opts.Stages)
	r.index.stages = p.stages
	r.turnRound()
	r.auto = newAutomatics(p, opts.Relate)
	r.groups()
	r.prereqs()
	r.listeners()
	r.misplaced()
	r.tellUnjudged()
	w := r.walk()
	p.Cycles = w.cycles()
	for i := range p.Cycles {
		r.diags.Add(p.Diagnose(&p.Cycles[i]))
	}
	r.diags.Sort()
	return p, r.diags
}

// walk finds the order of the run, and the knots that keep it from running.
func (r *resolver) walk() *walk {
	p := r.plan
	w := newWalk(p)
	w.run()
	if r.auto != nil && p.untie(w, r.prereq) {
		w = newWalk(p)
		w.run()
	}
	if !r.prereq {
		return w
	}
	w.knots = p.walkAsSalt(w.knots)
	if r.auto == nil {
		return w
	}
	// Where prereqs are knotted, and yet can run as Salt walks, what is automatic may be one too many.
	for _, of := range [][][]int32{w.knots, nil} {
		if len(w.knots) > 0 && p.dropAutomatic(of) {
			w = newWalk(p)
			w.run()
			w.knots = p.walkAsSalt(w.knots)
		}
	}
	return w
}

type resolver struct {
	plan  *Plan
	opts  Options
	diags *diag.List
	index *index
	// virtual is the index of Options.Virtual, nil until it is asked for.
	virtual *index
	// turned are the targets that states have because others say so with before or notify, by Index.
	turned map[int32][]Target
	setOf  map[int32]int32 // candidate list of the index -> place in plan.Sets
	// hinted counts the missing targets for which a near name was sought.
	hinted int
	// prereq says that some state has a prereq.
	prereq bool
	// unjudged counts the missing targets that were not reported, see Options.Incomplete.
	unjudged int
	auto     *automatics // nil without automatic relationships
}

// groups finds the targets of every state.
func (r *resolver) groups() {
	p := r.plan
	nTargets, nGroups := 0, 0
	for _, l := range p.Low {
		nTargets += len(l.Reqs)
		nGroups += kindsOf(l)
	}
	r.plan.flat = make([]Target, 0, nTargets+r.auto.room())
	r.plan.first = make([]int32, len(p.Low)+1)
	if r.auto != nil {
		nGroups += len(p.Low)
	}
	slab := make([]Group, 0, nGroups)
	for i, l := range p.Low {
		r.plan.first[i] = int32(len(r.plan.flat))
		from := len(slab)
		slab = r.auto.group(r.groupsOf(slab, l), l)
		if len(slab) > from {
			p.Groups[i] = slab[from:len(slab):len(slab)]
		}
	}
	r.plan.first[len(p.Low)] = int32(len(r.plan.flat))
}

// kindsOf is how many groups the state has at most.
func kindsOf(l *state.Low) int {
	n := 0
	for i := range l.Reqs {
		if i == 0 || l.Reqs[i].Kind != l.Reqs[i-1].Kind || l.Reqs[i].Mode != l.Reqs[i-1].Mode {
			n++
		}
	}
	return n
}

// groupsOf appends the groups of one state to the slab, which has room for them.
func (r *resolver) groupsOf(slab []Group, l *state.Low) []Group {
	slab = r.staged(slab, l)
	turned := r.turned[int32(l.Index)]
	if len(l.Reqs)+len(turned) == 0 {
		return slab
	}
	downgrade := r.opts.HasModWatch != nil && !r.opts.HasModWatch(l.Module)
	if len(turned) == 0 && !(downgrade && hasWatch(l)) {
		for i := 0; i < len(l.Reqs); {
			j := i + 1
			for j < len(l.Reqs) && l.Reqs[j].Kind == l.Reqs[i].Kind && l.Reqs[j].Mode == l.Reqs[i].Mode {
				j++
			}
			slab = r.group(slab, l.Reqs[i].Kind, l.Reqs[i].Mode, func(yield func(Target)) {
				for k := i; k < j; k++ {
					yield(r.target(l, &l.Reqs[k]))
				}
			})
			i = j
		}
		return slab
	}
	// A watch of a module that does not react is a require, walked after those that were written.
	as := func(k state.Kind) state.Kind {
		if downgrade && (k == state.Watch || k == state.Subscribe) {
			return state.Require
		}
		return k
	}
	for _, row := range state.Kinds() {
		slab = r.group(slab, row.Kind, row.Mode, func(yield func(Target)) {
			for _, written := range []bool{true, false} {
				is := func(q *state.Requisite) bool {
					return as(q.Kind) == row.Kind && q.Mode == row.Mode && written == (q.Kind == row.Kind)
				}
				for k := range l.Reqs {
					if q := &l.Reqs[k]; is(q) {
						yield(r.target(l, q))
					}
				}
				for _, t := range turned {
					if is(t.Req) {
						yield(t)
					}
				}
			}
		})
	}
	return slab
}

// target is what a requisite of the state stands for. One that is against the run stages is reported, and stands for
// nothing.
func (r *resolver) target(l *state.Low, q *state.Requisite) Target {
	t := Target{Req: q, Set: r.find(l, q)}
	if r.against(l, &t) {
		r.fights(l, &t)
		t.Set = NotFound
	}
	return t
}

func hasWatch(l *state.Low) bool {
	for i := range l.Reqs {
		if k := l.Reqs[i].Kind; k == state.Watch || k == state.Subscribe {
			return true
		}
	}
	return false
}

// group appends one group with the targets that each gives, if there are any.
func (r *resolver) group(slab []Group, k state.Kind, m state.Mode, each func(func(Target))) []Group {
	if k == state.Listen || k == state.Use {
		return slab
	}
	from := len(r.plan.flat)
	each(func(t Target) { r.plan.flat = append(r.plan.flat, t) })
	if len(r.plan.flat) == from {
		return slab
	}
	return append(slab, Group{Kind: k, Mode: m, Targets: r.plan.flat[from:len(r.plan.flat):len(r.plan.flat)]})
}

// find is the set that the requisite stands for.
func (r *resolver) find(l *state.Low, q *state.Requisite) int32 {
	c := r.index.others(q.To, r.index.find(q.To), l)
	if c == NotFound {
		r.missing(l, q)
		return NotFound
	}
	return r.set(c)
}

// set is the set of a list of the index.
func (r *resolver) set(c int32) int32 {
	if s, ok := r.setOf[c]; ok {
		return s
	}
	s := int32(len(r.plan.Sets))
	r.plan.Sets = append(r.plan.Sets, r.index.lists[c])
	r.setOf[c] = s
	return s
}

// prereqs notes for every state which others have it as prereq.
//
// Salt lists them in the state where it finds it by the name that the requisite gives: not by a pattern, and not by one
// of `names`. Where it lists some, these are what the state waits for; where it lists none, it calls the requisite
// recursive when the state's turn comes.
// Salt differs: then the state waits for all that have it as prereq, in chunk order.
func (r *resolver) prereqs() {
	p := r.plan
	for i := range p.Low {
		for _, g := range p.Groups[i] {
			if g.Kind != state.Prereq {
				continue
			}
			r.prereq = true
			for _, t := range g.Targets {
				if t.Set == NotFound {
					continue
				}
				for _, b := range p.Sets[t.Set] {
					if of := p.PrereqOf[b]; len(of) == 0 || of[len(of)-1] != int32(i) {
						p.PrereqOf[b] = append(of, int32(i))
					}
				}
			}
		}
	}
	for b, l := range p.Low {
		if len(l.Prerequired) > 0 {
			p.PrereqOf[b] = r.listed(l)
			r.prereq = true
		}
	}
}

// listed are the states that Salt lists as having this one as prereq. One that was excluded is missing.
func (r *resolver) listed(l *state.Low) []int32 {
	var out []int32
	for _, q := range l.Prerequired {
		req := &state.Requisite{Kind: state.Prereq, To: state.Ref{Module: q.Module, Target: q.Target}, Pos: q.Pos}
		set := r.find(l, req)
		if set == NotFound {
			lost := Group{Kind: state.Prereq, Targets: []Target{{Req: req, Set: NotFound}}}
			r.plan.Groups[l.Index] = append(slices.Clip(r.plan.Groups[l.Index]), lost)
			continue
		}
		for _, a := range r.plan.Sets[set] {
			against := r.plan.stages != nil && r.plan.prereqOn(a, int32(l.Index)) == nil // it was reported
			if int(a) != l.Index && !slices.Contains(out, a) && !against {
				out = append(out, a)
			}
		}
	}
	return out
}
