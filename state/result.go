package state

import (
	"time"

	"github.com/gostate/gostate/state/value"
)

// Changes are what a state changed, in the shape that Salt gives them. nil and empty mean none.
type Changes = *value.Dict

// An Effect is what a state function did to a machine or, on an overlay of it, what it would do.
type Effect struct {
	// Changes are what was changed, in the shape that Salt gives them.
	Changes Changes
	Comment string
	// Preview and Foretold are the comment and the changes of test mode, where Salt's are others; "" and nil mean the
	// same.
	Preview  string
	Foretold Changes
	Warnings []string
	// Properties are the changes one by one, with what there was before: for reports, beside Salt's shape.
	Properties []Property
	// Pending says that there is something to do although no changes are shown for it.
	Pending bool
	// New is the file that was made, where people may see what is in it: the executor keeps its first lines.
	New string
	// Once marks what is done rather than kept (a command, a restart, an edit that is not repeated): there is nothing to
	// look at again after it.
	Once bool
}

// NewEffect is an effect to which changes can be added.
func NewEffect() Effect { return Effect{Changes: value.NewDict(0)} }

// Settled is the effect of a state that finds everything as it should be.
func Settled(comment string) Effect { return Effect{Changes: value.NewDict(0), Comment: comment} }

// Done is an effect, of which nothing counts beside an error.
func Done(e Effect, err error) (Effect, error) {
	if err != nil {
		return Effect{}, err
	}
	return e, nil
}

// Alters says whether there was something to do.
func (e *Effect) Alters() bool { return e.Pending || e.Changes != nil && e.Changes.Len() > 0 }

// Outcome is a result as Salt has it: true, false or null.
type Outcome uint8

const (
	// Succeeded is Salt's result true.
	Succeeded Outcome = iota
	// Failed is Salt's result false.
	Failed
	// Pending is Salt's result null: test mode, and it would change.
	Pending
)

// How says why a result is what it is.
type How uint8

// The ways to a result.
const (
	Called       How = iota // the function ran
	Watched                 // mod_watch ran
	Listened                // mod_watch ran at the end
	Conditional             // onlyif, unless or creates held it back
	OnchangesOff            // no onchanges requisite changed
	OnfailOff               // no onfail requisite failed
	PrereqOff               // its prereq target would not change
	RequireFail             // a requisite failed
	NotRun                  // the run was stopped before it
	Left                    // the run was asked for others
	Unscheduled             // its schedule held it back
)

// A Result is what became of one state.
type Result struct {
	Low *Low
	// ID and Func as shown: those of Low, but "listener_X" and "mod_watch" for a listener.
	ID, Func string
	RunNum   int
	Outcome  Outcome
	How      How
	// Ran is Salt's __state_ran__.
	Ran      bool
	Changes  Changes
	Comment  string
	Warnings []string
	// Properties are what the state tells of its changes beside them, and of what it could not change.
	Properties []Property
	Start      time.Time
	Duration   time.Duration
	// Refreshed says that an event came to it and was acted upon, or held back by its own conditions: what subscribes to
	// it is refreshed, too.
	Refreshed bool
	// Cause is the first failure that this one follows from, nil when it is its own.
	Cause *Result
	// Doubt is the state that has to be applied before it is known what this one does, "" when it is.
	Doubt string
	// Noop says that the state was only looked at, in whatever run: what is pending of it is not applied.
	Noop bool
	// Sample are the first lines of a file that would be new, where the run was asked for them.
	Sample string
}

// Changed says whether it changed something, or would.
func (r *Result) Changed() bool { return r.Changes != nil && r.Changes.Len() > 0 }

// Tag is Salt's key of the result.
func (r *Result) Tag() string {
	return r.Low.Module + "_|-" + r.ID + "_|-" + r.Low.Name + "_|-" + r.Func
}
