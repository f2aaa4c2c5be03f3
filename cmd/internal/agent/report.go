package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// Status is what came of a turn in one word.
type Status string

// What may come of a turn.
const (
	OK           Status = "ok"            // the newest release was applied
	Failed       Status = "failed"        // it was applied, and states failed
	CompileError Status = "compile_error" // it does not compile here; the last good release was applied, if there is one
	RunError     Status = "run_error"     // gostate could not be started, or was ended
	Refused      Status = "refused"       // what the source has is no release for this machine; what it had was applied
	Unreachable  Status = "unreachable"   // the source cannot be asked; what was here was applied
	Unfetched    Status = "unfetched"     // the newest release is not whole here; the last good one was applied
	Paused       Status = "paused"
	Blackout     Status = "blackout"
)

// A Report is what a machine says of one turn.
type Report struct {
	Format int    `json:"format"`
	Node   string `json:"node"`
	Run    string `json:"run"` // a name that no other report has; later ones sort behind
	Env    string `json:"env"`
	Why    string `json:"why"` // schedule, once, wake, job, ...
	// Job is the signed job that this was for, Words what it asked to run in the place of highstate; "" is none.
	Job      string    `json:"job,omitempty"`
	Words    []string  `json:"words,omitempty"`
	Status   Status    `json:"status"`
	Problems []Problem `json:"problems,omitempty"`
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	// Newest is the highest sequence that this machine has accepted, Applied the one that it ran.
	Newest  uint64   `json:"newest,omitempty"`
	Applied *Applied `json:"applied,omitempty"`
	Version string   `json:"version,omitempty"`
	// OtherGrains are those that the pillar was compiled for with other values.
	OtherGrains []string                   `json:"other_grains,omitempty"`
	Grains      map[string]json.RawMessage `json:"grains,omitempty"`
	// Thinned counts the reports that there was no room for, since the agent began.
	Thinned int `json:"thinned,omitempty"`
}

// A Problem is what was not as it should be.
type Problem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Detail  string `json:"detail,omitempty"` // what gostate said
}

// Applied is a release that was run.
type Applied struct {
	Sequence uint64         `json:"sequence"`
	Tree     release.Digest `json:"tree"`
	Payload  release.Digest `json:"payload"`
	LastGood bool           `json:"last_good,omitempty"` // in the place of a newer one
	Exit     int            `json:"exit"`
	Counts   Counts         `json:"counts"`
	// States are those that changed or failed, as gostate tells of them. Long texts are cut.
	States   []json.RawMessage `json:"states,omitempty"`
	Messages string            `json:"messages,omitempty"`
}

// Counts are the states of a run.
type Counts struct {
	Total     int `json:"total"`
	Unchanged int `json:"unchanged"`
	Changed   int `json:"changed"`
	Failed    int `json:"failed"`
}

func (r *Report) problem(kind, message, hint string) {
	r.Problems = append(r.Problems, Problem{Kind: kind, Message: message, Hint: hint})
}

// worse sets the status where it says more than what is there.
func (r *Report) worse(s Status) {
	if r.Status == OK || r.Status == "" {
		r.Status = s
	}
}

// Text is the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.Env, r.Status)
	if a := r.Applied; a != nil {
		fmt.Fprintf(&b, ", release %d", a.Sequence)
		if a.LastGood {
			fmt.Fprintf(&b, " (the last good one; the newest is %d)", r.Newest)
		}
		fmt.Fprintf(&b, ": %s, %d changed, %d failed", diag.Count(a.Counts.Total, "state"), a.Counts.Changed, a.Counts.Failed)
	}
	b.WriteString("\n")
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "  %s: %s\n", problem.Kind, problem.Message)
		for line := range strings.Lines(problem.Detail) {
			b.WriteString("    " + line)
		}
		if problem.Hint != "" {
			fmt.Fprintf(&b, "    hint: %s\n", problem.Hint)
		}
	}
	if len(r.OtherGrains) > 0 {
		fmt.Fprintf(&b, "  the pillar was compiled for other grains: %s\n", strings.Join(r.OtherGrains, ", "))
	}
	return b.String()
}
