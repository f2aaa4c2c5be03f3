package operate

import (
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
)

// A reportDoc is a report as programs get it: what the machine has sent, and when that came.
type reportDoc struct {
	Received time.Time `json:"received"`
	Class    Class     `json:"class"`
	Report   any       `json:"report"`
}

// JSON is what programs get of a report.
func (e Entry) JSON() any { return reportDoc{e.Received.UTC(), ClassOf(e.Report), e.Report} }

// Text is a report for people.
func (e Entry) Text() string {
	r := e.Report
	var b strings.Builder
	fmt.Fprintf(&b, "%s, run %s: %s\n", r.Node, r.Run, ClassOf(r))
	fmt.Fprintf(&b, "  began %s, took %.1f s, because of: %s\n", r.Started.UTC().Format(time.DateTime+" MST"), r.Seconds,
		r.Why)
	if late := e.Received.Sub(r.Started); late > 10*time.Minute || late < -10*time.Minute {
		fmt.Fprintf(&b, "  it came at %s: the machine could not deliver it, or its clock is wrong\n",
			e.Received.UTC().Format(time.DateTime+" MST"))
	}
	fmt.Fprintf(&b, "  %s", r.Env)
	if a := r.Applied; a != nil {
		fmt.Fprintf(&b, ": release %d", a.Sequence)
		if a.LastGood {
			fmt.Fprintf(&b, ", the last good one; the newest is %d", r.Newest)
		}
		fmt.Fprintf(&b, ": %s, %d changed, %d failed", diag.Count(a.Counts.Total, "state"), a.Counts.Changed, a.Counts.Failed)
	}
	fmt.Fprintf(&b, "; gostate %s\n", r.Version)
	if r.Thinned > 0 {
		fmt.Fprintf(&b, "  %s are lost: there was no room for them on the machine\n", diag.Count(r.Thinned, "earlier report"))
	}
	if len(r.OtherGrains) > 0 {
		fmt.Fprintf(&b, "  the pillar was compiled for other grains: %s\n", strings.Join(r.OtherGrains, ", "))
	}
	e.problems(&b)
	e.states(&b)
	return report.Visible(b.String())
}

func (e Entry) problems(b *strings.Builder) {
	for _, p := range e.Report.Problems {
		fmt.Fprintf(b, "  %s: %s\n", p.Kind, p.Message)
		indented(b, p.Detail)
		if p.Hint != "" {
			fmt.Fprintf(b, "    hint: %s\n", p.Hint)
		}
	}
}

func (e Entry) states(b *strings.Builder) {
	states, odd := statesOf(e.Report)
	for i := range states {
		s := &states[i]
		fmt.Fprintf(b, "\n%s %s: %s\n", s.Fun(), s.ID, s.Kind())
		if s.Name != "" && s.Name != s.ID {
			fmt.Fprintf(b, "    works on %s\n", s.Name)
		}
		indented(b, s.Comment)
		for _, p := range s.Altered() {
			switch {
			case strings.Contains(p.After, "\n"):
				fmt.Fprintf(b, "    %s:\n", p.Name)
				indented(b, p.After)
			case p.Before != "":
				fmt.Fprintf(b, "    %s: %s -> %s\n", p.Name, p.Before, p.After)
			default:
				fmt.Fprintf(b, "    %s: %s\n", p.Name, p.After)
			}
		}
	}
	if odd > 0 {
		fmt.Fprintf(b, "\n%s of the report cannot be read\n", diag.Count(odd, "state"))
	}
}

func indented(b *strings.Builder, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
	}
}

// A nodeDoc is a machine as programs get it.
type nodeDoc struct {
	ID      string     `json:"id"`
	Env     string     `json:"env,omitempty"`
	Class   Class      `json:"class"`
	Release uint64     `json:"release,omitempty"`
	Seen    *time.Time `json:"seen,omitempty"`
	Run     string     `json:"run,omitempty"`
	Status  string     `json:"status,omitempty"`
	Listed  bool       `json:"listed"`
	Damaged int        `json:"damaged_reports,omitempty"`
}

// JSON is what programs get of a machine.
func (m *Machine) JSON() any {
	d := nodeDoc{ID: m.ID, Env: m.Env, Class: m.Class, Release: m.Sequence(), Listed: m.Listed, Damaged: m.Damaged}
	if r := m.Last.Report; r != nil {
		seen := m.Last.Seen().UTC()
		d.Seen, d.Run, d.Status = &seen, r.Run, string(r.Status)
	}
	return d
}

// Table is a line for each machine.
func (f *Fleet) Table(machines []*Machine) string {
	wide := 0
	for _, m := range machines {
		wide = max(wide, min(len(m.ID), 40))
	}
	var b strings.Builder
	for _, m := range machines {
		fmt.Fprintf(&b, "%-*s  %-13s  %s\n", wide, m.ID, m.Class, m.Line(f.At))
	}
	return report.Visible(b.String())
}

// Line says in some words how a machine is.
func (m *Machine) Line(now time.Time) string {
	r := m.Last.Report
	if r == nil {
		return "no answer, " + m.Silence(now)
	}
	var words []string
	if m.Class == Unreported {
		words = append(words, "no answer, "+m.Silence(now), "before that "+string(ClassOf(r)))
	}
	words = append(words, runWords(r)...)
	if m.Class != Unreported {
		words = append(words, ago(now.Sub(m.Last.Seen())))
	}
	if m.Damaged > 0 {
		words = append(words, diag.Count(m.Damaged, "newer report")+" cannot be read")
	}
	return strings.Join(words, ", ")
}

// runWords say what a run did, and what was wrong first.
func runWords(r *agent.Report) []string {
	var words []string
	if a := r.Applied; a != nil {
		words = append(words, fmt.Sprintf("release %d", a.Sequence))
		if a.LastGood {
			words[0] += fmt.Sprintf(" in the place of %d", r.Newest)
		}
		if a.Counts.Changed > 0 {
			words = append(words, fmt.Sprintf("%d changed", a.Counts.Changed))
		}
		if a.Counts.Failed > 0 {
			words = append(words, fmt.Sprintf("%d failed", a.Counts.Failed))
		}
	}
	if len(r.Problems) > 0 && r.Status != agent.OK {
		words = append(words, firstLine(r.Problems[0].Message))
	}
	return words
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
