package operate

import (
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/page"
	"github.com/gostate/gostate/state/diag"
)

// Page is a report on the page that shows a run.
func Page(e Entry) *page.Page {
	r := e.Report
	p := &page.Page{Title: r.Node + ", " + string(ClassOf(r))}
	fact := func(name, text string) {
		if text != "" {
			p.Facts = append(p.Facts, page.Fact{Name: name, Text: text})
		}
	}
	fact("Run", r.Run)
	fact("Began", r.Started.UTC().Format(time.DateTime+" MST"))
	fact("Took", fmt.Sprintf("%.1f s", r.Seconds))
	fact("Environment", r.Env)
	fact("Because of", r.Why)
	fact("gostate", r.Version)
	if a := r.Applied; a != nil {
		fact("Release", fmt.Sprint(a.Sequence))
		fact("Exit code", fmt.Sprint(a.Exit))
		p.Notes = append(p.Notes, fmt.Sprintf("Of %s, %d were in order: those are counted, and not shown.",
			diag.Count(a.Counts.Total, "state"), a.Counts.Unchanged))
	}
	p.Notes = append(p.Notes, notes(r)...)
	states, odd := statesOf(r)
	for i := range states {
		s := &states[i]
		p.States = append(p.States, page.State{ID: s.ID, Name: s.Name, Fun: s.Fun(), SLS: s.SLS, Kind: s.Kind(),
			Comment: s.Comment, Took: int64(s.Duration * 1000), Properties: s.Altered(), Cause: -1})
	}
	if odd > 0 {
		p.Notes = append(p.Notes, diag.Count(odd, "state")+" of the report cannot be read.")
	}
	return p
}

// notes are what else a report tells.
func notes(r *agent.Report) (out []string) {
	for _, p := range r.Problems {
		out = append(out, strings.TrimSpace(p.Kind+": "+p.Message+"\n"+p.Detail+"\n"+p.Hint))
	}
	if a := r.Applied; a != nil && a.LastGood {
		out = append(out, fmt.Sprintf("It is the last good release; the newest is %d.", r.Newest))
	}
	if len(r.OtherGrains) > 0 {
		out = append(out, "The pillar was compiled for other grains: "+strings.Join(r.OtherGrains, ", "))
	}
	if r.Thinned > 0 {
		out = append(out, diag.Count(r.Thinned, "earlier report")+" are lost: there was no room for them.")
	}
	return out
}

// Summary says in some words what a run did.
func Summary(r *agent.Report) string { return strings.Join(runWords(r), ", ") }

// Texts are the values of a grain.
func (g GrainDiff) Texts() string { return grainText(g.A) + " -> " + grainText(g.B) }
