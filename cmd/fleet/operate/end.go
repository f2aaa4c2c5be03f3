package operate

import (
	"fmt"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/report"
)

// An End is what became of a machine in a roll-out: each comes to one of the last four.
type End string

// The ends.
const (
	Waiting    End = "waiting"
	EndOK      End = "ok"
	EndFailed  End = "failed"
	EndCompile End = "compile error"
	EndRefused End = "not applied" // it answers, and does not apply the release: refused, paused, not fetched
	EndSilent  End = "no answer"
)

// A Fate is a machine in a roll-out.
type Fate struct {
	ID   string `json:"id"`
	End  End    `json:"end"`
	Why  string `json:"why,omitempty"`
	Run  string `json:"run,omitempty"`
	last Entry
}

// fate is what the newest report says of a release. Waiting is for one that does not say it: what may mend itself at
// the machine's next turn is waited for.
func fate(id string, last Entry, sequence uint64, payload release.Digest) Fate {
	f := Fate{ID: id, End: Waiting, last: last}
	r := last.Report
	if r == nil {
		return f
	}
	f.Run = r.Run
	if len(r.Problems) > 0 && r.Status != agent.OK {
		f.Why = report.Visible(firstLine(r.Problems[0].Message))
	}
	a := r.Applied
	ours := a != nil && !a.LastGood && (a.Payload == payload || a.Sequence > sequence)
	switch {
	case ours && a.Exit == 0:
		f.End = EndOK // also where its source could not be asked again
	case ours && r.Status == agent.CompileError, r.Status == agent.CompileError && r.Newest >= sequence:
		f.End = EndCompile
	case ours:
		f.End = EndFailed
		if a.Counts.Failed > 0 {
			f.Why = fmt.Sprintf("%d of %d states failed", a.Counts.Failed, a.Counts.Total)
		}
	}
	return f
}

// timeout is what a machine is that was waited for long enough; before is the run that it had reported before that.
// What clocks say is not asked: those of machines may be wrong.
func (f Fate) timeout(before string, now time.Time) Fate {
	switch {
	case f.End != Waiting:
	case f.last.Report == nil:
		f.End, f.Why = EndSilent, "never seen"
	case f.Run == before:
		f.End, f.Why = EndSilent, "last seen "+ago(now.Sub(f.last.Seen()))
	default:
		f.End = EndRefused
		if f.Why == "" {
			f.Why = fmt.Sprintf("%s, it runs release %d", f.last.Report.Status, sequenceOf(f.last.Report))
		}
	}
	return f
}

func sequenceOf(r *agent.Report) uint64 {
	if r.Applied == nil {
		return 0
	}
	return r.Applied.Sequence
}

// String is a line: "web3  failed  2 of 14 states failed".
func (f Fate) String() string {
	text := f.ID + ": " + string(f.End)
	if f.Why != "" {
		text += ", " + f.Why
	}
	return text
}
