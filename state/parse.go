package state

import (
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Context names a declaration in diagnostics and tells places of its file.
type Context struct {
	ID, SLS string
	At      At
	Diags   *diag.List
	// Strict makes errors of what Salt ignores without a word.
	Strict bool
}

// AppendArgs adds the items of a declaration's list to the body: functions and one-key maps. What is malformed is
// reported and left out.
func (b *Body) AppendArgs(c Context, l *value.List, fallback diag.Pos) {
	if b.Args == nil {
		b.Args = make([]Arg, 0, len(l.Items)+2) // room for the function and the order
	}
	for i, it := range l.Items {
		pos := at(c.At, l.MarkAt(i), fallback)
		switch it := it.(type) {
		case value.Str:
			if strings.Contains(strings.TrimSpace(string(it)), " ") {
				c.Diags.Add(diag.Errorf(pos, "function '%s' in ID '%s' has whitespace", it, c.ID).
					WithHint("is it an argument without its ':'?"))
				continue
			}
			b.Args = append(b.Args, FuncArg(strings.TrimSpace(string(it)), pos))
		case *value.Dict:
			b.Args = c.args(b.Args, it, pos)
		default:
			c.Diags.Add(diag.Warnf(pos, "item %s in ID '%s' is neither a function nor an argument and is ignored",
				value.Repr(it), c.ID).
				WithHint("write an argument as 'name: value'"))
		}
	}
}

func at(f At, m value.Mark, fallback diag.Pos) diag.Pos {
	if m.Line == 0 || f == nil {
		return fallback
	}
	return f(m)
}

// args reads a map of one argument. Salt takes a map of several just so, unless the first is a requisite.
func (c Context) args(to []Arg, d *value.Dict, pos diag.Pos) []Arg {
	if d.Len() == 0 {
		c.Diags.Add(diag.Errorf(pos, "empty map among the arguments of ID '%s'",
			c.ID).WithHint("write an argument as 'name: value'"))
		return to
	}
	for i := range d.Len() {
		e := d.At(i)
		pos := at(c.At, e.KeyAt, pos)
		key, ok := e.Key.(value.Str)
		if !ok || key == "" {
			c.Diags.Add(diag.Errorf(pos, "argument name %s in ID '%s' is no text", value.Repr(e.Key), c.ID).WithHint("quote it"))
			continue
		}
		if k, isReq := reqKeyOf(string(key)); i == 0 && isReq && !k.in && k.kind != Use && d.Len() > 1 {
			second := d.At(1)
			c.Diags.Add(diag.Errorf(at(c.At, second.KeyAt, pos), "'%s' and '%s' are one list item in ID '%s' in SLS '%s'", key,
				value.String(second.Key), c.ID, c.SLS).
				WithHint("begin each argument with '- '; indent what belongs to '%s'", key))
			return to
		}
		if a, ok := c.newArg(string(key), e.Val, pos, e.ValueAt); ok {
			to = append(to, a)
		}
	}
	return to
}

func (c Context) newArg(name string, v value.Value, pos diag.Pos, valAt value.Mark) (Arg, bool) {
	a := Arg{Name: name, Val: v, Pos: pos, ValAt: valAt, At: c.At}
	k, isReq := reqKeyOf(name)
	switch {
	case isReq && k.free:
		c.free(&a, k)
		return a, true
	case isReq:
		return a, c.requisite(&a, k)
	case name == "names":
		if _, ok := v.(*value.List); !ok {
			c.Diags.Add(diag.Errorf(a.ValuePos(), "'names' in ID '%s' in SLS '%s' is not a list but %s", c.ID, c.SLS,
				v.TypeName()).
				WithHint("give each name as a list item, '- NAME'"))
			return a, false
		}
	}
	return a, true
}

// requisite reads the entries of a requisite argument.
func (c Context) requisite(a *Arg, k reqKey) bool {
	switch v := a.Val.(type) {
	case *value.List:
		return c.reqList(a, v)
	case *value.Dict:
		if !k.in && k.kind != Use && !k.free {
			break
		}
		for i := range v.Len() {
			e := v.At(i)
			if r, ok := c.reqItem(a, e, at(c.At, e.KeyAt, a.Pos)); ok {
				a.Reqs = append(a.Reqs, r)
			}
		}
		return true
	default:
		if k.in || k.kind == Use {
			d := diag.Warnf(a.ValuePos(), "'%s' in ID '%s' is not a list, and Salt ignores it", a.Name, c.ID)
			if c.Strict {
				d.Severity = diag.Error
			}
			c.Diags.Add(d.WithHint("write '- %s: [%s]'", a.Name, value.String(v)))
			return !c.Strict
		}
	}
	c.Diags.Add(diag.Errorf(a.ValuePos(), "'%s' in ID '%s' in SLS '%s' is not a list but %s", a.Name, c.ID, c.SLS,
		a.Val.TypeName()).
		WithHint("write each entry as '- MODULE: NAME' below it"))
	return false
}

// reqList reads the entries of a list. What they say as they are written is not kept beside them.
func (c Context) reqList(a *Arg, l *value.List) bool {
	a.Reqs = make([]ReqItem, 0, len(l.Items))
	good, plain := true, true
	for i, it := range l.Items {
		pos := at(c.At, l.MarkAt(i), a.Pos)
		switch it := it.(type) {
		case value.Str:
			a.Reqs = append(a.Reqs, ReqItem{Target: string(it), Pos: pos})
		case *value.Dict:
			if it.Len() == 0 {
				c.Diags.Add(diag.Errorf(pos, "empty entry in '%s' of ID '%s'", a.Name, c.ID).WithHint("write '- MODULE: NAME'"))
				good = false
				continue
			}
			if it.Len() > 1 {
				plain = false
				c.Diags.Add(diag.Warnf(pos, "entry of '%s' in ID '%s' has %d keys; only the first, '%s', counts", a.Name, c.ID,
					it.Len(),
					value.String(it.At(0).Key)).WithHint("begin each entry with '- '"))
			}
			r, ok := c.reqItem(a, it.At(0), pos)
			if !ok {
				good = false
				continue
			}
			a.Reqs = append(a.Reqs, r)
		default:
			c.Diags.Add(diag.Errorf(pos, "entry %s in '%s' of ID '%s' is neither 'MODULE: NAME' nor an ID", value.Repr(it),
				a.Name, c.ID).
				WithHint("quote it, or write '- MODULE: NAME'"))
			good = false
		}
	}
	if good && plain {
		a.Val = nil
	}
	return good
}

// reqItem reads `module: target`.
func (c Context) reqItem(a *Arg, e value.Entry, pos diag.Pos) (ReqItem, bool) {
	pos = at(c.At, e.KeyAt, pos)
	mod, ok := e.Key.(value.Str)
	if !ok {
		c.Diags.Add(diag.Errorf(pos, "module %s in '%s' of ID '%s' is no text", value.Repr(e.Key), a.Name,
			c.ID).WithHint("write '- MODULE: NAME'"))
		return ReqItem{}, false
	}
	if short, _, dotted := strings.Cut(string(mod), "."); dotted {
		c.Diags.Add(diag.Errorf(pos, "'%s' in '%s' of ID '%s' in SLS '%s' has a dot: a requisite names the module only", mod,
			a.Name, c.ID, c.SLS).
			WithHint("did you mean '%s'?", short))
		return ReqItem{}, false
	}
	to, ok := e.Val.(value.Str)
	if !ok {
		c.Diags.Add(diag.Errorf(at(c.At, e.ValueAt, pos), "target of '%s: %s' in ID '%s' is no text but %s", a.Name, mod,
			c.ID, value.Repr(e.Val)).
			WithHint("name a state; quote a number"))
		return ReqItem{}, false
	}
	return ReqItem{Module: string(mod), Target: string(to), Pos: pos}, true
}
