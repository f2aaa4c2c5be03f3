package operate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
)

// A Status counts a fleet.
type Status struct {
	At       time.Time     `json:"at"`
	Machines int           `json:"machines"`
	Counts   map[Class]int `json:"counts"`
	Releases []Spread      `json:"releases"`
	// Unlisted are machines that report and that nodes.yaml has not.
	Unlisted []string `json:"unlisted,omitempty"`
	Listless bool     `json:"no_nodes_yaml,omitempty"`
	fleet    *Fleet
}

// A Spread is an environment: its newest release, and how many machines run which.
type Spread struct {
	Env    string         `json:"env"`
	Newest uint64         `json:"newest"` // that a machine has accepted
	Have   int            `json:"have"`   // machines that run it
	Of     int            `json:"of"`
	By     map[uint64]int `json:"by"` // 0: not known
}

// Status counts the machines.
func (f *Fleet) Status() *Status {
	s := &Status{At: f.At, Machines: len(f.Machines), Counts: map[Class]int{}, Listless: f.Listless, fleet: f}
	for _, c := range Classes() {
		s.Counts[c] = 0
	}
	envs := map[string]*Spread{}
	for _, m := range f.Machines {
		s.Counts[m.Class]++
		if !m.Listed && !f.Listless {
			s.Unlisted = append(s.Unlisted, m.ID)
		}
		e := envs[m.Env]
		if e == nil {
			e = &Spread{Env: m.Env, By: map[uint64]int{}}
			envs[m.Env] = e
		}
		e.Of++
		e.By[m.Sequence()]++
		if r := m.Last.Report; r != nil {
			e.Newest = max(e.Newest, r.Newest, m.Sequence())
		}
	}
	for _, e := range envs {
		if e.Newest > 0 {
			e.Have = e.By[e.Newest]
		}
		s.Releases = append(s.Releases, *e)
	}
	slices.SortFunc(s.Releases, func(a, b Spread) int { return strings.Compare(a.Env, b.Env) })
	return s
}

// Bad says whether a machine is not as it should be.
func (s *Status) Bad() bool {
	for c, n := range s.Counts {
		if c.Bad() && n > 0 {
			return true
		}
	}
	return false
}

// named is how many machines of a class are named.
const named = 5

// String is the status for people.
func (s *Status) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", diag.Count(s.Machines, "machine"))
	for _, c := range Classes() {
		if n := s.Counts[c]; n > 0 {
			names := ""
			if c.Bad() || c == Paused {
				names = s.names(c)
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("%6d %-13s %s", n, c, names), " ") + "\n")
		}
	}
	for _, e := range s.Releases {
		b.WriteString(e.String() + "\n")
	}
	if s.Listless {
		b.WriteString("There is no nodes.yaml: machines that never reported are not known.\n")
	}
	if n := len(s.Unlisted); n > 0 {
		fmt.Fprintf(&b, "%s, not in nodes.yaml: %s\n", diag.Count(n, "machine"),
			strings.Join(s.Unlisted[:min(n, named)], ", ")+more(n))
	}
	return b.String()
}

func more(n int) string {
	if n <= named {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-named)
}

func (s *Status) names(c Class) string {
	var out []string
	n := 0
	for _, m := range s.fleet.Machines {
		if m.Class != c {
			continue
		}
		if n++; n <= named {
			text := m.ID
			if c == Unreported {
				text += " (" + m.Silence(s.At) + ")"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ") + more(n)
}

// Silence says since when a machine has not reported.
func (m *Machine) Silence(now time.Time) string {
	switch {
	case m.Last.Report != nil:
		return "last seen " + ago(now.Sub(m.Last.Seen()))
	case m.Damaged > 0:
		return "none of its reports can be read"
	}
	return "never seen"
}

// ago is a time that has passed, for people.
func ago(d time.Duration) string {
	n, unit := int(d/time.Second), "s"
	switch {
	case d < 0:
		return "just now" // by a clock that is ahead
	case d >= 48*time.Hour:
		n, unit = int(d/(24*time.Hour)), "days"
	case d >= 2*time.Hour:
		n, unit = int(d/time.Hour), "h"
	case d >= 2*time.Minute:
		n, unit = int(d/time.Minute), "min"
	}
	return fmt.Sprintf("%d %s ago", n, unit)
}

// String is a line: "prod: release 418: 3 of 5 run it, 1 runs 417, of 1 it is not known".
func (e Spread) String() string {
	name := cmp.Or(e.Env, "no environment")
	if e.Newest == 0 {
		return fmt.Sprintf("%s: no release is known, %s", report.Visible(name), diag.Count(e.Of, "machine"))
	}
	text := fmt.Sprintf("%s: release %d: %d of %d run it", report.Visible(name), e.Newest, e.Have, e.Of)
	var others []uint64
	for seq := range e.By {
		if seq != e.Newest && seq != 0 {
			others = append(others, seq)
		}
	}
	slices.SortFunc(others, func(a, b uint64) int { return cmp.Compare(b, a) })
	for i, seq := range others {
		if i == named {
			text += fmt.Sprintf(", and %d older ones", len(others)-named)
			break
		}
		text += fmt.Sprintf(", %d run %d", e.By[seq], seq)
	}
	if n := e.By[0]; n > 0 {
		text += fmt.Sprintf(", of %d it is not known", n)
	}
	return text
}
