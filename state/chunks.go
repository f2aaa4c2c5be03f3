package state

import (
	"slices"

	"math"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// chunks makes the low states of the declarations, in their order.
func (c *compiler) chunks(decls []*Decl) []*Low {
	var out []*Low
	n := 0
	for _, d := range decls {
		n += len(d.States)
	}
	out = make([]*Low, 0, n)
	for _, d := range decls {
		for i := range d.States {
			out = c.expand(out, d, &d.States[i])
		}
	}
	return out
}

// A draft is a state on its way to a Low: what Salt's chunk dict holds.
type draft struct {
	fn    Arg
	args  []Arg // each name once; without names, state and fun. Not to be written: they may be the declaration's own
	names []nameEntry
	// misnamed: its name or names are none, which is reported.
	misnamed bool
}

// A nameEntry is one entry of names.
type nameEntry struct {
	name     value.Value
	override *value.List
	pos      diag.Pos
}

// expand appends the low states of one declaration: one, or one for each of its names.
func (c *compiler) expand(out []*Low, d *Decl, s *StateDecl) []*Low {
	dr := c.draft(d, s)
	if dr.fn.Val == nil {
		return out
	}
	if len(dr.names) == 0 {
		return append(out, c.low(d, s, &dr, dr.args, 0))
	}
	for i, n := range dr.names {
		args := make([]Arg, 0, len(dr.args)+1)
		args = append(args, dr.args...)
		args = setArg(args, Arg{Name: "name", Val: n.name, Pos: n.pos})
		if n.override != nil {
			args = c.override(d, args, n)
		}
		out = append(out, c.low(d, s, &dr, args, i+1))
	}
	return out
}

func (c *compiler) draft(d *Decl, s *StateDecl) draft {
	b := c.body(s)
	if i, ok := asTheyAre(b.Args); ok {
		return draft{fn: b.Args[i], args: b.Args}
	}
	dr := draft{args: make([]Arg, 0, len(b.Args))}
	for _, a := range b.Args {
		switch {
		case a.IsFunc():
			dr.fn = a
		case a.Name == "names":
			dr.names = c.addNames(d, dr.names, &a)
			dr.misnamed = dr.misnamed || !isList(a.Val)
		case a.Name == "state", a.Name == "fun":
			// Salt does not let these be overridden.
		default:
			if a.Name == "name" {
				dr.misnamed = !c.checkName(d, dr.args, &a)
			}
			dr.args = setArg(dr.args, a)
		}
	}
	return dr
}

// asTheyAre says that the arguments can be taken as they are, with the place of the one function among them.
func asTheyAre(args []Arg) (fn int, ok bool) {
	fn = -1
	for i := range args {
		switch a := &args[i]; {
		case a.IsFunc() && fn < 0:
			fn = i
		case a.IsFunc(), a.Name == "name", a.Name == "names", a.Name == "state", a.Name == "fun":
			return 0, false
		case slices.ContainsFunc(args[:i], func(b Arg) bool { return b.Name == a.Name }):
			return 0, false
		}
	}
	return fn, fn >= 0
}

// checkName reports a name that is no text, and a second one. An empty one is the ID.
// Salt differs: it takes the ID for any that is no text.
func (c *compiler) checkName(d *Decl, before []Arg, a *Arg) (ok bool) {
	_, isText := a.Val.(value.Str)
	if ok = isText || a.Val == value.None; !isText {
		if a.Val != value.None {
			c.diags.Add(diag.Errorf(a.ValuePos(), "'name' of ID '%s' in SLS '%s' is no text but %s", d.ID, d.SLS,
				value.Repr(a.Val)).WithHint("%s", nameHint(a.Val)))
		}
		a.Val = value.Str(d.ID)
	}
	for _, b := range before {
		if b.Name == "name" && b.Pos != a.Pos {
			twice := diag.Errorf(a.Pos, "ID '%s' in SLS '%s' has two names; the last one counts", d.ID, d.SLS).
				WithHint("leave one out, or write 'names' with a list")
			twice.Related = []diag.Related{{Pos: b.Pos, Msg: "the other name"}}
			c.ignored(twice)
		}
	}
	return ok
}

func nameHint(v value.Value) string {
	switch v.(type) {
	case *value.Dict, *value.List:
		return "write 'names' with a list for several"
	}
	return "quote it: '" + value.String(v) + "'"
}

func isList(v value.Value) bool { _, ok := v.(*value.List); return ok }

// setArg replaces the argument of that name, or appends it.
func setArg(args []Arg, a Arg) []Arg {
	for i := range args {
		if args[i].Name == a.Name {
			args[i] = a
			return args
		}
	}
	return append(args, a)
}

// addNames reads the entries of names; equal ones count once. An entry that is no text is for the state to fail on: see
// Odd.
func (c *compiler) addNames(d *Decl, names []nameEntry, a *Arg) []nameEntry {
	l, ok := a.Val.(*value.List)
	if !ok {
		return names
	}
	seen, _ := value.NewSet()
	for _, n := range names {
		if n.override == nil {
			_ = seen.Add(n.name)
		}
	}
	for i, it := range l.Items {
		e := nameEntry{name: it, pos: a.pos(l.MarkAt(i))}
		m, isMap := it.(*value.Dict)
		switch {
		case isMap && m.Len() == 0:
			c.diags.Add(diag.Errorf(e.pos, "empty map in 'names' of ID '%s'", d.ID).WithHint("write '- NAME'"))
			continue
		case isMap:
			e.name = m.At(0).Key
			e.override, ok = m.At(0).Val.(*value.List)
			if !ok {
				c.diags.Add(diag.Errorf(e.pos, "'%s' in 'names' of ID '%s' is followed by no list of arguments",
					value.String(e.name), d.ID).
					WithHint("leave out the colon, or write each argument as '- name: value'"))
				continue
			}
		case seen.Has(it):
			continue
		}
		if !isMap {
			_ = seen.Add(it)
		} else if sameOverride(names, e) {
			continue
		}
		names = append(names, e)
	}
	return names
}

// sameOverride says whether an equal entry with overrides is there.
func sameOverride(names []nameEntry, e nameEntry) bool {
	for _, n := range names {
		if n.override != nil && value.Equal(n.name, e.name) && value.Equal(n.override, e.override) {
			return true
		}
	}
	return false
}

// override works the arguments of a names entry in.
func (c *compiler) override(d *Decl, args []Arg, n nameEntry) []Arg {
	b := Body{}
	src := At(func(value.Mark) diag.Pos { return n.pos })
	for i := range args {
		if args[i].At != nil {
			src = args[i].At
			break
		}
	}
	b.AppendArgs(Context{ID: d.ID, SLS: d.SLS, At: src, Diags: c.diags}, n.override, n.pos)
	for _, a := range b.Args {
		if a.IsFunc() || a.Name == "state" || a.Name == "fun" || a.Name == "names" {
			continue
		}
		args = setArg(args, a)
	}
	return args
}

// low makes the Low of a draft. nth counts the entries of names from 1; 0 is a state without names.
func (c *compiler) low(d *Decl, s *StateDecl, dr *draft, args []Arg, nth int) *Low {
	l := &Low{ID: d.ID, Name: d.ID, Module: s.Module, Func: dr.fn.Func(), SLS: d.SLS, Env: d.Env, Pos: dr.fn.Pos,
		Args: value.NewDict(ownArgs(args)), chunk: args, nth: nth, Misnamed: dr.misnamed}
	if l.Pos.IsZero() {
		l.Pos = s.Pos
	}
	for i := range args {
		if !args[i].IsFunc() {
			c.apply(l, &args[i])
		}
	}
	if d.Within != nil {
		l.SetMeta().Within = d.Within
	}
	l.Reqs = requisites(args, false)
	l.In = requisites(args, true)
	return l
}

// ownArgs counts the arguments that a function may take.
func ownArgs(args []Arg) (n int) {
	for i := range args {
		if _, isReq := args[i].req(); !isReq && !args[i].IsFunc() && args[i].Name != "order" {
			n++
		}
	}
	return n
}

// apply puts one argument where it belongs: name, order, requisites (see requisites), options, arguments of the
// function.
func (c *compiler) apply(l *Low, a *Arg) {
	if a.Name == "name" {
		l.Name = value.String(a.Val)
		return
	}
	if a.Name == "order" {
		l.rawOrder = a.Val
		return
	}
	if a.Name == prerequired {
		l.Prerequired = a.Reqs
		return
	}
	if _, isReq := a.req(); isReq {
		return
	}
	if !c.option(l, a) {
		l.Args.SetStr(a.Name, a.Val)
	}
}

// requisites are the requisites among the arguments, in the order in which they are walked; or those that other
// states get.
func requisites(args []Arg, in bool) []Requisite {
	n := 0
	for i := range args {
		n += len(args[i].Reqs)
	}
	if n == 0 {
		return nil
	}
	var out []Requisite
	for _, k := range requisiteKeys {
		if k.in != in || k.in && k.kind != Listen && !k.free {
			continue
		}
		for i := range args {
			if args[i].Name != k.name {
				continue
			}
			for _, r := range args[i].Reqs {
				ref := Ref{Module: r.Module, Target: r.Target}
				if ref.Module == "" {
					ref.Module = "id"
				}
				again := uint8(min(max(r.Times-1, 0), math.MaxUint8))
				out = append(out, Requisite{Kind: k.kind, Mode: k.mode, In: in, Again: again, To: ref, Pos: r.Pos})
			}
		}
	}
	return out
}
