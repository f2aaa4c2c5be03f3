package report

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// shownCauses is how many root causes the end of a report names.
const shownCauses = 20

// A Cause is a failure of its own, and how many others follow from it.
type Cause struct {
	Result    *state.Result
	Followers int
}

// Causes are the failures that have no failure before them, in the order of the run.
func Causes(r *run.Report) []Cause {
	var out []Cause
	at := map[string]int{} // by tag, since a forecast's failure is not the result itself
	followers := map[string]int{}
	for _, res := range r.Results {
		switch {
		case res.Outcome != state.Failed:
		case res.Cause == nil:
			at[res.Tag()] = len(out)
			out = append(out, Cause{Result: res})
		default:
			followers[res.Cause.Tag()]++
		}
	}
	for tag, i := range at {
		out[i].Followers = followers[tag]
	}
	return out
}

// ending says, below the summary, why states failed and which were not run. It is silent when all went well.
func (h *highstate) ending(r *run.Report) {
	causes := Causes(r)
	if len(causes) > 0 {
		h.line(h.paint.red, "\nFailed:")
		for i, c := range causes {
			if i == shownCauses {
				h.line(h.paint.red, fmt.Sprintf("  and %d more", len(causes)-i))
				break
			}
			h.line(h.paint.red, "  "+Visible(c.line(r)))
		}
	}
	if text := notRun(r); text != "" {
		h.line(h.paint.lightYellow, "\n"+text)
	}
}

// notRun says what an end before the end left undone, "" where nothing is.
func notRun(r *run.Report) string {
	// Salt differs: it says nothing of what did not run.
	n, m := len(r.NotRun), len(r.NotCalled)
	if n+m == 0 && !r.Interrupted {
		return ""
	}
	why := "the run was interrupted"
	if r.Stopped != nil && !r.Interrupted {
		why = "failhard of " + name(r.Stopped)
	}
	text := diag.Count(n, "state")
	if m > 0 {
		text += " and " + diag.Count(m, "listener")
	}
	return "Not run: " + text + " (" + why + ")"
}

func (c Cause) line(r *run.Report) string {
	res := c.Result
	text := name(res)
	if res.Low.Pos.File != "" {
		text += " (" + res.Low.Pos.String() + ")"
	}
	if first := firstLine(res.Comment); first != "" {
		text += ": " + first
	}
	text += exitOf(res)
	if c.Followers > 0 {
		text += "; " + diag.Count(c.Followers, "state") + " failed because of it"
	}
	if r.Handled[res] {
		text += "; its onfail handlers succeeded"
	}
	return text
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

// exitOf is how a command ended, which its comment does not say.
func exitOf(res *state.Result) string {
	if res.Changes == nil {
		return ""
	}
	code, ok := res.Changes.GetStr("retcode")
	if !ok {
		return ""
	}
	text := ", exit code " + value.String(code)
	if said, ok := res.Changes.GetStr("stderr"); ok {
		if first := firstLine(value.String(said)); first != "" {
			text += ": " + first
		}
	}
	return text
}

// name is how a result is called in a sentence.
func name(r *state.Result) string { return r.Low.Module + "." + r.Func + " " + r.ID }
