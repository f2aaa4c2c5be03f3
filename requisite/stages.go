package requisite

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// stages are the run stages of a plan: all states of one come before those of the next. Each stage is one set, and a
// state waits for the set of the stage before its own, so that they cost no more than there are states.
type stages struct {
	names []string
	of    []int32 // by Low.Index
	// loose says of a stage that all its states are handlers of failures: they do not fail when an earlier stage does, so
	// what comes later looks at that, too.
	loose []bool
	// waits is what the states of a stage wait for, by stage; those of handlers do not look at failures.
	waits, order [][]Target
	// bounds are the first and the last stage of the states of a set.
	bounds map[int32][2]int32
}

// Stages are the run stages in their order, nil where there are none.
func (p *Plan) Stages() []string {
	if p.stages == nil {
		return nil
	}
	return p.stages.names
}

// StageOf is the run stage of a state by Index, "" where there are none.
func (p *Plan) StageOf(i int) string {
	return p.stages.name(i)
}

// name is the stage of a state by Index.
func (s *stages) name(i int) string {
	if s == nil {
		return ""
	}
	return s.names[s.of[i]]
}

// later says whether a state is in a later stage than another: what it says of that one is reported.
func (s *stages) later(a int32, than int) bool { return s != nil && s.of[a] > s.of[than] }

// newStages finds the stage of each state; nil where no stages are configured.
func newStages(low []*state.Low, names []string) *stages {
	if len(names) == 0 {
		return nil
	}
	s := &stages{names: names, of: make([]int32, len(low)), bounds: map[int32][2]int32{},
		loose: make([]bool, len(names)), waits: make([][]Target, len(names)), order: make([][]Target, len(names))}
	number := make(map[string]int32, len(names))
	for i, n := range names {
		number[n], s.loose[i] = int32(i), true
	}
	for i, l := range low {
		if n := l.Meta().Stage; n != "" {
			s.of[i] = number[n]
		} else {
			s.of[i] = number[state.MainStage]
		}
		s.loose[s.of[i]] = s.loose[s.of[i]] && handles(l)
	}
	return s
}

// handles says whether a state is there for failures: it runs whatever became of earlier stages.
func handles(l *state.Low) bool {
	return slices.ContainsFunc(l.Reqs, func(q state.Requisite) bool { return q.Kind == state.Onfail })
}

// staged appends the group with the stage before a state's own, if there is one, to the slab.
func (r *resolver) staged(slab []Group, l *state.Low) []Group {
	s := r.plan.stages
	if s == nil {
		return slab
	}
	at, mode, waits := s.of[l.Index], state.All, s.waits
	if handles(l) {
		mode, waits = state.Any, s.order
	}
	if waits[at] == nil {
		waits[at] = r.stagesBefore(at, mode)
	}
	if len(waits[at]) == 0 {
		return slab
	}
	from := len(r.plan.flat)
	r.plan.flat = append(r.plan.flat, waits[at]...)
	return append(slab, Group{Kind: state.Staged, Mode: mode,
		Targets: r.plan.flat[from:len(r.plan.flat):len(r.plan.flat)]})
}

// stagesBefore are the targets of the states of a stage: the stage before it that has states, and as long as those are
// all handlers the one before that.
func (r *resolver) stagesBefore(at int32, mode state.Mode) []Target {
	s, out := r.plan.stages, []Target{}
	for at--; at >= 0; at-- {
		to := state.Ref{Module: "stage", Target: s.names[at]}
		list := r.index.find(to)
		if len(r.index.lists[list]) == 0 {
			continue
		}
		req := &state.Requisite{Kind: state.Staged, Mode: mode, To: to}
		out = append(out, Target{Req: req, Set: r.set(list)})
		if !s.loose[at] {
			break
		}
	}
	return out
}

// span is the first and the last stage of the states of a set.
func (r *resolver) span(set int32) [2]int32 {
	s := r.plan.stages
	b, ok := s.bounds[set]
	if !ok {
		b = [2]int32{int32(len(s.names)), 0}
		for _, m := range r.plan.Sets[set] {
			b = [2]int32{min(b[0], s.of[m]), max(b[1], s.of[m])}
		}
		s.bounds[set] = b
	}
	return b
}

// against says whether a target of the state is against the order of the stages.
func (r *resolver) against(l *state.Low, t *Target) bool {
	s := r.plan.stages
	if s == nil || t.Set == NotFound {
		return false
	}
	row := state.KindOf(t.Req.Kind, t.Req.Mode)
	return row.Before && r.span(t.Set)[1] > s.of[l.Index] || row.After && r.span(t.Set)[0] < s.of[l.Index]
}

// fights reports a requisite that is against the order of the stages.
func (r *resolver) fights(l *state.Low, t *Target) {
	s := r.plan.stages
	row := state.KindOf(t.Req.Kind, t.Req.Mode)
	at := slices.IndexFunc(r.plan.Sets[t.Set], func(m int32) bool {
		return row.Before && s.of[m] > s.of[l.Index] || row.After && s.of[m] < s.of[l.Index]
	})
	r.fight(t.Req, l, r.plan.Low[r.plan.Sets[t.Set][at]])
}

// fight reports a requisite that a state has, or gives to another, against the order of the stages.
func (r *resolver) fight(q *state.Requisite, a, b *state.Low) {
	stage := func(l *state.Low) string { return r.plan.StageOf(l.Index) }
	d := diag.Errorf(q.Pos, "'%s' of ID '%s' in SLS '%s' is against the run stages: %s is in '%s', %s in '%s'", q.Key(),
		a.ID, a.SLS, Named(a), stage(a), Named(b), stage(b)).
		WithHint("the stages run in the order %s; change a stage, or remove the requisite",
			strings.Join(r.plan.stages.names, ", "))
	if q.Pos.IsZero() {
		d.Pos = a.Pos
	}
	d.Related = []diag.Related{{Pos: a.Pos, Msg: Named(a) + " is in stage '" + stage(a) + "'"},
		{Pos: b.Pos, Msg: Named(b) + " is in stage '" + stage(b) + "'"}}
	r.diags.Add(d)
}
