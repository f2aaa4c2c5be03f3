package requisite

import (
	"slices"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
)

// listeners notes what listens, in the order in which Salt looks at it.
func (r *resolver) listeners() {
	p := r.plan
	last := map[state.Ref][]Target{}
	for _, l := range p.Low {
		if own := r.listensTo(l); own != nil {
			r.listen(l, own, last)
		}
		for i := range l.In {
			if l.In[i].Kind == state.Listen {
				r.listenIn(l, &l.In[i])
			}
		}
	}
	at := make(map[*state.Low]int, len(p.Listens))
	for _, e := range p.Listens {
		at[e.Low] = -1
	}
	for _, l := range p.Low {
		if _, ok := at[l]; ok {
			at[l] = len(p.Listeners)
			p.Listeners = append(p.Listeners, Listener{Low: l})
		}
	}
	for _, e := range p.Listens {
		u := &p.Listeners[at[e.Low]]
		u.Targets = append(u.Targets, e.Targets...)
	}
}

// listen notes that a state listens, and with it, as in Salt, all of its module that have its ID as ID or name. Where
// each of many names has the same listen, the first speaks for all.
func (r *resolver) listen(l *state.Low, own []Target, last map[state.Ref][]Target) {
	id := state.Ref{Module: l.Module, Target: l.ID}
	if slices.EqualFunc(last[id], own, func(a, b Target) bool { return a.Set == b.Set }) {
		return
	}
	last[id] = own
	for _, i := range r.index.lists[r.index.find(id)] {
		r.plan.Listens = append(r.plan.Listens, Listener{Low: r.plan.Low[i], Targets: own})
	}
}

// listensTo are the targets of the state's own listen.
func (r *resolver) listensTo(l *state.Low) []Target {
	var out []Target
	for i := range l.Reqs {
		if q := &l.Reqs[i]; q.Kind == state.Listen {
			out = append(out, Target{Req: q, Set: r.listened(l, q)})
		}
	}
	return out
}

// listened is the set that an entry of listen means. A bare ID is that of the first state that has it, as in Salt: not
// its other modules. Salt differs: it finds no state by a pattern there, and adds a Listen_Error that fails at the end.
func (r *resolver) listened(l *state.Low, q *state.Requisite) int32 {
	if q.To.Module != "id" || fnmatch.HasMeta(q.To.Target) {
		return r.find(l, q)
	}
	at := r.index.find(q.To)
	if at == NotFound {
		r.missing(l, q)
		return NotFound
	}
	first := r.plan.Low[r.index.lists[at][0]]
	return r.set(r.index.find(state.Ref{Module: first.Module, Target: first.ID}))
}

// listenIn turns one entry of listen_in round. Salt ignores one that names nothing.
func (r *resolver) listenIn(from *state.Low, q *state.Requisite) {
	at := r.index.others(q.To, r.index.find(q.To), from)
	if at == NotFound {
		d := diag.Errorf(q.Pos, "target '%s' of 'listen_in' in ID '%s' does not exist and is ignored, as Salt does",
			Shown(q.To), from.ID)
		if !r.opts.Strict {
			d.Severity = diag.Warning
		}
		d.Hint, _ = r.hint(q.To)
		r.diags.Add(d)
		return
	}
	back := &state.Requisite{Kind: state.Listen, To: state.Ref{Module: from.Module, Target: from.ID}, Pos: q.Pos}
	set := r.set(r.index.find(back.To))
	for _, i := range r.index.lists[at] {
		r.plan.Listens = append(r.plan.Listens, Listener{Low: r.plan.Low[i], Targets: []Target{{Req: back, Set: set}}})
	}
}
