package run

import (
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// Noop says whether a state is only looked at, in a run that is a noop run or is not: its own word counts, then that of
// its SLS, then the run's.
func Noop(low *state.Low, run bool) bool {
	if n := low.Meta().Noop; n != nil {
		return *n
	}
	return run
}

// Mixed reports each prereq of which one state would be applied and the other is noop, or the first is only audited:
// what is to be done before a change would be done without it, or left out.
func Mixed(plan *requisite.Plan, run bool) (out []*diag.Diagnostic) {
	for i, of := range plan.PrereqOf {
		target := plan.Low[i]
		for _, a := range of {
			low := plan.Low[a]
			if low.Meta().Audit && !target.Meta().Audit && !Noop(target, run) {
				out = append(out, diag.Errorf(low.ArgPos("audit"),
					"%s is only audited, and prereq puts it before %s, which would be applied", requisite.Named(low),
					requisite.Named(target)).WithHint("take the audit or the prereq away (%s)", target.Pos))
			}
			if Noop(low, run) == Noop(target, run) {
				continue
			}
			off, on := low, target
			if Noop(target, run) {
				off, on = target, low
			}
			pos := off.ArgPos("noop")
			if pos.IsZero() {
				pos = off.Pos
			}
			d := diag.Errorf(pos, "%s is noop, and prereq joins it to %s, which would be applied", requisite.Named(off),
				requisite.Named(on))
			out = append(out, d.WithHint("give both the same noop, or take the prereq away (%s)", on.Pos))
		}
	}
	return out
}

// aside is what noop states act on: an overlay of what the others work on, nil where there is no such state. What a
// noop state would leave is seen by those after it, and by no other.
func aside(cfg Config) *host.Overlay {
	for _, l := range cfg.Plan.Low {
		if Noop(l, cfg.Noop) && (cfg.Only == nil || cfg.Only[l.Index]) {
			if cfg.Aside != nil {
				return cfg.Aside()
			}
			return host.NewOverlay(cfg.Host)
		}
	}
	return nil
}

func (x *executor) noop(low *state.Low) bool { return x.aside != nil && Noop(low, x.cfg.Noop) }

// looks says whether a state is not applied, but previewed.
func (x *executor) looks(low *state.Low) bool { return x.cfg.Preview || x.noop(low) }

// base is what a state works on, or is tried on.
func (x *executor) base(low *state.Low) host.Host {
	if x.noop(low) {
		return x.aside
	}
	return x.cfg.Host
}

// A reliance names what a state requires, however far away, and that is not there.
type reliance struct {
	promised *state.Low // would change, and comes to it in the run that is previewed
	held     *state.Low // would change, and is noop
}

// both says that there is nothing more to look for.
func (r reliance) both() bool { return r.promised != nil && r.held != nil }

// or fills what is empty with the other's.
func (r reliance) or(o reliance) reliance {
	if r.promised == nil {
		r.promised = o.promised
	}
	if r.held == nil {
		r.held = o.held
	}
	return r
}

// relies gives what the state stands on that is not there.
func (x *executor) relies(low *state.Low) (r reliance) {
	if !x.cfg.Preview && x.aside == nil {
		return r
	}
	for _, g := range x.plan.Groups[low.Index] {
		if g.Kind == state.Onfail || g.Kind == state.Prereq {
			continue
		}
		for _, t := range g.Targets {
			if t.Set == requisite.NotFound || r.both() {
				continue
			}
			more := x.setRelies(t.Set)
			if g.Kind == state.Staged {
				more.held = nil // a stage stands on none of its states in particular
			}
			r = r.or(more)
		}
	}
	x.waits[low.Index] = r
	return r
}

// setRelies is the first of the set that is not there, and the first that one of the set relies on.
func (x *executor) setRelies(set int32) reliance {
	s := &x.sets[set]
	if s.waitsKnown {
		return s.waits
	}
	var out reliance
	for _, i := range x.plan.Sets[set] {
		if r := x.results[i]; r != nil && r.Outcome == state.Pending {
			if r.Noop {
				out = out.or(reliance{held: r.Low})
			} else {
				out = out.or(reliance{promised: r.Low})
			}
		}
		if out = out.or(x.waits[i]); out.both() {
			break
		}
	}
	s.waits, s.waitsKnown = out, s.known
	return out
}

// settleNoop says of a result what noop made of it: of its own, or of what it stands on and would have reacted to.
func (x *executor) settleNoop(t *task, r *state.Result) {
	switch {
	case x.aside == nil:
	case x.noop(t.low):
		r.Noop = true
		if r.Outcome == state.Pending {
			r.Comment = line(r.Comment, "Not applied (noop)")
		}
	case t.calls != nil && !t.watch:
		r.Comment = line(r.Comment, notCalled(t.calls))
	case t.held != nil:
		r.Comment = line(r.Comment, "Stands on "+requisite.Named(t.held)+", which was not applied (noop)")
	}
}

func notCalled(by *state.Low) string {
	return "Would have been triggered by " + requisite.Named(by) + ", which was not applied (noop)"
}

// line adds a line to a comment.
func line(comment, more string) string {
	if comment == "" {
		return more
	}
	return comment + "\n" + more
}

// noteCall notes which noop state would trigger this one.
func (x *executor) noteCall(low *state.Low, g *requisite.Group, v *verdict) {
	row := state.KindOf(g.Kind, g.Mode)
	reacting := row.Reaction.InTurn() && reacts(x.cfg.Bound[low.Index])
	if v.calls != nil || !reacting && row.Gate != state.GateChanged && row.Gate != state.GateAnyChanged {
		return
	}
	v.calls = x.would(g.Targets)
}

// would is the first noop state among the targets that would change; nil for none.
func (x *executor) would(targets []requisite.Target) *state.Low {
	for t := range x.plan.States(targets) {
		if r := x.results[t.Index]; r != nil && r.Noop && (r.Refreshed || didChange(r, true)) {
			return t
		}
	}
	return nil
}
