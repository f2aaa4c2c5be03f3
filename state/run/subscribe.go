package run

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// namedCauses is how many of the states that a refresh is for its comment names.
const namedCauses = 10

// eventful are the first states of a set that changed or were refreshed.
func (x *executor) eventful(set int32) []*state.Low {
	return x.firstOf(x.eventsOf, set, func(r *state.Result) *state.Low {
		if r.Outcome == state.Failed || !r.Refreshed && !didChange(r, x.cfg.Preview || r.Noop) {
			return nil
		}
		return r.Low
	})
}

// firstOf are the first of what a function finds in the results of a set. It is kept for sets that are over, as many
// states may ask for the same.
func (x *executor) firstOf(kept map[int32][]*state.Low, set int32, find func(*state.Result) *state.Low) []*state.Low {
	if out, ok := kept[set]; ok {
		return out
	}
	var out []*state.Low
	for _, i := range x.plan.Sets[set] {
		if r := x.results[i]; r != nil && len(out) <= listed {
			if l := find(r); l != nil {
				out = append(out, l)
			}
		}
	}
	if x.finished(set) {
		kept[set] = out
	}
	return out
}

// listEvents notes what a subscribe fired for, each state once.
func (x *executor) listEvents(low *state.Low, g *requisite.Group, v *verdict) {
	seen := map[*state.Low]bool{low: true}
	for _, t := range g.Targets {
		if t.Set == requisite.NotFound {
			continue
		}
		for _, l := range x.eventful(t.Set) {
			if !seen[l] && (x.noop(low) || !x.results[l.Index].Noop) {
				seen[l] = true
				v.events, v.fired = append(v.events, l), append(v.fired, l)
			}
		}
	}
}

// listRoots notes the failures that made a run stage fail: not those that only follow from others.
func (x *executor) listRoots(t requisite.Target, v *verdict) {
	for _, l := range x.firstOf(x.rootsOf, t.Set, x.root) {
		v.addFailure(x.results[l.Index])
		v.stage = t.Req.To.Target
	}
}

// root is the failure that a result follows from, nil where it is none.
func (x *executor) root(r *state.Result) *state.Low {
	switch {
	case r.Outcome != state.Failed:
		return nil
	case r.Cause != nil && x.results[r.Cause.Low.Index] != nil:
		return r.Cause.Low
	}
	return r.Low
}

// over says whether all that the group names has finished.
func (x *executor) over(g *requisite.Group) bool {
	for _, t := range g.Targets {
		if t.Set != requisite.NotFound && !x.finished(t.Set) {
			return false
		}
	}
	return true
}

// refresh is what becomes of a state that something fired for, after its own turn.
func (x *executor) refresh(t *task, r *state.Result) *state.Result {
	w, reacts := t.fn.(modules.Watcher)
	switch {
	case !reacts, didChange(r, x.looks(t.low)):
		return r
	case r.How == state.Conditional:
		x.passOn(t, r)
		return r
	case r.Outcome == state.Failed && !t.watched:
		return r // its refresh would hide that
	}
	// As in Salt, mod_watch's result stands, even where the state itself had failed.
	mod := w.ModWatch()
	again := x.retry(t, func() *state.Result { return x.attempt(t, mod, true) })
	again.How, again.Start = state.Watched, r.Start
	again.Duration += r.Duration
	if t.subscribed && again.Outcome != state.Failed {
		again.Refreshed = didChange(again, x.looks(t.low))
	}
	if text := x.because(t, again); text != "" {
		again.Comment += "\n" + text
	}
	if t.owed != nil {
		again.Comment += "\n" + t.owed.comment()
	}
	return again
}

// passOn lets the event that a state is held back from go on to what subscribes to it. That is noted first, so that it
// is not lost where the run ends in between.
func (x *executor) passOn(t *task, r *state.Result) {
	if !t.subscribed {
		return
	}
	r.Refreshed = true
	if x.noop(t.low) {
		return
	}
	x.owing.owe(t.low)
	x.owing.applied(t.low, true)
}

// because tells what a refresh is for: "would restart, because file: /etc/x would change".
func (x *executor) because(t *task, r *state.Result) string {
	if len(t.events) == 0 || !didChange(r, x.looks(t.low)) {
		return ""
	}
	w := words{"restarted", "changed", "was refreshed"}
	if x.looks(t.low) {
		w = words{"would restart", "would change", "would be refreshed"}
	}
	if t.low.Module == "cmd" {
		w.does = strings.NewReplacer("restarted", "ran", "restart", "run").Replace(w.does)
	}
	return w.does + ", because " + x.causes(t.events, w)
}

// words are what is said of a refresh: what the state does, and what others did.
type words struct{ does, changed, refreshed string }

// causes names the states that a refresh is for.
func (x *executor) causes(events []*state.Low, w words) string {
	var changed, passed []string
	for _, l := range events[:min(len(events), namedCauses)] {
		if name := l.Module + ": " + l.ID; didChange(x.results[l.Index], x.cfg.Preview || x.results[l.Index].Noop) {
			changed = append(changed, name)
		} else {
			passed = append(passed, name)
		}
	}
	if more := len(events) - namedCauses; more > 0 {
		changed = append(changed, fmt.Sprintf("%d more", more))
	}
	var out []string
	if len(changed) > 0 {
		out = append(out, strings.Join(changed, ", ")+" "+w.changed)
	}
	if len(passed) > 0 {
		out = append(out, strings.Join(passed, ", ")+" "+w.refreshed)
	}
	return strings.Join(out, " and ")
}
