package run

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// reactors are the requisites that react, turned round: who reacts to a state. It is as large as the requisites and the
// sets that they name, however many of them name the same set.
type reactors struct {
	bySet   map[int32][]Debtor
	byState map[int32][]int32 // sets that the state is in and that someone reacts to
	plan    *requisite.Plan
}

func newReactors(plan *requisite.Plan, can func(*state.Low) bool) *reactors {
	r := &reactors{bySet: map[int32][]Debtor{}, byState: map[int32][]int32{}, plan: plan}
	eachReaction(plan, can, func(low *state.Low, kind state.Kind, targets []requisite.Target) {
		d := Debtor{low.Tag(), kind}
		for _, t := range targets {
			if t.Set == requisite.NotFound {
				continue
			}
			if r.bySet[t.Set] == nil {
				for _, i := range plan.Sets[t.Set] {
					r.byState[i] = append(r.byState[i], t.Set)
				}
			}
			r.bySet[t.Set] = append(r.bySet[t.Set], d)
		}
	})
	return r
}

// to gives who reacts to a state, each once.
func (r *reactors) to(low *state.Low) []Debtor {
	var out []Debtor
	seen := map[Debtor]bool{}
	for _, set := range r.byState[int32(low.Index)] {
		for _, d := range r.bySet[set] {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}

// Outside are, by the tag of each state of a part of a plan, those who react to it and are not in the part. can says
// who has a mod_watch.
func Outside(whole *requisite.Plan, part []*state.Low, can func(*state.Low) bool) map[string][]Debtor {
	r, in, out := newReactors(whole, can), map[string]bool{}, map[string][]Debtor{}
	for _, l := range part {
		in[l.Tag()] = true
	}
	for _, l := range whole.Low {
		tag := l.Tag()
		if !in[tag] {
			continue
		}
		for _, d := range r.to(l) {
			if !in[d.Tag] || d.Kind == state.Listen { // in a part nothing listens
				out[tag] = append(out[tag], d)
			}
		}
	}
	return out
}

// canReact says which of the bound states have a mod_watch.
func canReact(bound []modules.StateFunc) func(*state.Low) bool {
	return func(l *state.Low) bool { return reacts(bound[l.Index]) }
}

// reacting are all states that react to something.
func reacting(plan *requisite.Plan, can func(*state.Low) bool) map[Debtor]bool {
	out := map[Debtor]bool{}
	eachReaction(plan, can, func(low *state.Low, kind state.Kind, _ []requisite.Target) {
		out[Debtor{low.Tag(), kind}] = true
	})
	return out
}

// eachReaction walks what can react, those that watch or run on changes in the order of the low state, then those that
// listen.
func eachReaction(plan *requisite.Plan, can func(*state.Low) bool,
	yield func(low *state.Low, kind state.Kind, targets []requisite.Target)) {
	for _, low := range plan.Low {
		for i := range plan.Groups[low.Index] {
			g := &plan.Groups[low.Index][i]
			if state.KindOf(g.Kind, g.Mode).Reaction.InTurn() && can(low) {
				yield(low, state.Watch, g.Targets)
			}
			if g.Kind == state.Onchanges {
				yield(low, state.Onchanges, g.Targets)
			}
		}
	}
	for _, l := range plan.Listens {
		if can(l.Low) {
			yield(l.Low, state.Listen, l.Targets)
		}
	}
}

func reacts(fn modules.StateFunc) bool { _, is := fn.(modules.Watcher); return is }
