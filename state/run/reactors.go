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

func newReactors(plan *requisite.Plan, bound []modules.StateFunc) *reactors {
	r := &reactors{bySet: map[int32][]Debtor{}, byState: map[int32][]int32{}, plan: plan}
	eachReaction(plan, bound, func(low *state.Low, listen bool, targets []requisite.Target) {
		d := Debtor{low.Tag(), listen}
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

// reacting are all states that react to something.
func reacting(plan *requisite.Plan, bound []modules.StateFunc) map[Debtor]bool {
	out := map[Debtor]bool{}
	eachReaction(plan, bound, func(low *state.Low, listen bool,
		_ []requisite.Target) {
		out[Debtor{low.Tag(), listen}] = true
	})
	return out
}

// eachReaction walks what can react, those that watch in the order of the low state, then those that listen.
func eachReaction(plan *requisite.Plan, bound []modules.StateFunc,
	yield func(low *state.Low, listen bool, targets []requisite.Target)) {
	for _, low := range plan.Low {
		for i := range plan.Groups[low.Index] {
			g := &plan.Groups[low.Index][i]
			if state.KindOf(g.Kind, g.Mode).Reaction == state.ReactWatch && reacts(bound[low.Index]) {
				yield(low, false, g.Targets)
			}
		}
	}
	for _, l := range plan.Listens {
		if reacts(bound[l.Low.Index]) {
			yield(l.Low, true, l.Targets)
		}
	}
}

func reacts(fn modules.StateFunc) bool { _, is := fn.(modules.Watcher); return is }
