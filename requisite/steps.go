package requisite

import "github.com/gostate/gostate/state"

// A Step is what the executor does next: run a state, or preview it because a state that has it as prereq must know whether it
// would change.
type Step struct {
	State int32 // place in the low state
	// Preview asks for a preview. All that the state requires has run, and what it has as prereq was previewed.
	Preview bool
	// Fresh says of a preview that nothing had to run for it. Then, as in Salt, the state's gates are judged first: if they hold
	// it back, it is finished with that (see Finish). Otherwise Salt previews the function whatever became of its requisites.
	Fresh bool
}

// Steps walks a plan in the order of the run. Without prereq, the steps are those of Plan.Order. With it, the order depends on
// what happens: a state that its preview finishes is over before its turn.
//
// Next may be called before the steps that it gave were carried out, but not before the last preview was.
type Steps struct {
	plan     *Plan
	finished []bool // states that ran, or were given as a step
	known    []bool // states that were previewed
	path     []stepFrame
	root     int32
	// ran and seen are, by set, how many of its first states are finished or known: the rest is looked at.
	ran, seen []int32
}

type stepFrame struct {
	state   int32
	preview bool
	target  int32 // place among the state's targets, then among PrereqOf
	member  int32 // place in the target's set
}

// Steps begins a walk. The plan must have no cycles.
func (p *Plan) Steps() *Steps {
	return &Steps{plan: p, finished: make([]bool, len(p.Low)), known: make([]bool, len(p.Low)),
		ran: make([]int32, len(p.Sets)), seen: make([]int32, len(p.Sets))}
}

// Finish tells that the preview of a state was its end: it is not run any more.
func (s *Steps) Finish(state int32) { s.finished[state] = true }

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
			s.root++
		}
		if int(s.root) == len(s.finished) {
			return Step{}, false
		}
		s.path = append(s.path, stepFrame{state: s.root})
	}
}

// advance goes one node down or up; ok is true when that makes a step.
func (s *Steps) advance() (step Step, ok bool) {
	f := &s.path[len(s.path)-1]
	if f.target == 0 && f.member == 0 && !s.unmet(f.state, f.preview) {
		return s.leave(true)
	}
	targets := s.plan.targets(f.state)
	for int(f.target) < len(targets) {
		t := &targets[f.target]
		if t.Set == NotFound || f.preview && late(t) {
			f.target++
			continue
		}
		set := s.plan.Sets[t.Set]
		f.member = max(f.member, s.ran[t.Set])
		for int(f.member) < len(set) {
			m := set[f.member]
			f.member++
			if !s.finished[m] {
				s.path = append(s.path, stepFrame{state: m, preview: t.Req.Kind == state.Prereq})
				return Step{}, false
			}
		}
		f.target, f.member = f.target+1, 0
	}
	if !f.preview {
		of := s.plan.PrereqOf[f.state]
		for int(f.target)-len(targets) < len(of) {
			a := of[int(f.target)-len(targets)]
			f.target++
			if !s.finished[a] {
				s.path = append(s.path, stepFrame{state: a})
				return Step{}, false
			}
		}
	}
	return s.leave(false)
}

// leave ends the node on top of the path.
func (s *Steps) leave(fresh bool) (step Step, ok bool) {
	f := s.path[len(s.path)-1]
	s.path = s.path[:len(s.path)-1]
	if s.finished[f.state] {
		return Step{}, false
	}
	if f.preview {
		s.known[f.state] = true
		return Step{State: f.state, Preview: true, Fresh: fresh}, true
	}
	s.finished[f.state] = true
	return Step{State: f.state}, true
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
		for _, a := range s.plan.PrereqOf[i] {
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

// late says of a target that a preview does not wait for it: Salt does not run what onfail_all names for a preview.
func late(t *Target) bool { return t.Req.Kind == state.Onfail && t.Req.Mode == state.Every }

// targets are the targets of all groups of the state, in the order in which they are walked.
func (p *Plan) targets(i int32) []Target { return p.flat[p.first[i]:p.first[i+1]] }
