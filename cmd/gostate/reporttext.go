package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/value"
)

const clock = "2006-01-02 15:04:05"

// runLine is a report in one line, or two where one has no place on a terminal of a width; 0 is no terminal.
func runLine(r *history.Run, width int) string {
	line := fmt.Sprintf("%-24s %s  %-24s ", r.ID, r.Time.Local().Format(clock), r.Command)
	if end := ending(r); width == 0 || len(line)+len(end) <= width {
		return line + end + "\n"
	}
	return strings.TrimRight(line, " ") + "\n    " + ending(r) + "\n"
}

// ending says how a run ended.
func ending(r *history.Run) string {
	if r.IsNone() {
		return "no report: what is in its file is something else"
	}
	if r.Footer == nil {
		return "without an end: it was killed, or is under way"
	}
	c := r.Footer.Counts
	text := fmt.Sprintf("exit %d, %d states, %d changed", r.Footer.Exit, c.Total, c.Changed)
	if c.Changed > 0 {
		text += fmt.Sprintf(" (%d intentional, %d corrective)", c.Intentional, c.Corrective)
	}
	text += fmt.Sprintf(", %d failed", c.Failed)
	if r.Footer.Interrupted {
		text += ", interrupted"
	}
	if r.Damaged > 0 {
		text += ", damaged"
	}
	return text
}

// runText is a report for people: who ran what, what changed and what failed. What was in order is counted.
func runText(r *history.Run) string {
	if r.IsNone() {
		return fmt.Sprintf("%s: %s\n%s\n", r.ID, ending(r), r.Path)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: gostate %s", r.ID, r.Command)
	if r.Mode == "noop" {
		b.WriteString(" (noop)")
	}
	fmt.Fprintf(&b, "\n%s%s\n%s\n", r.Time.Local().Format(clock), headText(r), ending(r))
	if r.Damaged > 0 {
		fmt.Fprintf(&b, "%d lines of %s cannot be read\n", r.Damaged, r.Path)
	}
	quiet := 0
	for i := range r.States {
		s := &r.States[i]
		if o := s.Outcome(); o == "in order" || o == "skipped" {
			quiet++
			continue
		}
		stateText(&b, r, s)
	}
	if quiet > 0 {
		fmt.Fprintf(&b, "\nand %s in order or skipped\n", diag.Count(quiet, "state"))
	}
	footText(&b, r)
	return b.String()
}

func headText(r *history.Run) string {
	text := ""
	if r.Footer != nil {
		text = ", took " + tookText(r.Footer.Took)
	}
	if r.Machine != "" {
		text += ", on " + r.Machine
	}
	if r.Root != "" && r.Root != "/" {
		text += " in " + r.Root
	}
	if r.User != "" {
		text += ", by " + r.User
	}
	if r.By != "" {
		text += " (" + r.By + ")"
	}
	if t := r.Config; t != nil {
		text += ", commit " + t.Commit[:min(12, len(t.Commit))]
		if t.Dirty {
			text += " with local changes"
		}
	}
	for _, from := range r.Remotes {
		text += "\n  from " + remoteText(from, r.Time)
	}
	return text
}

// remoteText is a commit of a remote repository, with its age where it was not fetched for the run.
func remoteText(f history.Remote, run time.Time) string {
	text := fmt.Sprintf("%s %s %s at %s", f.Kind, f.URL, f.Ref, f.Commit[:min(12, len(f.Commit))])
	if f.Ref != f.Env {
		text += ", environment " + f.Env
	}
	if old := run.Sub(f.Fetched); old > time.Hour {
		text += fmt.Sprintf(", fetched %s before", old.Round(time.Minute))
	}
	return text
}

func tookText(micro int64) string {
	return (time.Duration(micro) * time.Microsecond).Round(time.Millisecond / 10).String()
}

func stateText(b *strings.Builder, r *history.Run, s *history.State) {
	fmt.Fprintf(b, "\n%s: %s", s.Outcome(), s.Label())
	if s.Name != s.ID {
		fmt.Fprintf(b, " (%s)", s.Name)
	}
	if s.Class != "" {
		b.WriteString(", " + s.Class)
	}
	if s.Corrected > 1 {
		fmt.Fprintf(b, " in %d runs running", s.Corrected)
	}
	fmt.Fprintf(b, ", %s\n", tookText(s.Took))
	if because := labels(r, s.Because); len(because) > 0 {
		b.WriteString("  because of " + strings.Join(because, ", ") + "\n")
	}
	if s.Cause != nil {
		b.WriteString("  caused by " + strings.Join(labels(r, []int{*s.Cause}), "") + "\n")
	}
	for _, p := range s.Altered() {
		propertyText(b, &p)
	}
	if s.Result != history.True && s.Comment != "" {
		b.WriteString(indented(s.Comment, "  ") + "\n")
	}
}

// labels are the states of the numbers.
func labels(r *history.Run, list []int) []string {
	var out []string
	for _, n := range list {
		for i := range r.States {
			if s := &r.States[i]; s.N == n && s.How != history.HowListened {
				out = append(out, s.Label())
				break
			}
		}
	}
	return out
}

func propertyText(b *strings.Builder, p *history.Property) {
	after, before := plain(p.After), plain(p.Before)
	switch {
	case strings.Contains(after, "\n"):
		fmt.Fprintf(b, "  %s:\n%s\n", p.Name, indented(strings.TrimSuffix(after, "\n"), "    "))
	case !p.Before.IsZero():
		fmt.Fprintf(b, "  %s: %s -> %s\n", p.Name, before, after)
	default:
		fmt.Fprintf(b, "  %s: %s\n", p.Name, after)
	}
	if p.Error != "" {
		fmt.Fprintf(b, "  %s: %s\n", p.Name, p.Error)
	}
}

func plain(v history.Value) string {
	switch t := v.Value.(type) {
	case nil:
		return ""
	case value.Str:
		if t == "" {
			return "''"
		}
		return string(t)
	}
	return value.Repr(v.Value)
}

func footText(b *strings.Builder, r *history.Run) {
	if r.Footer == nil {
		return
	}
	for _, o := range r.Footer.Owed {
		fmt.Fprintf(b, "owed: %s, for %s, since %s\n", o.State, o.Cause, o.Since.Local().Format(clock))
	}
	for _, s := range r.Footer.Never {
		fmt.Fprintf(b, "never converging: %s\n", s)
	}
}

func indented(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}

// diffText is what differs between two runs, for people.
func diffText(a, b *history.Run, diffs []history.Difference) string {
	var t strings.Builder
	fmt.Fprintf(&t, "a: %sb: %s", runLine(a, 0), runLine(b, 0))
	for _, d := range diffs {
		switch {
		case d.A == nil:
			fmt.Fprintf(&t, "+ %s: %s\n", d.Label, d.B.Outcome())
		case d.B == nil:
			fmt.Fprintf(&t, "- %s: was %s\n", d.Label, d.A.Outcome())
		case d.Declared:
			fmt.Fprintf(&t, "~ %s: %s -> %s, declared otherwise\n", d.Label, d.A.Outcome(), d.B.Outcome())
		default:
			fmt.Fprintf(&t, "~ %s: %s -> %s\n", d.Label, d.A.Outcome(), d.B.Outcome())
		}
	}
	if len(diffs) == 0 {
		t.WriteString("all states came out alike\n")
	}
	return t.String()
}
