package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A block is a change as it is shown: a name, and lines, or before and after.
type block struct {
	Name, Before, After string
	Lines               []line
	Left                int // lines that are left out
}

type line struct{ Class, Text string }

// maxLines is how much of one change is shown.
const maxLines = 2000

func blocks(list []Property) (out []block) {
	for _, p := range list {
		if !strings.Contains(strings.TrimRight(p.After, "\n"), "\n") {
			out = append(out, block{Name: p.Name, Before: p.Before, After: p.After})
			continue
		}
		b := block{Name: p.Name}
		lines := strings.Split(strings.TrimRight(p.After, "\n"), "\n")
		diff := strings.HasPrefix(p.After, "--- ") && strings.Contains(p.After, "\n+++ ")
		if len(lines) > maxLines {
			lines, b.Left = lines[:maxLines], len(lines)-maxLines
		}
		for _, l := range lines {
			b.Lines = append(b.Lines, line{classOf(l, diff), l})
		}
		out = append(out, b)
	}
	return out
}

func classOf(l string, diff bool) string {
	switch {
	case !diff:
		return ""
	case strings.HasPrefix(l, "@@"), strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "):
		return "hunk" // a line that was "-- x" and is gone looks so, too
	case strings.HasPrefix(l, "+"):
		return "add"
	case strings.HasPrefix(l, "-"):
		return "del"
	}
	return ""
}

// A bar is a state in the timeline; X and Width are thousandths of the whole.
type bar struct {
	At       int
	State    *State
	X, Width float64
	When     string
}

// maxBars is how many states the timeline shows: those that took longest.
const maxBars = 60

func (p *Page) bars() []bar {
	if p.Took <= 0 {
		return nil
	}
	var order []int
	for i := range p.States {
		if p.States[i].Took > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.States[b].Took, p.States[a].Took) })
	order = order[:min(len(order), maxBars)]
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.States[a].Start, p.States[b].Start) })
	out := make([]bar, len(order))
	for n, i := range order {
		s := &p.States[i]
		x := 1000 * float64(s.Start) / float64(p.Took)
		out[n] = bar{At: i, State: s, X: min(x, 998), Width: max(2, min(1000*float64(s.Took)/float64(p.Took), 1000-x)),
			When: fmt.Sprintf("began at %s, took %s", seconds(s.Start), seconds(s.Took))}
	}
	return out
}

// Duration is how long a state took, as people read it.
func (s *State) Duration() string { return seconds(s.Took) }

func seconds(micro int64) string {
	d := time.Duration(micro) * time.Microsecond
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(micro)/1000)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
