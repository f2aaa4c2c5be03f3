package run

import (
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// ownFailure is what holds back a reaction that was tried in vain.
const ownFailure = "its own failure"

// noteHeld has the journal say what held back the reactions that are still owed.
func (x *executor) noteHeld() {
	var states map[string]*state.Low
	var outside map[Debtor]bool
	x.owing.close(func(d Debtor) string {
		if states == nil {
			states, outside = x.tagged(), x.outsiders()
		}
		if low := states[d.Tag]; low != nil {
			return x.whyHeld(low, d.Kind)
		}
		if outside[d] {
			return "--id, which left it out"
		}
		return ""
	})
}

// tagged are the states of the plan by their tags.
func (x *executor) tagged() map[string]*state.Low {
	out := make(map[string]*state.Low, len(x.plan.Low))
	for _, l := range x.plan.Low {
		out[l.Tag()] = l
	}
	return out
}

// outsiders are those who react and are not in the plan.
func (x *executor) outsiders() map[Debtor]bool {
	out := map[Debtor]bool{}
	for _, list := range x.cfg.Outside {
		for _, d := range list {
			out[d] = true
		}
	}
	return out
}

// whyHeld says what kept a state from the reaction that it owes. A listener asks for no requisites.
func (x *executor) whyHeld(low *state.Low, kind state.Kind) string {
	r := x.results[low.Index]
	switch {
	case r == nil:
		return "the end of the run before its turn"
	case r.Noop:
		return "noop"
	case r.How == state.Left:
		return "--tags or --skip-tags, which left it out"
	case r.How == state.Unscheduled && low.Meta().Schedule == "":
		return "the schedule of a state that prereq puts before it"
	case r.How == state.Unscheduled:
		return "its schedule '" + low.Meta().Schedule + "'"
	case x.report.Interrupted || x.report.Stopped != nil && x.report.Stopped.Low != low:
		return "the end of the run before its turn"
	case kind == state.Listen:
		return ownFailure
	case r.How == state.RequireFail && r.Cause != nil:
		return "the failure of " + requisite.Named(r.Cause.Low)
	case r.How == state.RequireFail:
		return "a requisite that was not found"
	case r.How == state.OnchangesOff, r.How == state.OnfailOff, r.How == state.PrereqOff:
		return "its own requisites"
	}
	return ownFailure
}
