package run

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// runListeners calls mod_watch of what listens to a state that changed, once each, when all else has run. It does so
// too when failhard stopped the run: what changed must be reacted to. An interrupted run only tells what it did not
// call.
// Salt differs: it only previews, and so loses, a listener that its requisites held back while it was previewed as a
// prereq.
func (x *executor) runListeners() {
	stopped := x.report.Stopped
	x.report.Stopped, x.total = nil, x.slots
	defer func() {
		if x.report.Stopped == nil {
			x.report.Stopped = stopped
		}
	}()
	x.final = true
	called := make(map[int]bool, len(x.plan.Listeners)) // by Low.Index
	for _, l := range x.plan.Listens {
		if r := x.results[l.Low.Index]; called[l.Low.Index] || x.leaves(l.Low) ||
			r != nil && r.How == state.Unscheduled {
			continue // what is not scheduled stays owed
		}
		var owed, rests *Debt
		if !x.heard(l) {
			owed, rests = x.owing.owed(l.Low, state.Listen)
			if r := x.results[l.Low.Index]; rests != nil && r != nil {
				r.Comment += "\n" + rests.rest()
			}
			x.noteUnheard(l)
			if owed == nil {
				continue
			}
		}
		called[l.Low.Index] = true
		if x.stopped() {
			x.report.NotCalled = append(x.report.NotCalled, l.Low)
			continue
		}
		x.listen(l, owed)
	}
}

// heard says whether something that the listener listens to changed, even if it failed.
func (x *executor) heard(l requisite.Listener) bool {
	for _, t := range l.Targets {
		if t.Set == requisite.NotFound {
			continue
		}
		if s := x.summarize(t.Set); s.altered || s.would && x.noop(l.Low) {
			return true
		}
	}
	return false
}

// noteUnheard has the state of a listener tell of a noop state that would call it.
func (x *executor) noteUnheard(l requisite.Listener) {
	r := x.results[l.Low.Index]
	if x.aside == nil || r == nil || r.Noop {
		return
	}
	if by := x.would(l.Targets); by != nil {
		r.Comment = line(r.Comment, notCalled(by))
	}
}

func (x *executor) listen(l requisite.Listener, owed *Debt) {
	x.total++
	t := &task{low: l.Low, listener: true, slot: x.slot()}
	x.cfg.Events(Event{Low: l.Low, Done: x.done, Total: x.total})
	if w, ok := x.cfg.Bound[l.Low.Index].(modules.Watcher); ok {
		t.fn = w.ModWatch()
		t.result = x.call(t)
	} else {
		t.result = &state.Result{Low: l.Low, Outcome: state.Failed, Ran: true, Start: x.cfg.Now(),
			Comment: "State '" + l.Low.Module + ".mod_watch' was not found: " + l.Low.Fun() + " cannot react to a listen"}
	}
	if owed != nil {
		t.result.Comment += "\n" + owed.comment()
	}
	t.result.ID, t.result.Func, t.result.How = "listener_"+l.Low.ID, "mod_watch", state.Listened
	x.finish(t.slot, t.result)
}
