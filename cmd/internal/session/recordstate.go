package session

import (
	"strings"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

const (
	// nevers is in how many runs, one after the other, a state is corrected that is said never to converge.
	nevers = 3
	// named is how many states a reaction names as its causes.
	named = 20
	// inline is up to how many states of a requisite stand in its line; more have one for themselves.
	inline = 4
)

// stateOf is a result as the report has it, until the next is asked for.
func (r *record) stateOf(res *state.Result) *history.State {
	l := res.Low
	names := r.s.secrets
	st := &r.state
	fun := st.Fun // nearly always that of the state before
	if module, fn, _ := strings.Cut(fun, "."); module != l.Module || fn != res.Func {
		fun = l.Module + "." + res.Func
	}
	*st = history.State{Fun: fun, ID: names.Text(res.ID), Name: names.Text(l.Name), N: l.Index,
		SLS:    l.SLS,
		Result: resultWord(res.Outcome), How: howWord(res.How), Noop: res.Noop,
		Start: res.Start.Sub(r.head.Time).Microseconds(), Took: res.Duration.Microseconds()}
	if st.Pos = l.Pos.File; l.Pos.Line > 0 && l.Pos.Col > 0 {
		st.Line, st.Col = l.Pos.Line, l.Pos.Col
	} else {
		st.Pos = l.Pos.String()
	}
	st.Hash = r.p.declared[l.Index].hashOf(r.key)
	if res.How != state.Listened {
		st.Requires = r.edges(l)
	}
	if res.Cause != nil {
		st.Cause = &res.Cause.Low.Index
	}
	st.Warnings = res.Warnings
	for _, p := range res.Properties {
		st.Properties = append(st.Properties, history.Property{Name: p.Name, Before: history.Value{Value: p.Before},
			After: history.Value{Value: p.After}, Error: p.Error})
	}
	if res.Outcome != state.Succeeded || res.How != state.Called || res.Changed() {
		st.Comment = res.Comment // of what is in order it says no more than that
	}
	if res.Changed() {
		st.Changes = history.Value{Value: res.Changes}
		r.classify(res, st)
	}
	return st
}

func resultWord(o state.Outcome) string {
	switch o {
	case state.Succeeded:
		return history.True
	case state.Failed:
		return history.False
	}
	return history.Null
}

func howWord(h state.How) string {
	switch h {
	case state.Watched:
		return history.HowWatched
	case state.Listened:
		return history.HowListened
	case state.Conditional:
		return history.HowConditional
	case state.OnchangesOff:
		return history.HowOnchanges
	case state.OnfailOff:
		return history.HowOnfail
	case state.PrereqOff:
		return history.HowPrereq
	case state.RequireFail:
		return history.HowRequisite
	case state.Unscheduled:
		return history.HowSchedule
	}
	return ""
}

// edges are the requisites of a state. What names many states is written once.
func (r *record) edges(l *state.Low) []history.Edge {
	var out []history.Edge
	for i := range r.p.Plan.Groups[l.Index] {
		g := &r.p.Plan.Groups[l.Index][i]
		out = r.edgesTo(out, state.KindOf(g.Kind, g.Mode).Key, g.Targets)
	}
	return r.edgesTo(out, "listen", r.listens[l])
}

func (r *record) edgesTo(out []history.Edge, kind string, targets []requisite.Target) []history.Edge {
	for _, t := range targets {
		if t.Set == requisite.NotFound {
			continue
		}
		set, e := r.p.Plan.Sets[t.Set], history.Edge{Kind: kind}
		if number := int(t.Set); len(set) <= inline {
			e.To = numbers(set)
		} else if e.Set = &number; !r.told[t.Set] { // many states may name it
			r.told[t.Set] = true
			r.out.Set(number, numbers(set))
		}
		out = append(out, e)
	}
	return out
}

func numbers(set []int32) []int {
	out := make([]int, len(set))
	for i, n := range set {
		out[i] = int(n)
	}
	return out
}

// because finds the states whose changes a state reacts to.
func (r *record) because(res *state.Result) []int {
	var out []int
	add := func(targets []requisite.Target, event bool) {
		for l := range r.p.Plan.States(targets) {
			if len(out) == named {
				return
			}
			if by := r.results[l.Index]; by != nil && (by.Changed() || by.Refreshed && event) && l != res.Low {
				out = append(out, l.Index)
			}
		}
	}
	if res.How == state.Listened {
		add(r.listens[res.Low], false)
		return out
	}
	for i := range r.p.Plan.Groups[res.Low.Index] {
		g := &r.p.Plan.Groups[res.Low.Index][i]
		if g.Kind == state.Onchanges || g.Kind == state.Prereq || state.KindOf(g.Kind, g.Mode).Reaction.InTurn() && res.How == state.Watched {
			add(g.Targets, g.Kind == state.Subscribe)
		}
	}
	return out
}

// classify says whose doing a change is.
func (r *record) classify(res *state.Result, st *history.State) {
	st.Because = r.because(res)
	st.Class = history.Intentional
	switch {
	case res.How == state.Watched, res.How == state.Listened: // it is that of what it reacts to
		if len(st.Because) > 0 && r.allCorrective(st.Because) {
			st.Class = history.Corrective
		}
		return
	case deed(res.Low):
		return
	}
	if r.earlier == nil {
		r.earlier = r.dir.Earlier(&r.head)
	}
	if past, ok := r.earlier.Of(st); ok && past.Hash == st.Hash {
		st.Class, st.Corrected = history.Corrective, past.Corrected+1
	}
}

func (r *record) allCorrective(list []int) bool {
	for _, n := range list {
		if r.classes[n] != history.Corrective {
			return false
		}
	}
	return true
}

// deed says whether a state does something rather than keep it so: as in Puppet, it corrects nothing.
func deed(l *state.Low) bool {
	switch l.Module {
	case "cmd", "module", "test", "event", "http":
		return true
	}
	return false
}

// hide takes the secrets out of what is about to be written.
func hide(s *secret.Store, st *history.State) {
	if s.Empty() {
		return
	}
	st.ID, st.Name, st.Comment = s.Text(st.ID), s.Text(st.Name), s.Text(st.Comment)
	warnings := st.Warnings
	st.Warnings = nil
	for _, w := range warnings {
		st.Warnings = append(st.Warnings, s.Text(w))
	}
	if st.Changes.Value != nil {
		st.Changes.Value = s.Value(st.Changes.Value)
	}
	for i := range st.Properties {
		p := &st.Properties[i]
		p.Name, p.Error = s.Text(p.Name), s.Text(p.Error)
		p.Before.Value, p.After.Value = hidden(s, p.Before.Value), hidden(s, p.After.Value)
	}
}

func hidden(s *secret.Store, v value.Value) value.Value {
	if v == nil {
		return nil
	}
	return s.Value(v)
}
