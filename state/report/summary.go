package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

// Counts are the figures of the summary.
type Counts struct {
	Total, Succeeded, Failed, Pending, Changed, Noop, Warnings int
	Duration                                                   time.Duration // of the states together
}

// Count counts the results.
func Count(r *run.Report) Counts {
	c := Counts{Total: len(r.Results)}
	for _, res := range r.Results {
		switch res.Outcome {
		case state.Succeeded:
			c.Succeeded++
		case state.Failed:
			c.Failed++
		case state.Pending:
			c.Pending++
		}
		switch {
		case res.Noop && res.Outcome == state.Pending:
			c.Noop++
		case res.Changed():
			c.Changed++
		}
		if len(res.Warnings) > 0 {
			c.Warnings++
		}
		c.Duration += res.Duration
	}
	return c
}

// summary writes the block that ends Salt's highstate text.
func (h *highstate) summary(r *run.Report) {
	c := Count(r)
	digits := 0
	for _, n := range []int{c.Succeeded, c.Failed, c.Pending, c.Warnings} {
		if n > 0 {
			digits = max(digits, len(strconv.Itoa(n)))
		}
	}
	width := len("Succeeded") + digits + 2
	rule := strings.Repeat("-", width)
	h.line(h.paint.cyan, "\nSummary for "+h.o.host()+"\n"+rule)
	h.line(func(s string) string { return s }, h.paint.green(counted("Succeeded", strconv.Itoa(c.Succeeded+c.Pending),
		width))+h.changeCounts(c))
	failed := h.paint.cyan
	if c.Failed > 0 {
		failed = h.paint.red
	}
	h.line(failed, counted("Failed", strconv.Itoa(c.Failed), width))
	if c.Warnings > 0 {
		h.line(h.paint.lightRed, counted("Warnings", strconv.Itoa(c.Warnings), width))
	}
	if h.o.Percent && c.Total > 0 {
		h.line(h.paint.green, counted("Success %", percent(c.Succeeded+c.Pending, c.Total), width))
		h.line(failed, counted("Failure %", percent(c.Failed, c.Total), width))
	}
	h.line(h.paint.cyan, rule+"\n"+fmt.Sprintf("Total states run: %*d", width-7, c.Total))
	if !h.o.NoProfile {
		h.line(h.paint.cyan, totalTime(c.Duration, width))
	}
}

func counted(label, count string, width int) string {
	return fmt.Sprintf("%s: %*s", label, width-len(label)-2, count)
}

func (h *highstate) changeCounts(c Counts) string {
	var parts []string
	if n := c.Pending - c.Noop; n > 0 {
		parts = append(parts, h.paint.lightYellow(fmt.Sprintf("unchanged=%d", n)))
	}
	if c.Noop > 0 {
		parts = append(parts, h.paint.lightYellow(fmt.Sprintf("%d would change (noop)", c.Noop)))
	}
	if c.Changed > 0 {
		parts = append(parts, h.paint.green(fmt.Sprintf("changed=%d", c.Changed)))
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func percent(n, total int) string {
	p := strconv.FormatFloat(float64(n)*100/float64(total), 'f', 2, 64)
	p = strings.TrimRight(p, "0")
	if strings.HasSuffix(p, ".") {
		p += "0"
	}
	return p
}

func totalTime(d time.Duration, width int) string {
	n, unit := float64(d)/1e6, "ms"
	if n > 999 {
		n, unit = n/1000, "s"
	}
	return fmt.Sprintf("Total run time: %*s %s", width-5, strconv.FormatFloat(n, 'f', 3, 64), unit)
}
