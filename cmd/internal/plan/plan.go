// Package plan is what a preview promises, as a file: which states would do what, and what that stands on.
//
// A plan holds no secret and no content of files: what has to be compared is in it as a digest under a key of its own,
// texts for people are those of a report, in which secrets are hidden. A plan is of one machine, one root, one user and
// one version of gostate.
//
// The package reads and writes plans and compares them. It runs nothing and looks at no machine.
package plan

import (
	"encoding/json"
	"time"
)

// A Plan is what would be done.
type Plan struct {
	Gostate string    `json:"gostate"`
	Made    time.Time `json:"made"`
	Machine Machine   `json:"machine"`
	// Request is what was asked for, in the words of who asked.
	Request json.RawMessage `json:"request"`
	Key     []byte          `json:"key"` // of its digests
	// States are in the order of the run.
	States []State `json:"states"`
	// Files are the digests of what was read of the machine, by Seen; Tree are those of the files of the tree, by path.
	Files map[string]string `json:"files"`
	Tree  map[string]string `json:"tree"`
}

// Machine says whose plan it is.
type Machine struct {
	ID   string `json:"id"`
	Root string `json:"root"`
	// Host is a digest of what tells this machine from others of the id.
	Host string `json:"host"`
	User int    `json:"user"`
}

// What is to become of a state.
const (
	Change    = "change"    // it would do what its digest says
	Unknown   = "unknown"   // what it does depends on a state that is applied before it
	Unchanged = "unchanged" // there is nothing to do
	Skipped   = "skipped"   // its conditions or requisites hold it back
	Fails     = "fails"     // it would fail
)

// A State is one state of a plan.
type State struct {
	Tag    string `json:"tag"` // the digest of its tag: names may hold secrets
	ID     string `json:"id"`
	Name   string `json:"name"`
	State  string `json:"state"` // module.function
	SLS    string `json:"sls,omitempty"`
	Place  string `json:"place,omitempty"`
	Result string `json:"result"`
	// Handler says that it was skipped because nothing failed: it handles failures.
	Handler bool            `json:"handler,omitempty"`
	Comment string          `json:"comment,omitempty"`
	Changes json.RawMessage `json:"changes,omitempty"`
	Waits   string          `json:"waits,omitempty"` // what an unknown one depends on
	// Declared is the digest of what the tree says of it.
	Declared string `json:"declared"`
	// Looks are what it would do: itself, and as a reaction to what it watches or listens to.
	Looks []Look `json:"looks,omitempty"`
	// After are the states that it waits for.
	After []Wait `json:"after,omitempty"`
}

// A Wait is a requisite: its kind as in SLS files, and the place of the state.
type Wait struct {
	Kind string `json:"kind"`
	On   int    `json:"on"`
}

// The ways in which a state is called.
const (
	Itself   = ""
	Watching = "watch"
	Hearing  = "listen"
)

// A Look is one call of a state.
type Look struct {
	How    string `json:"how,omitempty"`
	Todo   bool   `json:"todo,omitempty"`
	Effect string `json:"effect"` // the digest of what it would do
	// Reads are what it looked at: keys of Plan.Files.
	Reads []string `json:"reads,omitempty"`
}

// Todo says whether there is anything that the plan would do.
func (p *Plan) Todo() bool {
	for i := range p.States {
		if r := p.States[i].Result; r == Change || r == Unknown {
			return true
		}
	}
	return false
}

// Find gives a state by the digest of its tag, nil where there is none.
func (p *Plan) Find(tag string) *State {
	for i := range p.States {
		if p.States[i].Tag == tag {
			return &p.States[i]
		}
	}
	return nil
}

// Look gives one call of a state, nil where none was planned.
func (s *State) Look(how string) *Look {
	for i := range s.Looks {
		if s.Looks[i].How == how {
			return &s.Looks[i]
		}
	}
	return nil
}
