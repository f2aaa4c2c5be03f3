package requisite

import (
	"slices"

	"github.com/gostate/gostate/state"
)

// A turn is what states say with before or notify about the same others.
type turn struct {
	list int32 // of the index
	kind state.Kind
}

// turnRound finds what other states wait for because a state says so with before or notify. Where many say it of many
// (each state of one SLS of each of another), those that say it are one set, so that it is no larger than what was
// written.
func (r *resolver) turnRound() {
	var said map[turn][]saidBy
	var turns []turn
	for _, l := range r.plan.Low {
		for i := range l.In {
			q := &l.In[i]
			if q.Kind == state.Listen {
				continue
			}
			list := r.index.others(q.To, r.index.find(q.To), l)
			if list == NotFound {
				r.missing(l, q)
				continue
			}
			t := turn{list, q.Kind}
			if said == nil {
				said = map[turn][]saidBy{}
			}
			if said[t] == nil {
				turns = append(turns, t)
			}
			said[t] = append(said[t], saidBy{l, q})
		}
	}
	for _, t := range turns {
		r.turn(t, said[t])
	}
}

// saidBy is one entry of before or notify.
type saidBy struct {
	low *state.Low
	req *state.Requisite
}

// turn gives the states that are named their targets.
func (r *resolver) turn(t turn, by []saidBy) {
	members := r.index.lists[t.list]
	if len(members) == 1 || len(by) == 1 {
		for _, one := range by {
			r.give(members, one, []int32{int32(one.low.Index)})
		}
		return
	}
	all := make([]int32, 0, len(by))
	for _, one := range by {
		all = append(all, int32(one.low.Index))
	}
	slices.Sort(all)
	r.give(members, by[0], slices.Compact(all))
}

// give makes the members wait for a set of states.
func (r *resolver) give(members []int32, by saidBy, set []int32) {
	to := Target{Set: int32(len(r.plan.Sets)), Req: &state.Requisite{Kind: by.req.Kind, In: true, Pos: by.req.Pos,
		To: state.Ref{Module: by.low.Module, Target: by.low.ID}}}
	r.plan.Sets = append(r.plan.Sets, set)
	if r.turned == nil {
		r.turned = map[int32][]Target{}
	}
	for _, m := range members {
		if r.against(r.plan.Low[m], &to) {
			r.fight(by.req, by.low, r.plan.Low[m])
			return
		}
		r.turned[m] = append(r.turned[m], to)
	}
}
