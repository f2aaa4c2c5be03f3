package state

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
)

func matchSLS(pattern, sls string) bool { return fnmatch.Match(pattern, sls) }

// extendAll works what the files extend into the declarations: by ID, name or alias, then by queries, which see what
// that came to and not each other.
func (c *compiler) extendAll(list []*Decl) {
	var queries []*Decl
	for _, e := range list {
		if _, known := c.byID[e.ID]; !known && (Ref{Target: e.ID}).IsQuery() && len(e.States) > 0 &&
			len(c.findName(e.ID, e.States[0].Module, false)) == 0 {
			queries = append(queries, e)
			continue
		}
		c.extend(e, false)
	}
	found := make([][][]place, len(queries))
	for i, e := range queries {
		for k := range e.States {
			found[i] = append(found[i], c.picked(e, &e.States[k]))
		}
	}
	for i, e := range queries {
		for k := range e.States {
			c.extendFound(e, &e.States[k], found[i][k])
		}
	}
	c.sketched, c.aliases = nil, nil
}

// picked are the states of the module that the query of an extension picks: only those of the function, if it names
// one.
func (c *compiler) picked(e *Decl, s *StateDecl) []place {
	k := c.sketch()
	found := k.Find(Ref{Module: s.Module, Target: e.ID})
	if _, fun, named := strings.Cut(s.Fun(), "."); named {
		found = slices.DeleteFunc(slices.Clone(found), func(i int32) bool { return k.low[i].Func != fun })
	}
	return k.at(found)
}

func (c *compiler) extendFound(e *Decl, s *StateDecl, found []place) {
	if len(found) == 0 && !c.incomplete {
		c.diags.Add(diag.Errorf(e.Pos, "cannot extend '%s' in SLS '%s': no %s state is like that", e.ID, e.SLS, s.Fun()).
			WithHint("%s", c.sketch().Hint(Ref{Module: s.Module, Target: e.ID})))
	}
	if c.excludedSLS(e.SLS) {
		return
	}
	for _, p := range found {
		b := c.write(c.decls[p.decl].State(p.module))
		for _, a := range s.Args {
			if !a.IsFunc() {
				b.merge(a)
			}
		}
	}
}

// extend works one extension into the declarations. strict is the second round, after requisite_in: there the module
// must be declared under the ID, or one state of it must have the name.
func (c *compiler) extend(e *Decl, strict bool) {
	if len(e.States) == 0 {
		return
	}
	i, known := c.byID[e.ID]
	if !known || c.decls[i].State(e.States[0].Module) == nil {
		found := c.findName(e.ID, e.States[0].Module, strict)
		if len(found) != 1 {
			c.cannotExtend(e, len(found), strict)
			return
		}
		i = found[0].decl
	}
	if c.excludedSLS(e.SLS) {
		return
	}
	for k := range e.States {
		s := &e.States[k]
		old := c.decls[i].State(s.Module)
		if old == nil {
			c.addState(i, *s)
			continue
		}
		b := c.write(old)
		for n := range s.Args {
			b.merge(s.Args[n])
		}
	}
}

// merge works one item into a body: a function replaces the function, requisites are appended, other arguments
// replaced, and what was not there is added.
func (b *Body) merge(arg Arg) {
	done := false
	key, isReq := arg.req()
	appends := arg.Name == prerequired || isReq && key.merges()
	for i := range b.Args {
		a := &b.Args[i]
		switch {
		case arg.IsFunc() != a.IsFunc():
		case arg.IsFunc():
			*a, done = arg, true
		case a.Name == arg.Name && appends:
			a.addReqs(arg.Reqs)
			done = true
		case a.Name == arg.Name:
			*a, done = arg, true
		case arg.Name == "name" && a.Name == "names":
			*a = arg // but it is added once more, as in Salt: the last one counts
		}
	}
	if !done {
		b.Args = append(b.Args, arg)
	}
}

// addReqs appends entries; those of the high data are copied first.
func (a *Arg) addReqs(more []ReqItem) {
	if !a.owned {
		a.Reqs = append(make([]ReqItem, 0, 2*(len(a.Reqs)+len(more))), a.Reqs...)
		a.owned, a.Val = true, nil
	}
	a.Reqs = append(a.Reqs, more...)
}

func (c *compiler) cannotExtend(e *Decl, found int, strict bool) {
	what, pos := "extend", e.Pos
	target := e.ID
	if strict {
		arg := e.States[0].Args[0]
		what, target = "require from outside", e.States[0].Module+": "+e.ID
		pos = arg.Pos
		if arg.Name != prerequired {
			what = arg.Name + "_in"
		}
	}
	if found > 1 {
		c.diags.Add(diag.Errorf(pos, "target '%s' of %s in SLS '%s' is ambiguous: %d states have that name", target, what,
			e.SLS, found).
			WithHint("name the ID"))
		return
	}
	d := diag.Errorf(pos, "target '%s' of %s in SLS '%s' does not exist", target, what, e.SLS)
	if !strict {
		d = diag.Errorf(pos, "cannot extend ID '%s' in SLS '%s': no such ID", e.ID, e.SLS)
	}
	if c.aside[modText{e.States[0].Module, e.ID}] {
		d.Msg = "target '" + e.States[0].Module + ": " + e.ID + "' of " + what + " in SLS '" + e.SLS + "' is virtual, and " +
			"nothing realizes it"
		c.diags.Add(d.WithHint("%s", HintRealize(e.States[0].Module, e.ID)))
		return
	}
	near := c.nearestID(e.ID)
	if near == "" && c.incomplete {
		return // it may be in what could not be read
	}
	c.diags.Add(d.WithHint("%s", hintID(near)))
}

// minWord is the length below which any other short name would be near.
const minWord = 3

// nearestID suggests an ID, first among those that are equal but for letter case.
func (c *compiler) nearestID(id string) string {
	ids := make([]string, 0, len(c.decls))
	for _, d := range c.decls {
		if strings.EqualFold(d.ID, id) {
			return d.ID
		}
		ids = append(ids, d.ID)
	}
	if len(id) < minWord {
		return ""
	}
	return diag.Nearest(id, ids)
}

// A place is one state of one declaration.
type place struct {
	decl   int
	module string
}

// findName finds what an alias names, or what Salt's find_name finds: the ID, all of an SLS, or states of the module
// with an argument of that text.
func (c *compiler) findName(name, module string, strict bool) []place {
	if p, ok := c.byAlias(module, name); ok {
		return []place{p}
	}
	if i, ok := c.byID[name]; ok && (!strict || c.decls[i].State(module) != nil) {
		return []place{{i, module}}
	}
	var out []place
	if module == "sls" {
		for _, i := range c.ofSLS(name) {
			if len(c.decls[i].States) > 0 {
				out = append(out, place{i, c.decls[i].States[0].Module})
			}
		}
		return out
	}
	for _, i := range c.byValue(modText{module, name}) {
		out = append(out, place{i, module})
	}
	return out
}

// ofSLS are the declarations of the SLS.
func (c *compiler) ofSLS(sls string) []int {
	if c.nSLS == nil {
		c.nSLS = map[string][]int{}
		for i, d := range c.decls {
			c.nSLS[d.SLS] = append(c.nSLS[d.SLS], i)
		}
	}
	return c.nSLS[sls]
}

// byValue are the declarations with an argument of the text, once for each such argument.
func (c *compiler) byValue(k modText) []int {
	if c.values == nil {
		c.values = map[modText][]int{}
		for i, d := range c.decls {
			for n := range d.States {
				s := &d.States[n]
				for j, args := 0, c.body(s).Args; j < len(args); j++ {
					if t, ok := strVal(args[j].Val); ok && !args[j].IsFunc() {
						key := modText{s.Module, t}
						c.values[key] = append(c.values[key], i)
					}
				}
			}
		}
	}
	return c.values[k]
}
