package operate

import (
	"fmt"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/state/report"
)

// JobFate is what a report says of the job; false where it is about another or none.
func JobFate(r bus.Report, job string) (Fate, bool) {
	e := hubEntry(r)
	if e.Report == nil || e.Report.Job != job {
		return Fate{}, false
	}
	f := Fate{ID: r.Node, End: EndRefused, Run: r.Run, last: e}
	if p := e.Report.Problems; len(p) > 0 {
		f.Why = report.Visible(firstLine(p[0].Message))
	}
	a := e.Report.Applied
	switch {
	case e.Report.Status == agent.CompileError:
		f.End = EndCompile
	case a != nil && a.Exit == 0:
		f.End, f.Why = EndOK, fmt.Sprintf("%d changed, %d unchanged", a.Counts.Changed, a.Counts.Unchanged)
	case a != nil && a.Counts.Failed > 0:
		f.End, f.Why = EndFailed, fmt.Sprintf("%d of %d states failed", a.Counts.Failed, a.Counts.Total)
	case a != nil, e.Report.Status == agent.RunError:
		f.End = EndFailed
	}
	return f, true
}
