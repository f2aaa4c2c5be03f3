package requisite

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// misplaced warns of states that cannot keep the `order` that they were given: a state of an earlier place requires
// them, so that they run before it. A state that waits for others keeps its own place: these come forward.
func (r *resolver) misplaced() {
	p := r.plan
	given, some := make([]bool, len(p.Low)), false
	for i, l := range p.Low {
		if _, _, ok := l.GivenOrder(); ok {
			given[i], some = true, true
		}
	}
	if !some {
		return
	}
	told := make([]bool, len(p.Low))
	check := func(early, late int32, q *state.Requisite) {
		apart := p.stages.later(early, int(late)) || p.stages.later(late, int(early)) // order is that within a stage
		if given[late] && !told[late] && p.Low[late].Order > p.Low[early].Order && q.Tie == state.TieNone && !apart {
			told[late] = true
			r.diags.Add(pulled(p.Low[late], p.Low[early], q))
		}
	}
	members := make([][]int32, len(p.Sets)) // of each set, those with an order of their own
	for s, set := range p.Sets {
		for _, m := range set {
			if given[m] {
				members[s] = append(members[s], m)
			}
		}
	}
	for i := range p.Low {
		for k := range p.targets(int32(i)) {
			switch t := &p.targets(int32(i))[k]; {
			case t.Set == NotFound:
			case t.Req.Kind != state.Prereq:
				for _, m := range members[t.Set] {
					check(int32(i), m, t.Req)
				}
			case given[i]: // those that it has as prereq wait for it
				for _, m := range p.Sets[t.Set] {
					check(m, int32(i), t.Req)
				}
			}
		}
	}
}

// pulled is the warning of a state that runs before its place because of an earlier one.
func pulled(late, early *state.Low, q *state.Requisite) *diag.Diagnostic {
	order, pos, _ := late.GivenOrder()
	verb := "requires it"
	if q.Kind == state.Prereq {
		verb = "waits for it"
	}
	d := diag.Warnf(pos, "'order: %s' of ID '%s' does not hold: %s of ID '%s' runs earlier and %s (%s)",
		value.String(order), late.ID, early.Fun(), early.ID, verb, q.Kind.Key(q.Mode)).
		WithHint("leave the order out, or give ID '%s' a later one", early.ID)
	d.Related = []diag.Related{{Pos: q.Pos, Msg: "the requisite"}}
	return d
}
