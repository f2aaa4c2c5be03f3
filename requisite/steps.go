package requisite

import "github.com/gostate/gostate/state"

// A Step is what the executor does next: run a state, or preview it because a state that has it as prereq must know
// whether it would change.
type Step struct {
	State int32 // place in the low state
	// Preview asks for a preview. What the state requires has run, or waits for the state that asks; what it has as prereq
	// was previewed.
	Preview bool
	// Fresh says of a preview that nothing had to run for it. Then, as in Salt, the state's gates are judged first: if
	// they hold it back, it is finished with that (see Finish). Otherwise Salt previews the function whatever became of
	// its requisites.
	Fresh bool
	// Stuck says that the state waits for itself: it must fail.
	Stuck bool
	// Early asks whether the state, whose own requisites have run, fails by them or is not needed: then it is finished
	// (see Finish).
	// Otherwise it waits for the states that have it as prereq.
	Early bool
}

// Steps walks a plan in the order of the run. Without prereq, the steps are those of Plan.Order. With it, the order
// depends on what happens: a state that its preview finishes is over before its turn.
//
// With prereq, Salt's order is not that of any graph: a state that is some other's prereq may be entered a second time
// while it waits, as a preview that does not wait for the other; and one that a preview requires does not run while the
// state that asks waits for the preview. So this walks as Salt does, state by state, with the marks that Salt sets on
// the way.
// Salt differs: it runs a state twice that was entered twice to run.
//
// Next may be called before the steps that it gave were carried out, but not before the last preview was.
type Steps struct {
	plan     *Plan
	finished []bool // states that ran, or were given as a step
	known    []bool // states that were previewed
	asked    []bool // states that are to be previewed when they are entered next
	prior    []bool // states that another waits for because it is their prereq
	active   []int32
	onPath   []int8
	path     []stepFrame
	root     int32
	turn     int32 // what active is of the states that are
	rooted   int   // what changes, or done, was when the root was entered last; -1 for a new one
	changes  int   // how often finished, known, prior or active was set anew
	done     int   // the same without active
	// ran and seen are, by set, how many of its first states are finished or known: the rest is looked at.
	ran, seen []int32
}

type stepFrame struct {
	state   int32
	target  int32 // place among the state's targets, then among PrereqOf
	member  int32 // place in the target's set
	since   int   // what Steps.changes was when this pass began
	round   uint8 // how often the target was gone through before
	again   bool  // whether this is not the first pass
	early   bool  // whether the early step was given
	preview bool  // whether this pass is a preview's
}

// maxEntries is how often a state may be on the path: more means that it is entered for ever.
const maxEntries = 2

// Steps begins a walk. The plan must have no cycles.
func (p *Plan) Steps() *Steps {
	n, m := len(p.Low), len(p.Sets)
	return &Steps{plan: p, finished: make([]bool, n), known: make([]bool, n), asked: make([]bool, n),
		prior:  append(make([]bool, 0, n), p.prior...),
		rooted: -1,
		active: make([]int32, n), onPath: make([]int8, n), ran: make([]int32, m), seen: make([]int32, m)}
}

// Finish tells that the preview of a state was its end: it is not run any more.
func (s *Steps) Finish(state int32) { s.note(s.finished, state) }

// Puller is the state that needs the one of the last step first, NotFound when its own turn had come.
func (s *Steps) Puller() int32 {
	if len(s.path) == 0 {
		return NotFound
	}
	return s.path[len(s.path)-1].state
}

// Finished says whether the state was given as a step to run, or finished by its preview.
func (s *Steps) Finished(state int32) bool { return s.finished[state] }

// Next is the next step; ok is false at the end.
func (s *Steps) Next() (step Step, ok bool) {
	for {
		for len(s.path) > 0 {
			if step, ok := s.advance(); ok {
				return step, true
			}
		}
		for int(s.root) < len(s.finished) && s.finished[s.root] {
			s.root, s.rooted = s.root+1, -1
		}
		if int(s.root) == len(s.finished) {
			return Step{}, false
		}
		if s.enterRoot(); s.rooted < 0 {
			return s.stuck(s.root)
		}
	}
}

// enterRoot begins the turn of the root, or goes on with it. Where that would change nothing, rooted is -1.
// Salt differs: it fails a state when it comes a second time to what is active, though that does not wait for it.
func (s *Steps) enterRoot() {
	at := s.changes
	if !s.plan.knotted[s.root] {
		at = s.done
	}
	if s.rooted == at {
		s.rooted = -1
		return
	}
	if s.rooted < 0 || !s.plan.knotted[s.root] {
		s.turn++
	}
	s.rooted = at
	s.asked[s.root] = false
	s.enter(s.root)
}

// enter puts a state on the path. One that is no other's prereq is active until the turn of the root ends: what needs
// it then needs itself.
func (s *Steps) enter(i int32) {
	if len(s.plan.PrereqOf[i]) == 0 && s.active[i] != s.turn {
		s.active[i] = s.turn
		s.changes++
	}
	s.onPath[i]++
	s.path = append(s.path, stepFrame{state: i})
}

// pop takes the top off the path.
func (s *Steps) pop() stepFrame {
	f := s.path[len(s.path)-1]
	s.path = s.path[:len(s.path)-1]
	s.onPath[f.state]--
	return f
}

// advance goes one node down or up; ok is true when that makes a step.
func (s *Steps) advance() (step Step, ok bool) {
	f := &s.path[len(s.path)-1]
	if f.atStart() {
		switch f.preview = s.asked[f.state]; {
		case !s.unmet(f.state, f.preview):
			return s.leave(true)
		case f.again && f.since == s.changes, s.onPath[f.state] > maxEntries:
			return s.back()
		}
		f.since = s.changes
		s.mark(f)
	}
	next := s.target(f)
	if next == NotFound && !f.preview {
		if !f.early && s.plan.unlisted(f.state) && !s.unmet(f.state, true) {
			f.early = true
			return Step{State: f.state, Early: true}, true
		}
		next = s.before(f)
	}
	return s.visit(f, next)
}

func (f *stepFrame) atStart() bool { return f.target == 0 && f.member == 0 && f.round == 0 }

// visit goes on to the state that the one of the frame waits for, or ends the pass when there is none left.
func (s *Steps) visit(f *stepFrame, next int32) (step Step, ok bool) {
	switch {
	case f.early && s.finished[f.state]:
		s.pop()
	case next == NotFound && s.asked[f.state]:
		return s.leave(false)
	case next == NotFound:
		*f = stepFrame{state: f.state, since: f.since, again: true}
	case s.active[next] != s.turn:
		s.enter(next)
	case s.prior[next]: // it will run when that is done which asks for this
		s.pop()
	default:
		return s.back()
	}
	return Step{}, false
}

// back leaves a state that Salt finds waiting for itself. It is stuck if it does wait for itself.
// Salt differs: it fails also one that it came to on a detour, to run what a prereq names; that one has its turn later.
func (s *Steps) back() (step Step, ok bool) {
	if i := s.pop().state; s.plan.knotted[i] {
		return s.stuck(i)
	}
	return Step{}, false
}

// mark asks for the previews that a state needs, and notes what it waits for as their prereq.
func (s *Steps) mark(f *stepFrame) {
	targets := s.plan.targets(f.state)
	for i := range targets {
		if t := &targets[i]; t.Set != NotFound && t.Req.Kind == state.Prereq {
			for _, m := range s.plan.Sets[t.Set] {
				s.asked[m] = !s.finished[m]
			}
		}
	}
	if !f.preview {
		for _, a := range s.prereqOf(f.state) {
			s.note(s.prior, a)
		}
	}
}

// note sets a mark, and counts it when it is new.
func (s *Steps) note(marks []bool, i int32) {
	if !marks[i] {
		marks[i] = true
		s.changes++
		s.done++
	}
}

// target is the next state that the requisites of the frame's state name and that has not run, NotFound at their end.
// What a prereq names is gone through as often as Salt lists it: a state that was previewed is then entered to run.
func (s *Steps) target(f *stepFrame) int32 {
	for targets := s.plan.targets(f.state); int(f.target) < len(targets); f.member = 0 {
		t := &targets[f.target]
		if t.Set != NotFound && !(f.preview && late(t)) {
			if m := s.member(f, t.Set); m != NotFound {
				return m
			}
		}
		if f.round++; t.Req.Kind != state.Prereq || f.round > t.Req.Again {
			f.target, f.round = f.target+1, 0
		}
	}
	return NotFound
}

// member is the next state of a set that has not run.
func (s *Steps) member(f *stepFrame, in int32) int32 {
	set := s.plan.Sets[in]
	for f.member = max(f.member, s.ran[in]); int(f.member) < len(set); {
		m := set[f.member]
		if f.member++; !s.finished[m] {
			return m
		}
	}
	return NotFound
}

// before is the next state that has the frame's as its prereq and has not run.
func (s *Steps) before(f *stepFrame) int32 {
	for of, n := s.prereqOf(f.state), len(s.plan.targets(f.state)); int(f.target)-n < len(of); {
		a := of[int(f.target)-n]
		if f.target++; !s.finished[a] {
			return a
		}
	}
	return NotFound
}

// prereqOf are the states that have this one as prereq and that it waits for: those that Salt does not list only until
// it was previewed for one of them.
func (s *Steps) prereqOf(i int32) []int32 {
	if s.known[i] && s.plan.unlisted(i) {
		return nil
	}
	return s.plan.PrereqOf[i]
}

// unlisted says whether Salt does not list the states that have this one as prereq.
func (p *Plan) unlisted(i int32) bool {
	return len(p.PrereqOf[i]) > 0 && len(p.Low[i].Prerequired) == 0
}

// leave ends the state on top of the path with its preview, or its run.
func (s *Steps) leave(fresh bool) (step Step, ok bool) {
	i := s.pop().state
	switch {
	case s.finished[i]:
		return Step{}, false
	case s.asked[i]:
		s.asked[i] = false
		s.note(s.known, i)
		return Step{State: i, Preview: true, Fresh: fresh}, true
	}
	s.note(s.finished, i)
	return Step{State: i}, true
}

// stuck ends a state that waits for itself.
func (s *Steps) stuck(i int32) (step Step, ok bool) {
	if s.finished[i] {
		return Step{}, false
	}
	s.note(s.finished, i)
	return Step{State: i, Stuck: true}, true
}

// unmet says whether something must run or be previewed before the state, or its preview.
func (s *Steps) unmet(i int32, preview bool) bool {
	for k := range s.plan.targets(i) {
		t := &s.plan.targets(i)[k]
		switch {
		case t.Set == NotFound:
		case t.Req.Kind == state.Prereq:
			if !s.all(t.Set, s.seen, s.known) {
				return true
			}
		case !s.all(t.Set, s.ran, s.finished):
			return true
		}
	}
	if !preview {
		for _, a := range s.prereqOf(i) {
			if !s.finished[a] {
				return true
			}
		}
	}
	return false
}

// all says whether all states of the set are in the list; upTo remembers how many of the first are.
func (s *Steps) all(set int32, upTo []int32, in []bool) bool {
	members := s.plan.Sets[set]
	n := upTo[set]
	for int(n) < len(members) && (in[members[n]] || s.finished[members[n]]) {
		n++
	}
	upTo[set] = n
	return int(n) == len(members)
}

// late says of a target that a preview does not wait for it: Salt does not run what onfail_all names for a preview, and
// what has a prereq in a later stage is not to wait for itself.
func late(t *Target) bool {
	return t.Req.Kind == state.Staged || t.Req.Kind == state.Onfail && t.Req.Mode == state.Every
}

// targets are the targets of all groups of the state, in the order in which they are walked.
func (p *Plan) targets(i int32) []Target { return p.flat[p.first[i]:p.first[i+1]] }
