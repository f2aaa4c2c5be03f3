// Package history keeps what runs did: a report of each, in the state directory, for people and programs to read later.
//
// A report is a file of JSON lines: a Header first, then a line for each state as it finishes, and a Footer last. A
// report without a footer is one of a run that was killed, or that is under way. It promises that every prefix of a
// report can be read, that a damaged line loses that line and no other, that reports are seen by their owner and root
// only, and that reports of one minion id or --root are neither seen nor removed by another.
//
// It knows no secrets: what it is given is written as it is.
package history

import (
	"slices"
	"time"

	"github.com/gostate/gostate/state/value"
)

const (
	format  = "gostate-report"
	version = 1
)

// A Run is one report.
type Run struct {
	Header
	// States are in the order in which they finished.
	States []State `json:"results,omitempty"`
	// Footer is nil in a report of a run that was killed or is still under way.
	Footer *Footer `json:"footer,omitempty"`
	// Damaged counts the lines that could not be read.
	Damaged int `json:"damaged,omitempty"`
	// Path is the file.
	Path string `json:"path"`
}

// IsNone says that the file is no report: neither its beginning nor any line of it can be read.
func (r *Run) IsNone() bool {
	return r.Format == "" && r.Damaged > 0 && len(r.States) == 0 && r.Footer == nil
}

// A Header says what was run.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// ID is the name of the run: IDs sort as the runs were.
	ID   string    `json:"id"`
	Time time.Time `json:"time"`
	// Machine is the minion id, Root the tree that the run worked on.
	Machine string `json:"machine"`
	Root    string `json:"root"`
	// Command is what was asked for: "sls web".
	Command string `json:"command"`
	// Whole says that the run was of all states of the machine.
	Whole bool `json:"whole,omitempty"`
	// Mode is "run" or "noop".
	Mode string `json:"mode"`
	// User is who gostate ran as; By is who became that user, by SUDO_USER or by the login, "" where it is the same.
	User string `json:"user"`
	By   string `json:"by,omitempty"`
	PID  int    `json:"pid"`
	// Gostate is the version of the program, Config that of the tree, nil where it has none.
	Gostate string `json:"gostate"`
	Config  *Tree  `json:"config,omitempty"`
	// Remotes are the commits of remote repositories that files and pillars came from.
	Remotes []Remote `json:"remotes,omitempty"`
	// SLS are the SLS files that states come from, States is how many states there were to run.
	SLS    []string `json:"sls,omitempty"`
	States int      `json:"states"`
	// Key tells hashes of declarations that may be compared: those of the same key.
	Key string `json:"key,omitempty"`
}

// A Tree is a version of an SLS tree: what git has checked out.
type Tree struct {
	Dir    string `json:"dir"`
	Commit string `json:"commit"`
	// Dirty says that tracked files are not as in the commit.
	Dirty bool `json:"dirty,omitempty"`
}

// A Remote is a commit of a remote repository, of the kind gitfs or git_pillar.
type Remote struct {
	Kind   string `json:"kind"`
	URL    string `json:"url"`
	Ref    string `json:"ref"`
	Env    string `json:"env"`
	Commit string `json:"commit"`
	// Fetched is when the repository was asked last, which may be long before the run.
	Fetched time.Time `json:"fetched"`
}

// The classes of a change.
const (
	// Intentional: the declaration is new, or another than when the state was last in order.
	Intentional = "intentional"
	// Corrective: the declaration is the same, so that the machine has changed.
	Corrective = "corrective"
)

// The results of a state.
const (
	True  = "true"
	False = "false"
	Null  = "null"
)

// The ways to a result, by state.How; "" is the function itself.
const (
	HowWatched     = "watched"
	HowListened    = "listened"
	HowConditional = "conditional"
	HowOnchanges   = "onchanges"
	HowOnfail      = "onfail"
	HowPrereq      = "prereq"
	HowRequisite   = "requisite"
	HowSchedule    = "schedule"
)

// A State is what became of one state.
type State struct {
	Fun string `json:"fun"` // "file.managed"
	ID  string `json:"id"`
	// Name is what the function works on; in the file it is left out where it is the ID.
	Name string `json:"name,omitempty"`
	// Hash is of the declaration: the arguments as rendered, and the contents that they come to.
	Hash string `json:"hash,omitempty"`
	// N is the place in the low state, by which states of a report refer to each other.
	N   int    `json:"n"`
	SLS string `json:"sls,omitempty"`
	Pos string `json:"pos,omitempty"` // FILE:LINE:COL
	// Line and Col stand beside Pos, the file alone, in a state that is to be written: a text of all three for each
	// state would cost more than the rest of its line.
	Line int `json:"-"`
	Col  int `json:"-"`
	// Result is "true", "false" or "null".
	Result string `json:"result"`
	// How says what led to the result: see the constants, "" for the function itself.
	How string `json:"how,omitempty"`
	// Noop says that it was only looked at: what it shows as changed it would have changed.
	Noop bool `json:"noop,omitempty"`
	// Class of the changes is Intentional or Corrective, "" where nothing changed. Corrected counts the runs, one after
	// the other, in which the state was corrected.
	Class     string `json:"class,omitempty"`
	Corrected int    `json:"corrected,omitempty"`
	// Changes are in Salt's shape; Properties are what a state tells of them one by one: see Altered.
	Changes    Value      `json:"changes,omitzero"`
	Properties []Property `json:"properties,omitempty"`
	Comment    string     `json:"comment,omitempty"`
	Warnings   []string   `json:"warnings,omitempty"`
	// Start is when it began, since the start of the run; Took is how long it was at work; in microseconds.
	Start int64 `json:"start"`
	Took  int64 `json:"took"`
	// Because are the states whose changes it reacted to, Cause is the state whose failure it follows from.
	Because []int `json:"because,omitempty"`
	Cause   *int  `json:"cause,omitempty"`
	// Requires are its requisites.
	Requires []Edge `json:"requires,omitempty"`
}

// An Edge is a requisite: its kind as in an SLS file, and the states that it names. In the file many of these stand on
// a line of their own, a Set, which the edges name.
type Edge struct {
	Kind string `json:"kind"`
	To   []int  `json:"to,omitempty"`
	Set  *int   `json:"set,omitempty"`
}

// A Property is one thing of a state that changed or was to change. Before and After are zero where nobody knows.
type Property struct {
	Name   string `json:"name"`
	Before Value  `json:"before,omitzero"`
	After  Value  `json:"after,omitzero"`
	// Error says why it could not be changed.
	Error string `json:"error,omitempty"`
}

// A Footer says how a run ended.
type Footer struct {
	End    time.Time `json:"end"`
	Took   int64     `json:"took"` // microseconds
	Counts Counts    `json:"counts"`
	Exit   int       `json:"exit"`
	// Interrupted says that a signal ended the run, Stopped that a failhard did.
	Interrupted bool `json:"interrupted,omitempty"`
	Stopped     bool `json:"stopped,omitempty"`
	NotRun      int  `json:"not_run,omitempty"`
	// Owed are the reactions that are still to come.
	Owed []Owed `json:"owed,omitempty"`
	// Never are the states that were corrected in this run and in the two before it, or more.
	Never []string `json:"never,omitempty"`
}

// Counts are the figures of a run.
type Counts struct {
	Total       int `json:"total"`
	Succeeded   int `json:"succeeded"`
	Failed      int `json:"failed"`
	Pending     int `json:"pending,omitempty"`
	Changed     int `json:"changed"`
	Intentional int `json:"intentional"`
	Corrective  int `json:"corrective"`
	// Skipped states did not run, by their requisites or conditions. They are among the succeeded or failed ones.
	Skipped  int `json:"skipped"`
	Warnings int `json:"warnings,omitempty"`
}

// An Owed is a reaction that a state owes.
type Owed struct {
	State string    `json:"state"`
	Kind  string    `json:"kind"` // watch, listen or onchanges
	Cause string    `json:"cause"`
	Since time.Time `json:"since"`
	Held  string    `json:"held,omitempty"` // what held it back
	Tries int       `json:"tries,omitempty"`
}

// Changed says whether it changed something, or would.
func (s *State) Changed() bool {
	d, ok := s.Changes.Value.(*value.Dict)
	return ok && d.Len() > 0
}

// Altered are the properties that changed or were to: what the changes come to, and what the state told of them beside.
// What was there before is known where either has it.
func (s *State) Altered() []Property {
	changes, ok := s.Changes.Value.(*value.Dict)
	if !ok {
		return s.Properties
	}
	out := make([]Property, 0, changes.Len()+len(s.Properties))
	for k, v := range changes.All() {
		name := value.String(k)
		if slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Name == name }) {
			continue
		}
		p := Property{Name: name, After: Value{Value: v}}
		if d, ok := v.(*value.Dict); ok && d.Len() == 2 {
			before, hasOld := d.GetStr("old")
			if after, hasNew := d.GetStr("new"); hasOld && hasNew {
				p.Before, p.After = Value{Value: before}, Value{Value: after}
			}
		}
		out = append(out, p)
	}
	return append(out, s.Properties...)
}

// Tag is Salt's key of the result.
func (s *State) Tag() string {
	for i := range s.Fun {
		if s.Fun[i] == '.' {
			return s.Fun[:i] + "_|-" + s.ID + "_|-" + s.Name + "_|-" + s.Fun[i+1:]
		}
	}
	return s.Fun + "_|-" + s.ID + "_|-" + s.Name + "_|-"
}

// Label is the state as people call it: "file.managed /etc/motd".
func (s *State) Label() string { return s.Fun + " " + s.ID }

// Killed says whether the report has no end.
func (r *Run) Killed() bool { return r.Footer == nil }
