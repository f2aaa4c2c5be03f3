// Package diag holds what gostate tells its user about wrong input: where (file, line, column), what, and how to mend
// it.
//
// Diagnostics of a phase are collected, sorted and then shown together. The package reads no files: whoever prints
// gives it the lines.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Pos is a place in a file of the user's. Line and Col count from 1; 0 is unknown.
type Pos struct {
	File      string
	Line, Col int
}

// IsZero says whether nothing is known of the place.
func (p Pos) IsZero() bool { return p == Pos{} }

// String is FILE:LINE:COL, as far as it is known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity says whether a diagnostic ends the run.
type Severity uint8

const (
	// Error ends the run before any state runs.
	Error Severity = iota
	// Warning is shown, and the run goes on.
	Warning
	// Note is shown: it may be a fault, and nobody can tell.
	Note
)

// String is the word for it.
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// A Related place explains a diagnostic: the other declaration, one edge of a cycle.
type Related struct {
	Pos Pos
	Msg string
}

// A Diagnostic is one thing that is wrong. Msg is a lower-case clause that quotes the user's word; Hint is an action or
// a nearest name, "" when there is none.
// Salt differs: it tells faults as text, without a place, one phase after the other.
type Diagnostic struct {
	Severity Severity
	Pos      Pos
	Msg      string
	Hint     string
	Related  []Related
}

// Errorf makes an error at a place.
func Errorf(pos Pos, format string, args ...any) *Diagnostic {
	return &Diagnostic{Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// Warnf makes a warning at a place.
func Warnf(pos Pos, format string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Warning, Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// WithHint sets the hint and gives the diagnostic back.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Error makes a Diagnostic an error: its place and what is wrong.
func (d *Diagnostic) Error() string {
	if d.Pos.IsZero() {
		return d.Msg
	}
	return d.Pos.String() + ": " + d.Msg
}

// A List is the diagnostics of one or more phases. The zero List is empty.
type List struct{ All []*Diagnostic }

// Add appends diagnostics.
func (l *List) Add(ds ...*Diagnostic) { l.All = append(l.All, ds...) }

// AddErr appends what err holds: a *Diagnostic, a *List, a join of them, or any other error without a place. nil adds
// nothing.
func (l *List) AddErr(err error) {
	var other *List
	var one *Diagnostic
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			l.AddErr(e)
		}
		return
	}
	switch {
	case err == nil:
	case errors.As(err, &other):
		l.All = append(l.All, other.All...)
	case errors.As(err, &one):
		l.All = append(l.All, one)
	default:
		l.All = append(l.All, &Diagnostic{Msg: err.Error()})
	}
}

// HasErrors says whether any of them ends the run.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.All, func(d *Diagnostic) bool { return d.Severity == Error })
}

// Errors counts what ends a run.
func (l *List) Errors() int { return l.Count(Error) }

// Count counts those of a severity.
func (l *List) Count(s Severity) int {
	n := 0
	for _, d := range l.All {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Err is the list as an error, nil when it holds none of severity Error.
func (l *List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return l
}

// Error joins the texts of all diagnostics, a line each.
func (l *List) Error() string {
	lines := make([]string, len(l.All))
	for i, d := range l.All {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort puts errors before warnings before notes, then by file, line, column and text, and drops exact repetitions.
func (l *List) Sort() {
	slices.SortStableFunc(l.All, func(a, b *Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Msg, b.Msg))
	})
	l.All = slices.CompactFunc(l.All, func(a, b *Diagnostic) bool {
		return a.Severity == b.Severity && a.Pos == b.Pos && a.Msg == b.Msg
	})
}
