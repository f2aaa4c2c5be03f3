package state

import (
	"cmp"
	"slices"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// prerequired is Salt's inner name of "some state has this one as its prereq"; it is shown in the low state.
const prerequired = "prerequired"

// An extension gathers what requisite_in adds to one ID.
type extension struct {
	decl  *Decl
	index map[modText]int // module, argument -> place in the module's Args
}

type extensions struct {
	list []*extension
	byID map[string]*extension
}

// of is the extension of the ID, made when there is none.
// Salt differs: it passes over requisites in another state that it cannot read or place, without a word.
func (x *extensions) of(id string) *extension {
	e := x.byID[id]
	if e == nil {
		e = &extension{decl: &Decl{ID: id}, index: map[modText]int{}}
		x.byID[id] = e
		x.list = append(x.list, e)
	}
	return e
}

func (e *extension) body(module string) *Body {
	if s := e.decl.State(module); s != nil {
		return s.Body
	}
	b := &Body{}
	e.decl.States = append(e.decl.States, StateDecl{Module: module, Body: b})
	return b
}

// add appends one requisite to the argument of the module.
func (e *extension) add(module, key string, r ReqItem) {
	b := e.body(module)
	k := modText{module, key}
	if i, ok := e.index[k]; ok {
		b.Args[i].Reqs = append(b.Args[i].Reqs, r)
		return
	}
	e.index[k] = len(b.Args)
	b.Args = append(b.Args, Arg{Name: key, Reqs: []ReqItem{r}, Pos: r.Pos})
}

// requisiteIn turns require_in and its like round, works in use and use_in, and notes what is prerequired.
func (c *compiler) requisiteIn() []*Decl {
	x := &extensions{byID: map[string]*extension{}}
	for i, d := range c.decls {
		for n := range d.States {
			s := &d.States[n]
			args := c.body(s).Args
			for j := range args {
				if args[j].IsFunc() {
					continue
				}
				if k, ok := reqKeyOf(args[j].Name); ok && !k.free &&
					(k.in && k.kind != Listen || k.kind == Use || k.kind == Prereq) {
					c.turn(x, i, s, &args[j], k)
				}
			}
		}
	}
	out := make([]*Decl, len(x.list))
	for i, e := range x.list {
		out[i] = e.decl
	}
	return out
}

// turn handles one argument that points the other way.
func (c *compiler) turn(x *extensions, from int, s *StateDecl, a *Arg, k reqKey) {
	if _, isDict := a.Val.(*value.Dict); isDict {
		for _, r := range a.Reqs {
			c.turnOne(x, from, s, k, r, place{module: r.Module}, r.Target, true)
		}
		return
	}
	items, queried := c.known(from, s, a, k)
	for _, r := range queried {
		r.Times = 1
		c.turnOne(x, from, s, k, r, place{module: r.Module}, r.Target, false)
	}
	for n, r := range items {
		// Salt keeps the targets of the earlier entries, up to an SLS, so an earlier target gets the requisite once more for
		// each further entry.
		r.Times = 1 + plainRun(items, n+1)
		var hinges []hinge
		switch r.Module {
		case "sls":
			hinges = c.ofWholeSLS(r.Target)
		case "puppet":
			hinges = c.ofResource(r.Target)
		}
		if r.Module != "sls" && hinges == nil {
			c.turnOne(x, from, s, k, r, place{module: r.Module}, r.Target, false)
			continue
		}
		if len(hinges) == 0 && (k.in || k.kind == Use) {
			c.ignored(diag.Errorf(r.Pos, "SLS '%s' in '%s' of ID '%s' has no states and is ignored, as Salt does", r.Target,
				a.Name, c.decls[from].ID).
				WithHint("include it, or correct the name"))
		}
		for _, h := range hinges {
			c.turnOne(x, from, s, k, r, place{module: h.module}, h.id, false)
		}
	}
}

// plainRun is how many entries from n on name no SLS.
func plainRun(items []ReqItem, n int) int {
	from := n
	for n < len(items) && items[n].Module != "sls" {
		n++
	}
	return n - from
}

// known are the entries of an argument with their modules, those that queries pick for themselves; bare ones that are
// not there are reported and left out.
func (c *compiler) known(from int, s *StateDecl, a *Arg, k reqKey) (out, queried []ReqItem) {
	out = make([]ReqItem, 0, len(a.Reqs))
	for _, r := range a.Reqs {
		if found, isQuery := c.queried(from, s, r, k); isQuery {
			queried = append(queried, found...)
			continue
		}
		if r.Module != "" {
			out = append(out, r)
			continue
		}
		bare, ok := c.bare(r)
		switch {
		case ok:
			out = append(out, bare)
		case c.aside[modText{"", r.Target}]:
			c.diags.Add(diag.Errorf(r.Pos, "'%s' in '%s' of ID '%s' is virtual, and nothing realizes it", r.Target, a.Name,
				c.decls[from].ID).WithHint("%s", HintRealize("", r.Target)))
		case k.kind != Prereq || k.in:
			c.ignored(diag.Errorf(r.Pos, "'%s' in '%s' of ID '%s' does not exist and is ignored, as Salt does", r.Target, a.Name,
				c.decls[from].ID).
				WithHint("%s", hintID(c.nearestID(r.Target))))
		}
	}
	return out, queried
}

// queried are the states that an entry picks as a query, without the one that has it. One that is the ID, the name or
// another text of a state is no query.
func (c *compiler) queried(from int, s *StateDecl, r ReqItem, k reqKey) (out []ReqItem, isQuery bool) {
	ref := Ref{Module: cmp.Or(r.Module, "id"), Target: r.Target}
	if !ref.IsQuery() || k.kind == Prereq && !k.in {
		return nil, false
	}
	if _, bare := c.bare(r); bare && r.Module == "" || len(c.findName(r.Target, r.Module, true)) > 0 {
		return nil, false
	}
	for _, p := range c.sketch().pick(ReqItem{Module: ref.Module, Target: r.Target}) {
		if id := c.decls[p.decl].ID; p.decl != from || p.module != s.Module {
			out = append(out, ReqItem{Module: p.module, Target: id, Pos: r.Pos})
		}
	}
	if len(out) == 0 && !c.incomplete {
		c.diags.Add(diag.Errorf(r.Pos, "'%s' in '%s' of ID '%s' picks no state", shownItem(r), k.name, c.decls[from].ID).
			WithHint("%s", c.sketch().Hint(ref)))
	}
	return out, true
}

// shownItem is an entry of a requisite as it is written.
func shownItem(r ReqItem) string {
	if r.Module == "" {
		return r.Target
	}
	return r.Module + ": " + r.Target
}

func hintID(near string) string {
	if near == "" {
		return "include the SLS that declares it"
	}
	return "did you mean '" + near + "'?"
}

type hinge struct{ id, module string }

// bare finds the module of a bare target: the ID's first, or that of a state with the name.
func (c *compiler) bare(r ReqItem) (ReqItem, bool) {
	if i, ok := c.byID[r.Target]; ok && len(c.decls[i].States) > 0 {
		r.Module = c.decls[i].States[0].Module
		return r, true
	}
	p, ok := c.byAlias("", r.Target)
	if !ok {
		p, ok = c.byNameArg(r.Target)
	}
	if !ok {
		return r, false
	}
	return ReqItem{Module: p.module, Target: c.decls[p.decl].ID, Pos: r.Pos}, true
}

// byNameArg finds the first state whose argument `name` is the text.
func (c *compiler) byNameArg(name string) (place, bool) {
	if c.names == nil {
		c.names = map[string]place{}
		for i, d := range c.decls {
			for n := range d.States {
				args := c.body(&d.States[n]).Args
				for j := range args {
					if t, ok := strVal(args[j].Val); ok && args[j].Name == "name" {
						if _, there := c.names[t]; !there {
							c.names[t] = place{i, d.States[n].Module}
						}
					}
				}
			}
		}
	}
	p, ok := c.names[name]
	return p, ok
}

// ofWholeSLS are all states of the SLS.
func (c *compiler) ofWholeSLS(sls string) []hinge {
	var out []hinge
	for _, i := range c.ofSLS(sls) {
		for _, s := range c.decls[i].States {
			out = append(out, hinge{c.decls[i].ID, s.Module})
		}
	}
	return out
}

// ofResource are the states that a resource of a Puppet catalog stands for.
func (c *compiler) ofResource(ref string) (out []hinge) {
	is := func(r string) bool { return PuppetKey(r) == PuppetKey(ref) }
	for _, d := range c.decls {
		if slices.ContainsFunc(d.Within, is) {
			out = append(out, hinge{d.ID, d.States[0].Module})
		}
	}
	return out
}

// turnOne works one target in.
func (c *compiler) turnOne(x *extensions, from int, s *StateDecl, k reqKey, r ReqItem, to place, name string,
	dictForm bool) {
	d := c.decls[from]
	back := ReqItem{Module: s.Module, Target: d.ID, Pos: r.Pos, Times: r.Times}
	switch {
	case k.kind == Use && !dictForm:
		c.use(x, from, s, k, r, name, to.module)
		return
	case k.kind == Prereq && !k.in:
		for _, p := range c.findName(name, to.module, true) {
			x.of(c.decls[p.decl].ID).add(p.module, prerequired, back)
		}
		return
	case k.kind == Prereq && !dictForm:
		x.of(d.ID).add(s.Module, prerequired, ReqItem{Module: to.module, Target: name, Pos: r.Pos, Times: r.Times})
	}
	e := x.of(name)
	e.decl.SLS, e.decl.Env = d.SLS, d.Env
	e.add(to.module, k.kind.Key(All), back)
}

// useKeeps are the arguments that use and use_in never copy.
func useKeeps(a *Arg) bool {
	if k, isReq := a.req(); isReq && k.free {
		return true
	}
	switch a.Name {
	case "name", "names", "require", "watch", "prereq", "onfail", "onfail_stop", "onchanges", "use",
		"alias", "virtual", "require_in", "watch_in", "onfail_in", "onchanges_in", "use_in", "prereq_in":
		return true
	}
	return false
}

// use copies arguments: from the target to the state (use) or the other way (use_in), never over its own.
func (c *compiler) use(x *extensions, from int, s *StateDecl, k reqKey, r ReqItem, name, module string) {
	found := c.findName(name, module, true)
	if len(found) == 0 {
		c.ignored(diag.Errorf(r.Pos, "target '%s: %s' of %s in ID '%s' does not exist and is ignored, as Salt does", module,
			name, useName(k),
			c.decls[from].ID).WithHint("%s", hintID(c.nearestID(name))))
	}
	for _, p := range found {
		other := c.decls[p.decl].State(p.module)
		if other == nil {
			continue
		}
		giver, taker, takerID, takerModule := c.body(other), c.body(s), c.decls[from].ID, s.Module
		if k.in {
			giver, taker, takerID, takerModule = taker, giver, c.decls[p.decl].ID, p.module
		}
		b := x.of(takerID).body(takerModule)
		for _, a := range giver.Args {
			if !a.IsFunc() && !useKeeps(&a) && !taker.Has(a.Name) {
				b.Args = append(b.Args, a)
			}
		}
	}
}

func useName(k reqKey) string {
	if k.in {
		return "use_in"
	}
	return "use"
}
