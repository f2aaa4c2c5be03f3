package run

import (
	"time"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// Kept is what runs know of states, by state.Low.Tag, from earlier ones. Its methods may be called from any goroutine,
// and the notes only where something is applied. It reports its own troubles.
type Kept interface {
	// Ran is when a state with a schedule was last applied, zero for never.
	Ran(tag string) time.Time
	NoteRan(tag string, at time.Time)
	// Seen is what an audited state looked like, nil for never.
	Seen(tag string) map[string]string
	NoteSeen(tag string, properties map[string]string)
}

// unscheduled says why the schedule of a state keeps it from running now, "" when it may run.
func (x *executor) unscheduled(low *state.Low) string {
	s := x.cfg.Schedules[low.Meta().Schedule]
	if s == nil {
		return ""
	}
	var last time.Time
	if x.cfg.Kept != nil {
		last = x.cfg.Kept.Ran(low.Tag())
	}
	return s.Off(last, x.cfg.Now())
}

// offSchedule says why a state is not run by its schedule, or by that of one which has it as prereq: what is to be done
// before a change is not left out while the change is made. "" is for a state that may run.
func (x *executor) offSchedule(low *state.Low) string {
	if x.cfg.Schedules == nil || x.begun[low.Index] {
		return ""
	}
	if why := x.unscheduled(low); why != "" {
		return "Not run by its schedule '" + low.Meta().Schedule + "': " + why
	}
	for _, a := range x.plan.PrereqOf[low.Index] {
		before := x.plan.Low[a]
		off := x.unscheduled(before) != ""
		if r := x.results[a]; r != nil {
			off = r.How == state.Unscheduled
		}
		if off && !x.leaves(before) {
			return "Not run, since " + requisite.Named(before) + ", which prereq puts before it, is not run by its schedule"
		}
	}
	return ""
}

// skip finishes a state that is not scheduled now. For what refers to it, it had nothing to do; what it would have
// reacted to stays owed.
func (x *executor) skip(low *state.Low, why string) {
	x.begun[low.Index] = true
	x.pre[low.Index] = &forecast{outcome: state.Succeeded}
	x.finish(x.slot(), &state.Result{Low: low, ID: low.ID, Func: low.Func, Start: x.cfg.Now(), How: state.Unscheduled,
		Comment: why})
}

// noteRan notes that a state with a schedule was applied. A preview, and a state that failed, do not use up its period.
func (x *executor) noteRan(r *state.Result) {
	if x.cfg.Schedules[r.Low.Meta().Schedule] == nil || x.cfg.Kept == nil || x.looks(r.Low) ||
		r.Outcome != state.Succeeded {
		return
	}
	switch r.How {
	case state.Called, state.Watched, state.Conditional:
		x.cfg.Kept.NoteRan(r.Low.Tag(), x.started)
	}
}
