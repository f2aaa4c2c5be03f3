package session

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gostate/gostate/cmd/internal/plan"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
)

// A guard holds a run to a plan: no state does what was not planned.
type guard struct {
	planner
	plan  *plan.Plan
	stale map[string]string // by tag: why a state is refused
	pr    *Prepared
	// granted are the calls that were let through, refused the states that were not, by the name that others wait for.
	granted map[string]bool
	refused map[string]bool
	// wrote is what this run has written so far; loose says that a deed may have written anything.
	wrote map[string]bool
	loose bool
}

func newGuard(s *Session, pl *plan.Plan, stale map[string]string) *guard {
	return &guard{planner: *newPlanner(s, pl.Key), plan: pl, stale: stale, granted: map[string]bool{},
		refused: map[string]bool{}, wrote: map[string]bool{}}
}

// begins makes sure that the tree is still that of the plan, now that it has been read for the run.
func (g *guard) begins(p *Prepared) error {
	g.pr = p
	same := len(p.Plan.Order) == len(g.plan.States)
	for i := 0; same && i < len(p.Plan.Order); i++ {
		l, st := p.Plan.Order[i], &g.plan.States[i]
		same = g.d.Text(l.Tag()) == st.Tag && g.declares[l] == st.Declared
	}
	if !same {
		return diag.Errorf(diag.Pos{}, "the tree has changed since the plan was made, nothing is applied").
			WithHint("look at it, and make a new plan: gostate plan -o FILE")
	}
	return nil
}

// looked lets a state do what the plan says, and nothing else.
func (g *guard) looked(l *run.Look) error {
	key := g.d.Text(l.Low.Tag(), how(l))
	if g.granted[key] || !l.Todo {
		return nil // another try, or nothing to do
	}
	if why := g.refusal(l); why != "" {
		g.refused[acting(l.Low)] = true
		return errors.New("not applied: " + why + "; make a new plan")
	}
	g.granted[key] = true
	for _, p := range l.Foot.Wrote {
		g.wrote[p] = true
	}
	g.loose = g.loose || slices.ContainsFunc(l.Foot.Deeds, func(k host.Kind) bool { return k != host.FactUnit })
	return nil
}

func acting(l *state.Low) string { return l.Fun() + " " + l.ID }

// refusal is why a state is not to do what it would do now, "" when it is as planned.
func (g *guard) refusal(l *run.Look) string {
	tag := g.d.Text(l.Low.Tag())
	st := g.plan.Find(tag)
	if st == nil {
		return "it is not in the plan"
	}
	if why := g.stale[tag]; why != "" {
		return why
	}
	if why := g.onRefused(l.Low, st); why != "" {
		return why
	}
	planned := st.Look(how(l))
	switch {
	case st.Result == plan.Unknown, st.Handler && g.handles(l.Low):
		return ""
	case planned == nil || !planned.Todo:
		return fmt.Sprintf("nothing was planned for it (%s), and now it would change something: %s", st.Result,
			l.Result.Comment)
	}
	if path := g.moved(l); path != "" {
		return path + " has changed since the run began"
	}
	if g.d.Effect(l.Result, l.Over, l.Foot) != planned.Effect {
		return "what it would do is no longer what was planned: " + l.Result.Comment
	}
	return ""
}

// onRefused says that a state whose outcome was open stands on one that was refused.
func (g *guard) onRefused(l *state.Low, st *plan.State) string {
	if st.Waits != "" && g.refused[st.Waits] {
		return "it depends on " + st.Waits + ", which was not applied"
	}
	for _, gr := range g.pr.Plan.Groups[l.Index] {
		if gr.Kind != state.Onfail {
			continue
		}
		for t := range g.pr.Plan.States(gr.Targets) {
			if g.refused[acting(t)] {
				return "it is for the failure of " + acting(t) + ", which was only not applied"
			}
		}
	}
	return ""
}

// handles says whether a state is for failures. Those cannot be planned, and what makes them good is a part of the
// tree.
func (g *guard) handles(l *state.Low) bool {
	return slices.ContainsFunc(l.Reqs, func(r state.Requisite) bool { return r.Kind == state.Onfail })
}

// moved is the first path that the state writes and that is neither as it was planned nor this run's.
func (g *guard) moved(l *run.Look) string {
	if g.loose {
		return ""
	}
	for _, seen := range plan.Seen(l.Foot) {
		p := plan.Path(seen)
		was, known := g.plan.Files[seen]
		if known && !g.wrote[p] && slices.Contains(l.Foot.Wrote, p) && g.d.Digest(g.machine, seen) != was {
			return p
		}
	}
	return ""
}

func (g *guard) declared(l *state.Low, f modules.StateFunc) { g.planner.declared(l, f) }

func (g *guard) ended(*Prepared, *run.Report) {}
