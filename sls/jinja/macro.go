package jinja

import (
	"context"
	"slices"

	"github.com/gostate/gostate/state/value"
)

// A Macro is a function made in a template. It sees the variables of where it was made.
type Macro struct {
	code   *macroCode
	around *frame
}

// macroCode is the compiled macro.
type macroCode struct {
	name         string
	anonymous    bool // the caller of a call block
	params       []string
	slots        []int
	defaults     []evalFunc // nil where there is none
	caller       slotOf
	kwargs       slotOf
	varargs      slotOf
	explicitCall bool // caller is among the params
	fn           *function
	loads        []loadOp
	body         []statement
	t            *Template
	line         int
}

// TypeName is Python's name of the type.
func (*Macro) TypeName() string { return "Macro" }

// QualName is the name of the type with its module.
func (*Macro) QualName() string { return "jinja2.runtime.Macro" }

// PyStr is how it prints.
func (m *Macro) PyStr() string {
	if m.code.anonymous {
		return "<Macro anonymous>"
	}
	return "<Macro " + quote(m.code.name) + ">"
}

// Attr is one of the macro's attributes: name, arguments, catch_kwargs, catch_varargs, caller.
func (m *Macro) Attr(name string) (value.Value, bool) {
	switch name {
	case "name":
		if m.code.anonymous {
			return value.None, true
		}
		return value.Str(m.code.name), true
	case "arguments":
		items := make([]value.Value, len(m.code.params))
		for i, p := range m.code.params {
			items[i] = value.Str(p)
		}
		return value.NewTuple(items...), true
	case "catch_kwargs":
		return value.Bool(m.code.kwargs >= 0), true
	case "catch_varargs":
		return value.Bool(m.code.varargs >= 0), true
	case "caller":
		return value.Bool(m.code.caller >= 0), true
	case "explicit_caller":
		return value.Bool(m.code.explicitCall), true
	}
	return nil, false
}

// Call renders the macro.
func (m *Macro) Call(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	r := m.around.run
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	f := newFrame(r, m.code.t, m.around.ctx, m.around, m.code.fn)
	if err := m.bind(f, args, kwargs); err != nil {
		return nil, err
	}
	f.out = r.newOutput()
	runLoads(f, m.code.loads)
	if err := m.fill(f); err != nil {
		return nil, called(err, m.what())
	}
	if err := runBody(f, m.code.body); err != nil {
		return nil, called(err, m.what())
	}
	text, err := f.out.take()
	return f.captured(text), err
}

func (m *Macro) what() string {
	if m.code.anonymous {
		return "call block"
	}
	return "macro " + quote(m.code.name)
}

// bind puts the arguments into the slots of the parameters.
func (m *Macro) bind(f *frame, args []value.Value, kwargs *value.Dict) error {
	code := m.code
	n := min(len(args), len(code.params))
	for i := range n {
		f.slots[code.slots[i]] = args[i]
	}
	named := 0 // arguments that were given by name and have a place
	foundCaller := n == len(code.params) && code.explicitCall
	for i := n; i < len(code.params); i++ {
		if kwargs != nil {
			if v, ok := kwargs.GetStr(code.params[i]); ok {
				f.slots[code.slots[i]] = v
				named++
			}
		}
		foundCaller = foundCaller || code.params[i] == "caller"
	}
	takesCaller := code.caller >= 0 && !foundCaller
	if takesCaller {
		var v value.Value = value.None
		if kwargs != nil {
			if given, ok := kwargs.GetStr("caller"); ok {
				v = given
				named++
			}
		}
		if v == value.Value(value.None) {
			v = f.run.env.undefinedHint("caller", "No caller defined")
		}
		f.slots[code.caller] = v
	}
	if kwargs != nil && (code.kwargs >= 0 || kwargs.Len() > named) {
		kwargs = m.rest(kwargs, n, takesCaller)
	} else {
		kwargs = nil
	}
	return m.bindRest(f, args, n, kwargs)
}

// rest are the named arguments that have no place, when n were given by position.
func (m *Macro) rest(kwargs *value.Dict, n int, takesCaller bool) *value.Dict {
	rest := value.NewDict(kwargs.Len())
	for k, v := range kwargs.All() {
		name := value.String(k)
		if !slices.Contains(m.code.params[n:], name) && !(takesCaller && name == "caller") {
			rest.SetStr(name, v)
		}
	}
	return rest
}

// bindRest puts what is left into kwargs and varargs; rest is nil when no argument given by name is.
func (m *Macro) bindRest(f *frame, args []value.Value, n int, rest *value.Dict) error {
	code := m.code
	switch {
	case code.kwargs >= 0:
		if rest == nil {
			rest = value.NewDict(0)
		}
		f.slots[code.kwargs] = rest
	case rest != nil:
		if _, ok := rest.GetStr("caller"); ok {
			return raise("TypeError", "macro %s was invoked with two values for the special caller argument. This is most "+
				"likely a bug.", m.quoted())
		}
		return raise("TypeError", "macro %s takes no keyword argument %s", m.quoted(), value.Repr(rest.At(0).Key))
	}
	switch {
	case code.varargs >= 0:
		f.slots[code.varargs] = value.NewTuple(args[n:]...)
	case len(args) > len(code.params):
		return raise("TypeError", "macro %s takes not more than %d argument(s)", m.quoted(), len(code.params))
	}
	return nil
}

// quoted is the name as messages have it.
func (m *Macro) quoted() string {
	if m.code.anonymous {
		return "None"
	}
	return quote(m.code.name)
}

// fill gives the parameters without argument their defaults.
func (m *Macro) fill(f *frame) error {
	for i, s := range m.code.slots {
		if f.slots[s] != nil {
			continue
		}
		if m.code.defaults[i] == nil {
			p := m.code.params[i]
			f.slots[s] = f.run.env.undefinedHint(p, "parameter "+quote(p)+" was not provided")
			continue
		}
		v, err := m.code.defaults[i](f)
		if err != nil {
			return located(err, m.code.t, m.code.line)
		}
		f.slots[s] = v
	}
	return nil
}

// macroBody compiles a macro or the body of a call block.
func (c *compiler) macroBody(n *macroNode, fr *scopeFrame) *macroCode {
	inner := fr.inner()
	inner.checkOutput = false
	m := &macroCode{name: n.name, t: c.t, line: n.Line(), caller: -1, kwargs: -1, varargs: -1}
	for _, p := range n.params {
		inner.sym.declare(p.name)
	}
	for _, d := range n.defaults {
		inner.sym.visit(d)
	}
	inner.sym.visitAll(n.body)
	outer, loops := c.fn, c.loops
	c.fn, c.loops = newFunction(outer), 0
	c.specials(m, n, inner)
	for _, p := range n.params {
		m.params = append(m.params, p.name)
		m.slots = append(m.slots, c.ref(inner, p.name).i)
	}
	c.lastLine = n.Line()
	m.loads = c.enter(inner)
	m.defaults = make([]evalFunc, len(n.params))
	first := len(n.params) - len(n.defaults)
	for i, d := range n.defaults {
		m.defaults[first+i] = c.expr(d, inner)
	}
	m.body = c.statements(n.body, inner)
	m.fn = c.fn
	c.fn, c.loops = outer, loops
	return m
}

// specials declares caller, kwargs and varargs where the body uses them.
func (c *compiler) specials(m *macroCode, n *macroNode, inner *scopeFrame) {
	has := map[string]int{}
	for i, p := range n.params {
		has[p.name] = i + 1
		c.fn.declare(variable{inner.sym.level, p.name})
	}
	uses := undeclared(n.body, "caller", "kwargs", "varargs")
	at := func(name string) slotOf { return slotOf(c.fn.declare(inner.sym.declare(name))) }
	if i := has["caller"]; i > 0 {
		m.explicitCall = true
		if uses["caller"] {
			if i-1 < len(n.params)-len(n.defaults) {
				c.fail("TemplateAssertionError", n.Line(),
					`When defining macros or call blocks the special "caller" argument must be omitted or be given a default.`)
			}
			m.caller = slotOf(c.ref(inner, "caller").i)
		}
	} else if uses["caller"] {
		m.caller = at("caller")
	}
	if uses["kwargs"] && has["kwargs"] == 0 {
		m.kwargs = at("kwargs")
	}
	if uses["varargs"] && has["varargs"] == 0 {
		m.varargs = at("varargs")
	}
}

func (c *compiler) macro(n *macroNode, fr *scopeFrame) statement {
	m := c.macroBody(n, fr)
	s, toplevel, name := c.ref(fr, n.name), fr.toplevel, n.name
	return statement{run: func(f *frame) error {
		v := &Macro{code: m, around: f}
		s.set(f, v)
		if toplevel {
			f.ctx.set(name, v)
			if name[0] != '_' {
				f.ctx.export(name, true)
			}
		}
		return nil
	}}
}

func (c *compiler) callBlock(n *callBlockNode, fr *scopeFrame) statement {
	m := c.macroBody(&n.macroNode, fr)
	m.anonymous = true
	c.lastLine = n.Line()
	x := c.call(n.call, fr, func(f *frame) *Macro { return &Macro{code: m, around: f} })
	t, line := c.t, n.Line()
	return c.at(line, func(f *frame) error {
		v, err := x(f)
		if err != nil {
			return err
		}
		s, err := str(v)
		if err != nil {
			return err
		}
		return f.out.value(t, line, s)
	})
}
