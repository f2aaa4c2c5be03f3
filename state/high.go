package state

import (
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// High is what all SLS files of a run say together, before names, extend, requisite_in and exclude are worked in. The
// order of Decls is that of Salt's dict: a file's own declarations, then those of what it includes.
type High struct {
	Decls    []*Decl
	Extends  []*Decl // Body of one ID each, in the order in which they are applied
	Excludes []Exclude
	// Realize names the virtual states that SLS files want.
	Realize []ReqItem
	// Defaults are what SLS files say for the states of a module.
	Defaults []Default
	// Incomplete says that something of the files could not be read, and is reported: what refers to it is not reported
	// again.
	Incomplete bool
}

// A Default is an argument that an SLS gives to the states of a module ("file") or of a function ("file.managed").
type Default struct {
	Of, Arg string
	Pos     diag.Pos
}

// A Decl is one ID with what it declares.
type Decl struct {
	ID       string
	SLS, Env string
	States   []StateDecl
	Pos      diag.Pos
	// Within are the references of a Puppet catalog that stand for its states: see Meta.
	Within []string
}

// A StateDecl is one state module under an ID. Two IDs may share a Body through a YAML alias, as they share a list in
// Salt.
type StateDecl struct {
	Module string
	Pos    diag.Pos
	*Body
}

// A Body is the list below a state module: function names and arguments in the order written.
type Body struct{ Args []Arg }

// An Arg is one item of a Body: an argument, or the name of a function when Name is "".
type Arg struct {
	Name string
	// Val is the value as written; nil for a requisite that its Reqs tell all of.
	Val value.Value
	// Reqs are the entries of a requisite argument.
	Reqs []ReqItem
	// Pos is the place of the name. ValAt is the mark of the value, At tells places of marks in the same file.
	Pos   diag.Pos
	ValAt value.Mark
	At    At
	// Default marks an argument that stands for many states: one whose function does not take it goes without.
	Default bool
	// auto marks an order that was given by the place in the file.
	auto bool
	// owned: Reqs may be appended to.
	owned bool
}

// A ReqItem is one entry of a requisite as written: `module: target`, or a bare target when Module is "".
type ReqItem struct {
	Module, Target string
	Pos            diag.Pos
	// Times is how often Salt lists it, when more than once.
	Times int
}

// At turns a mark into a place in the file that it was read from.
type At func(value.Mark) diag.Pos

// An Exclude removes an ID or all of an SLS.
type Exclude struct {
	ID, SLS string // one of them; SLS may be a pattern
	Pos     diag.Pos
}

// FuncArg is a function name as an item of a body.
func FuncArg(name string, pos diag.Pos) Arg { return Arg{Val: value.Str(name), Pos: pos} }

// OrderArg is the place in the order that a declaration gets from its place in the files.
func OrderArg(n int) Arg { return Arg{Name: "order", Val: value.Int(n), auto: true} }

// IsFunc says whether the item names a function.
func (a *Arg) IsFunc() bool { return a.Name == "" }

// Func is the function that the item names.
func (a *Arg) Func() string { return value.String(a.Val) }

// ValuePos is the place of the argument's value, or of its name.
func (a *Arg) ValuePos() diag.Pos { return a.pos(a.ValAt) }

// pos is the place of a mark within the value, or of the argument when it is unknown.
func (a *Arg) pos(m value.Mark) diag.Pos {
	if m.Line == 0 || a.At == nil {
		return a.Pos
	}
	return a.At(m)
}

// Has says whether the body has an argument of the name.
func (b *Body) Has(name string) bool {
	for i := range b.Args {
		if b.Args[i].Name == name {
			return true
		}
	}
	return false
}

// Each calls f with the values of the arguments of the name.
func (b *Body) Each(name string, f func(v value.Value)) {
	for i := range b.Args {
		if a := &b.Args[i]; a.Name == name && a.Val != nil {
			f(a.Val)
		}
	}
}

// State is the declaration of a module under the ID, nil when there is none.
func (d *Decl) State(module string) *StateDecl {
	for i := range d.States {
		if d.States[i].Module == module {
			return &d.States[i]
		}
	}
	return nil
}

// Value is the argument's value in Salt's shape: requisites as a list of one-key dicts.
func (a *Arg) Value() value.Value {
	if a.Val != nil {
		return a.Val
	}
	l := &value.List{Items: make([]value.Value, 0, len(a.Reqs))}
	for _, r := range a.Reqs {
		for range max(r.Times, 1) {
			if r.Module == "" {
				l.Items = append(l.Items, value.Str(r.Target))
				continue
			}
			l.Items = append(l.Items, value.DictOf(r.Module, value.Str(r.Target)))
		}
	}
	return l
}

// Dict is the high data in Salt's shape, as `show highstate` and `show sls` print it.
func (h *High) Dict() *value.Dict {
	return h.Mapped(func(*StateDecl) func(*Arg) value.Value { return (*Arg).Value })
}

// Mapped is Dict with the arguments of a declaration as a function shows them.
func (h *High) Mapped(shown func(d *StateDecl) func(a *Arg) value.Value) *value.Dict {
	out := value.NewDict(len(h.Decls) + 2)
	for _, d := range h.Decls {
		out.SetStr(d.ID, d.dict(shown))
	}
	if len(h.Extends) > 0 {
		l := value.NewList()
		for _, d := range h.Extends {
			l.Items = append(l.Items, value.DictOf(d.ID, d.dict(shown)))
		}
		out.SetStr("__extend__", l)
	}
	if len(h.Excludes) > 0 {
		l := value.NewList()
		for _, e := range h.Excludes {
			if e.ID != "" {
				l.Items = append(l.Items, value.DictOf("id", value.Str(e.ID)))
				continue
			}
			l.Items = append(l.Items, value.DictOf("sls", value.Str(e.SLS)))
		}
		out.SetStr("__exclude__", l)
	}
	return out
}

func (d *Decl) dict(shown func(d *StateDecl) func(a *Arg) value.Value) *value.Dict {
	out := value.NewDict(len(d.States) + 2)
	for i := range d.States {
		s := &d.States[i]
		l, show := value.NewList(), shown(s)
		for i := range s.Args {
			a := &s.Args[i]
			if a.IsFunc() {
				l.Items = append(l.Items, a.Val)
				continue
			}
			l.Items = append(l.Items, value.DictOf(a.Name, show(a)))
		}
		out.SetStr(s.Module, l)
	}
	out.SetStr("__sls__", value.Str(d.SLS))
	out.SetStr("__env__", value.Str(d.Env))
	return out
}
