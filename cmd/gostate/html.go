package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/gostate/gostate/cmd/internal/page"
	"github.com/gostate/gostate/cmd/internal/plan"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

// writePage writes a page to standard output, which is to be a file.
func (p *program) writePage(pg *page.Page) error { return page.Write(p.Out, pg) }

// noPageOn refuses a terminal, where nobody reads HTML.
func noPageOn(w io.Writer, command string) error {
	if f, ok := report.Under(w).(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return usagef("--html writes a page, and this is a terminal\nhint: gostate %s --html > page.html", command)
	}
	return nil
}

// reportPage is the page of a run.
func reportPage(r *history.Run) *page.Page {
	pg := &page.Page{Title: "gostate " + r.Command}
	if r.Machine != "" {
		pg.Title += " on " + r.Machine
	}
	fact := func(name, text string) {
		if text != "" {
			pg.Facts = append(pg.Facts, page.Fact{Name: name, Text: text})
		}
	}
	fact("Run", r.ID)
	fact("Began", r.Time.Local().Format(clock))
	if f := r.Footer; f != nil {
		pg.Took = f.Took
		fact("Took", tookText(f.Took))
		fact("Exit code", fmt.Sprint(f.Exit))
		for _, o := range f.Owed {
			pg.Notes = append(pg.Notes, "owed: "+o.State+", for "+o.Cause)
		}
		for _, s := range f.Never {
			pg.Notes = append(pg.Notes, "never converging: "+s)
		}
	} else if !r.IsNone() {
		pg.Notes = append(pg.Notes, "The report has no end: the run was killed, or is under way.")
	}
	if r.Damaged > 0 {
		pg.Notes = append(pg.Notes, fmt.Sprintf("%d lines of the report cannot be read.", r.Damaged))
	}
	fact("By", strings.TrimSuffix(r.User+" ("+r.By+")", " ()"))
	if r.Root != "/" {
		fact("Root", r.Root)
	}
	if t := r.Config; t != nil {
		dirty := ""
		if t.Dirty {
			dirty = ", with local changes"
		}
		fact("Tree", t.Commit+dirty)
	}
	for _, from := range r.Remotes {
		fact("From", remoteText(from, r.Time))
	}
	fact("gostate", r.Gostate)
	places := map[int]int{}
	for i := range r.States {
		if r.States[i].How != history.HowListened {
			places[r.States[i].N] = i
		}
	}
	for i := range r.States {
		pg.States = append(pg.States, pageState(&r.States[i], places))
	}
	return pg
}

func pageState(s *history.State, places map[int]int) page.State {
	out := page.State{ID: s.ID, Name: s.Name, Fun: s.Fun, SLS: s.SLS, Place: s.Pos, Note: s.Class, Comment: s.Comment,
		Start: s.Start, Took: s.Took, Cause: -1, Kind: map[string]page.Kind{"blocked": page.Blocked, "failed": page.Failed,
			"pending": page.Unknown, "skipped": page.Skipped, "changed": page.Changed, "in order": page.InOrder}[s.Outcome()]}
	if out.Kind == "" {
		out.Kind, out.Note = page.Unknown, s.Outcome()
	}
	if s.Cause != nil {
		if i, ok := places[*s.Cause]; ok {
			out.Cause = i
		}
	}
	for _, n := range s.Because {
		if i, ok := places[n]; ok {
			out.Because = append(out.Because, i)
		}
	}
	for _, e := range s.Requires {
		for _, n := range e.To {
			if i, ok := places[n]; ok && len(out.Waits) < maxWaits {
				out.Waits = append(out.Waits, page.Wait{Kind: e.Kind, On: i})
			}
		}
	}
	for _, p := range s.Altered() {
		out.Properties = append(out.Properties, page.Property{Name: p.Name, Before: plain(p.Before), After: plain(p.After)})
	}
	for _, w := range s.Warnings {
		out.Comment += "\nwarning: " + w
	}
	return out
}

// maxWaits is how many states are named that one waits for.
const maxWaits = 64

// planPage is the page of a plan.
func planPage(p *plan.Plan) *page.Page {
	pg := &page.Page{Title: "gostate plan for " + p.Machine.ID, Plan: true, Facts: []page.Fact{
		{Name: "Made", Text: p.Made.Local().Format(clock)}, {Name: "Root", Text: p.Machine.Root},
		{Name: "gostate", Text: p.Gostate}},
		Notes: []string{"A preview: nothing was changed."}}
	for i := range p.States {
		s := &p.States[i]
		out := page.State{ID: s.ID, Name: s.Name, Fun: s.State, SLS: s.SLS, Place: s.Place, Comment: s.Comment, Cause: -1,
			Kind: map[string]page.Kind{plan.Change: page.Changed, plan.Unknown: page.Unknown, plan.Unchanged: page.InOrder,
				plan.Skipped: page.Skipped, plan.Fails: page.Failed}[s.Result]}
		if s.Result == plan.Unknown {
			out.Note = "until " + s.Waits + " is applied"
		}
		for _, w := range s.After {
			out.Waits = append(out.Waits, page.Wait{Kind: w.Kind, On: w.On})
		}
		if v, err := value.ParseJSON(string(s.Changes)); err == nil && json.Valid(s.Changes) {
			h := history.State{Changes: history.Value{Value: v}}
			for _, c := range h.Altered() {
				out.Properties = append(out.Properties, page.Property{Name: c.Name, Before: plain(c.Before), After: plain(c.After)})
			}
		}
		pg.States = append(pg.States, out)
	}
	return pg
}
