package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// An edge comes from a resource, to the one that has it.
type edge struct {
	from    *Resource
	refresh bool
	pos     diag.Pos
}

// contained finds the native resources that each stands for.
func (m *maker) contained() {
	m.before = map[*Resource][]edge{}
	for _, r := range m.native {
		all := r.containers()
		for _, in := range append([]*Resource{r}, all...) {
			m.members[in] = append(m.members[in], r)
		}
	}
}

// containers are all that contain the resource, each once.
func (r *Resource) containers() []*Resource {
	var out []*Resource
	seen := map[*Resource]bool{r: true}
	next := []*Resource{r}
	for len(next) > 0 {
		x := next[0]
		next = next[1:]
		for _, in := range x.in {
			if !seen[in] {
				seen[in] = true
				out, next = append(out, in), append(next, in)
			}
		}
	}
	return out
}

// tell notes a relationship.
func (m *maker) tell(e Edge) {
	from, to := m.cat.Find(e.From), m.cat.Find(e.To)
	m.before[to] = append(m.before[to], edge{from, e.Refresh, e.pos})
	if e.Refresh {
		for _, r := range m.members[to] {
			m.told[r] = true
		}
	}
}

// waits are the edges to a native resource: its own, and those of what contains it. One from what keeps nothing on the
// machine stands for those to that.
func (m *maker) waits(r *Resource) []edge {
	w := &walk{m: m, seen: map[*Resource]int{}, at: map[*Resource]int{}}
	w.to(r, true)
	return w.out
}

// A walk collects the edges to one resource, each source once.
type walk struct {
	m    *maker
	out  []edge
	at   map[*Resource]int // where a source stands in out, from 1
	seen map[*Resource]int // that keep nothing, and were walked: 1 without a refresh, 2 with one
}

func (w *walk) to(r *Resource, refresh bool) {
	for _, x := range append([]*Resource{r}, r.containers()...) {
		for _, e := range w.m.before[x] {
			w.from(edge{e.from, e.refresh && refresh, e.pos})
		}
	}
}

func (w *walk) from(e edge) {
	if e.from.outside || w.m.keeps(e.from) {
		if at := w.at[e.from]; at > 0 {
			w.out[at-1].refresh = w.out[at-1].refresh || e.refresh
			return
		}
		w.out = append(w.out, e)
		w.at[e.from] = len(w.out)
		return
	}
	level := 1
	if e.refresh {
		level = 2
	}
	if w.seen[e.from] < level {
		w.seen[e.from] = level
		w.to(e.from, e.refresh)
	}
}

// keeps says whether a state comes of the resource, or of something in it.
func (m *maker) keeps(r *Resource) bool {
	return slices.ContainsFunc(m.members[r], func(x *Resource) bool { return len(m.calls[x]) > 0 })
}

// emit makes the declarations.
func (m *maker) emit() {
	ahead := m.ahead()
	for _, r := range m.native {
		waits := m.waits(r)
		for i, c := range m.calls[r] {
			d := m.decl(r, c, waits, ahead[r])
			within := []string{r.Ref()}
			for _, in := range r.containers() {
				within = append(within, in.Ref())
			}
			if first := "the first part of " + r.Ref(); i > 0 {
				m.require(d, first)
			} else {
				within = append(within, first)
			}
			d.Within = within
			m.out.High.Decls = append(m.out.High.Decls, d)
		}
	}
}

// ahead are the relationships of native resources to states that are not of the catalog.
func (m *maker) ahead() map[*Resource][]edge {
	out := map[*Resource][]edge{}
	for _, o := range m.cat.outside {
		for _, e := range m.waits(o) {
			for _, r := range m.members[e.from] {
				out[r] = append(out[r], edge{o, e.refresh, e.pos})
			}
		}
	}
	return out
}

// item is the entry of a requisite for one end of an edge.
func (e edge) item(r *Resource) state.ReqItem {
	item := state.ReqItem{Module: Module, Target: e.from.Ref(), Pos: e.pos}
	if e.from.outside {
		module, target, named := strings.Cut(e.from.Title, ":")
		if item.Module, item.Target = module, strings.TrimSpace(target); !named {
			item.Module, item.Target = "", module
		}
	}
	if item.Pos.IsZero() {
		item.Pos = r.Pos
	}
	return item
}

// require lets a declaration wait for one more.
func (m *maker) require(d *state.Decl, ref string) {
	item := state.ReqItem{Module: Module, Target: ref, Pos: d.Pos}
	args := &d.States[0].Args
	for i := range *args {
		if a := &(*args)[i]; a.Name == "require" {
			a.Reqs = append(a.Reqs, item)
			return
		}
	}
	*args = append(*args, state.Arg{Name: "require", Pos: d.Pos, Reqs: []state.ReqItem{item}})
}

// decl is one call as a declaration.
func (m *maker) decl(r *Resource, c *call, waits, ahead []edge) *state.Decl {
	body := &state.Body{Args: append([]state.Arg{state.FuncArg(c.fn, r.Pos)}, c.args...)}
	body.Args = append(body.Args, arrows(r, waits, "require", "subscribe", c.deaf)...)
	body.Args = append(body.Args, arrows(r, ahead, "before", "notify", false)...)
	body.Args = append(body.Args, m.meta(r)...)
	for i := range body.Args {
		body.Args[i].Pos = r.Pos
	}
	id := r.Ref()
	if c.id != "" {
		id = c.id
	}
	return &state.Decl{ID: id, SLS: r.SLS, Env: cmp.Or(m.opts.Env, "base"), Pos: r.Pos,
		States: []state.StateDecl{{Module: c.module, Pos: r.Pos, Body: body}}}
}

// arrows are the requisites that edges come to, those with a refresh and those without; who is deaf hears of none.
func arrows(r *Resource, edges []edge, plain, refresh string, deaf bool) (out []state.Arg) {
	for _, name := range []string{plain, refresh} {
		var items []state.ReqItem
		for _, e := range edges {
			if (e.refresh && !deaf) == (name == refresh) {
				items = append(items, e.item(r))
			}
		}
		if len(items) > 0 {
			out = append(out, state.Arg{Name: name, Reqs: items})
		}
	}
	return out
}

// meta are the metaparameters of a resource that states have, too.
func (m *maker) meta(r *Resource) (out []state.Arg) {
	add := func(name string, v value.Value) { out = append(out, state.Arg{Name: name, Val: v}) }
	a := &attrs{m: m, r: r, used: map[string]bool{}}
	if b, given := a.truth("noop"); given {
		add("noop", value.Bool(b))
	}
	if s := a.text("schedule"); s != "" {
		_, title, isRef := splitRef(s)
		if !isRef {
			title = s
		}
		add("schedule", value.Str(title))
	}
	l := value.NewList()
	for _, t := range r.Tags {
		if state.IsTag(t) {
			l.Items = append(l.Items, value.Str(t))
		}
	}
	if len(l.Items) > 0 {
		add("tags", l)
	}
	return out
}
