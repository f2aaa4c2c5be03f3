package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/gostate/gostate/cmd/internal/plan"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// A steward has to do with a plan: it makes one of a preview, or holds a run to one.
type steward interface {
	// declared is told of each state before its arguments are let go of.
	declared(l *state.Low, f modules.StateFunc)
	// begins is asked before anything is touched.
	begins(p *Prepared) error
	// looked is told of what a state would do; see run.Config.
	looked(l *run.Look) error
	ended(p *Prepared, rep *run.Report)
}

// A planner makes a plan of a preview.
type planner struct {
	s        *Session
	d        plan.Digester
	machine  host.Reader // as it is: what lies below the overlay
	declares map[*state.Low]string
	looks    map[*state.Low][]plan.Look
	files    map[string]string
	plan     *plan.Plan
}

func newPlanner(s *Session, key []byte) *planner {
	return &planner{s: s, d: plan.Digester{Key: key}, machine: s.real, declares: map[*state.Low]string{},
		looks: map[*state.Low][]plan.Look{}, files: map[string]string{}}
}

func (p *planner) declared(l *state.Low, f modules.StateFunc) {
	parts := []string{p.d.Value(l.Chunk())}
	if user, ok := f.(modules.SourceUser); ok {
		for _, use := range user.UsesSources() {
			parts = append(parts, p.s.sourceDigest(use, l.SourceEnv()))
		}
	}
	p.declares[l] = p.d.Text(parts...)
}

// sourceDigest is the content of what a state's source is.
func (s *Session) sourceDigest(use modules.SourceUse, env string) string {
	ctx := context.Background()
	for _, src := range use.Any {
		file, dir := s.files.Exists(src, env)
		switch {
		case file && !use.Dir:
			sum, _ := s.files.Hash(ctx, src, env)
			return src + " " + sum
		case dir:
			list, _ := s.files.List(src, env)
			all := src
			for _, f := range list {
				sum, _ := s.files.Hash(ctx, src+"/"+f.Path, env)
				all += "\n" + f.Path + " " + f.Link + " " + sum
			}
			return all
		}
	}
	return ""
}

func (p *planner) begins(*Prepared) error { return nil }

func (p *planner) looked(l *run.Look) error {
	look := plan.Look{How: how(l), Todo: l.Todo, Effect: p.d.Effect(l.Result, l.Over, l.Foot)}
	for _, seen := range plan.Seen(l.Foot) {
		if p.s.secrets.Holds(seen) {
			continue
		}
		if _, known := p.files[seen]; !known {
			p.files[seen] = p.d.Digest(p.machine, seen)
		}
		look.Reads = append(look.Reads, seen)
	}
	p.looks[l.Low] = append(p.looks[l.Low], look)
	return nil
}

func how(l *run.Look) string {
	switch {
	case l.Watched:
		return plan.Watching
	case l.Listened:
		return plan.Hearing
	}
	return plan.Itself
}

// ended makes the plan of what was seen.
func (p *planner) ended(pr *Prepared, rep *run.Report) {
	p.s.markChanges(rep)
	results, heard := map[*state.Low]*state.Result{}, map[*state.Low]*state.Result{}
	for _, r := range rep.Results {
		if r.How == state.Listened {
			heard[r.Low] = r
		} else {
			results[r.Low] = r
		}
	}
	p.plan = &plan.Plan{Made: time.Now().UTC(), Machine: p.who(), Key: p.d.Key, Files: p.files, Tree: p.s.treeDigests(p.d)}
	places := map[*state.Low]int{}
	for i, l := range pr.Plan.Order {
		places[l] = i
	}
	for _, l := range pr.Plan.Order {
		r := results[l]
		if h := heard[l]; h != nil && (r == nil || r.Outcome == state.Succeeded) {
			r = h
		}
		p.plan.States = append(p.plan.States, p.state(pr.Plan, l, r, places))
	}
}

func (p *planner) state(pl *requisite.Plan, l *state.Low, r *state.Result, places map[*state.Low]int) plan.State {
	hide := p.s.secrets.Text
	st := plan.State{Tag: p.d.Text(l.Tag()), ID: hide(l.ID), Name: hide(l.Name), State: l.Fun(), SLS: l.SLS,
		Place: l.Pos.String(), Declared: p.declares[l], Looks: p.looks[l], After: after(pl, l, places), Result: plan.Skipped}
	if r == nil {
		return st
	}
	st.Result, st.Handler, st.Waits = becomes(r), r.How == state.OnfailOff, hide(r.Doubt)
	st.Comment = hide(r.Comment)
	if r.Outcome == state.Pending {
		st.Comment = report.Would(st.Comment)
	}
	if r.Changed() {
		text, err := value.DumpsJSON(p.s.secrets.Value(r.Changes), value.JSONOptions{Unicode: true,
			Default: func(v value.Value) (value.Value, error) { return value.Str(value.String(v)), nil }})
		if err == nil {
			st.Changes = json.RawMessage(text)
		}
	}
	return st
}

func becomes(r *state.Result) string {
	switch {
	case r.Outcome == state.Failed:
		return plan.Fails
	case r.Noop && r.Outcome == state.Pending:
		return plan.Skipped
	case r.Doubt != "":
		return plan.Unknown
	case r.Outcome == state.Pending:
		return plan.Change
	case r.How == state.Called || r.How == state.Watched || r.How == state.Listened:
		return plan.Unchanged
	}
	return plan.Skipped
}

// maxAfter is how many states are written down for one that waits for more: all of an SLS, say.
const maxAfter = 64

func after(pl *requisite.Plan, l *state.Low, places map[*state.Low]int) (out []plan.Wait) {
	for _, g := range pl.Groups[l.Index] {
		for t := range pl.States(g.Targets) {
			if i, ok := places[t]; ok && len(out) < maxAfter && i != places[l] {
				out = append(out, plan.Wait{Kind: g.Kind.Key(g.Mode), On: i})
			}
		}
	}
	return out
}

// who says whose plan this is.
func (p *planner) who() plan.Machine {
	s := p.s
	id, _ := os.ReadFile(filepath.Join(s.machine.Root(), "/etc/machine-id")) // without one, all are alike
	return plan.Machine{ID: s.id, Root: s.machine.Root(), Host: p.d.Text(string(id)), User: os.Geteuid()}
}

// treeDigests are the digests of the files of the tree that were read.
func (s *Session) treeDigests(d plan.Digester) map[string]string {
	out := map[string]string{"the pillar": d.Value(s.closed(s.Pillar()))}
	for path, text := range s.roots.All() {
		if !s.secrets.Holds(path) {
			out[path] = d.Text(string(text))
		}
	}
	return out
}
