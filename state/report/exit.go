package report

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

// The exit codes of a run; what was wrong before it has others.
const (
	ExitOK     = 0
	ExitFailed = 2
	// The detailed codes are Puppet's.
	ExitDetailedChanged = 2
	ExitDetailedFailed  = 4
	ExitDetailedBoth    = 6
)

// ExitCode is 0 when all went well and 2 when a state failed or the run was interrupted. Detailed codes tell changes
// (2, pending ones in test mode) from failures (4) and both (6). What noop kept from being applied is no change, nor
// is what an audit found. A failure that is handled does not count, as in Salt.
// Salt differs: it ends with 1, and with 2 where --retcode-passthrough is given.
func ExitCode(r *run.Report, detailed bool) int {
	failed, changed := r.Interrupted, false
	for _, res := range r.Results {
		failed = failed || res.Outcome == state.Failed && !r.Handled[res]
		if failed := res.Outcome == state.Failed; failed && res.Low.Meta().Within != nil {
			continue // what a command of a Puppet catalog did that failed is no change
		}
		changed = changed || !res.Noop && !res.Low.Meta().Audit &&
			(res.Changed() || r.Preview && res.Outcome == state.Pending)
	}
	switch {
	case !detailed && failed:
		return ExitFailed
	case !detailed:
		return ExitOK
	case failed && changed:
		return ExitDetailedBoth
	case failed:
		return ExitDetailedFailed
	case changed:
		return ExitDetailedChanged
	}
	return ExitOK
}
