package jinja

import (
	"errors"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Loop controls travel as errors up to their loop.
var (
	errBreak    = errors.New("break outside loop")
	errContinue = errors.New("continue outside loop")
)

func (c *compiler) assign(n *assignNode, fr *scopeFrame) statement {
	c.lastLine = n.Line()
	x := c.expr(n.x, fr)
	check := c.namespaces(n.target, fr)
	set := c.target(n.target, fr)
	export := c.exporter(n.target, fr)
	if i := c.localTarget(n.target, fr); i >= 0 && export == nil {
		return c.at(n.Line(), func(f *frame) error {
			v, err := x(f)
			if err == nil {
				f.slots[i] = v
			}
			return err
		})
	}
	return c.at(n.Line(), func(f *frame) error {
		if check != nil {
			if err := check(f); err != nil {
				return err
			}
		}
		v, err := x(f)
		if err != nil {
			return err
		}
		if err := set(f, v); err != nil {
			return err
		}
		if export != nil {
			export(f)
		}
		return nil
	})
}

// namespaces checks that targets with attributes are namespaces, before the value is computed.
func (c *compiler) namespaces(target Expr, fr *scopeFrame) execFunc {
	var refs []slot
	var walk func(Expr)
	walk = func(e Expr) {
		switch t := e.(type) {
		case *nsRefExpr:
			refs = append(refs, c.ref(fr, t.name))
		case *tupleExpr:
			for _, it := range t.items {
				walk(it)
			}
		}
	}
	walk(target)
	if refs == nil {
		return nil
	}
	return func(f *frame) error {
		for _, r := range refs {
			if _, ok := r.get(f).(*Namespace); !ok {
				return raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object")
			}
		}
		return nil
	}
}

// localTarget is the slot of a target that is a name of this function, else -1.
func (c *compiler) localTarget(target Expr, fr *scopeFrame) slotOf {
	if n, ok := target.(*nameExpr); ok {
		if i, ok := c.local(n, fr); ok {
			return slotOf(i)
		}
	}
	return -1
}

type setFunc func(f *frame, v value.Value) error

// target assigns to names, tuples and attributes of namespaces.
func (c *compiler) target(target Expr, fr *scopeFrame) setFunc {
	switch t := target.(type) {
	case *nameExpr:
		s := c.ref(fr, t.name)
		if s.hops == 0 {
			return func(f *frame, v value.Value) error { f.slots[s.i] = v; return nil }
		}
		return func(f *frame, v value.Value) error { s.set(f, v); return nil }
	case *nsRefExpr:
		s, name := c.ref(fr, t.name), value.Str(t.attr)
		return func(f *frame, v value.Value) error {
			switch o := s.get(f).(type) {
			case *Namespace:
				return o.dict.Set(name, v)
			case nil:
				return raise("TypeError", "'MissingType' object does not support item assignment")
			default:
				return value.SetItem(o, name, v)
			}
		}
	case *tupleExpr:
		sets := make([]setFunc, len(t.items))
		for i, it := range t.items {
			sets[i] = c.target(it, fr)
		}
		return func(f *frame, v value.Value) error {
			items, err := unpack(v, len(sets))
			if err != nil {
				return err
			}
			for i, set := range sets {
				if err := set(f, items[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	c.fail("TemplateSyntaxError", target.Line(), "can't assign to %s", quote(typeWord(target)))
	return nil
}

// exporter makes what the target binds at the top level visible by name; nil elsewhere.
func (c *compiler) exporter(target Expr, fr *scopeFrame) func(f *frame) {
	if !fr.toplevel {
		return nil
	}
	var names []string
	var refs []slot
	targetNames(target, func(n *nameExpr) {
		names, refs = append(names, n.name), append(refs, c.ref(fr, n.name))
	})
	return func(f *frame) {
		for i, name := range names {
			f.ctx.set(name, refs[i].get(f))
			if !strings.HasPrefix(name, "_") {
				f.ctx.export(name, true)
			}
		}
	}
}

func (c *compiler) assignBlock(n *assignBlockNode, fr *scopeFrame) statement {
	inner := fr.inner()
	inner.checkOutput = false
	inner.sym.visitAll(n.body)
	loads := c.enter(inner)
	body := c.statements(n.body, inner)
	c.lastLine = n.Line()
	set := c.target(n.target, fr)
	var filter func(f *frame, v value.Value) (value.Value, error)
	if n.filter != nil {
		filter = c.filterChain(n.filter, inner)
	}
	export := c.exporter(n.target, fr)
	slots := c.leave(inner)
	return c.at(n.Line(), func(f *frame) error {
		runLoads(f, loads)
		text, err := capture(f, body)
		if err != nil {
			return err
		}
		v := f.captured(text)
		if filter != nil {
			if v, err = filter(f, v); err != nil {
				return err
			}
			if s, ok := v.(value.Str); ok && f.ctx.autoescape {
				v = Markup(s)
			}
		}
		if err := set(f, v); err != nil {
			return err
		}
		if export != nil {
			export(f)
		}
		clearSlots(f, slots)
		return nil
	})
}

// captured is text that a block printed, as a value.
func (f *frame) captured(text string) value.Value {
	if f.ctx.autoescape {
		return Markup(text)
	}
	return value.Str(text)
}

func (c *compiler) ifStatement(n *ifNode, fr *scopeFrame) statement {
	soft := fr.softened()
	type branch struct {
		line int
		test testFunc
		body []statement
	}
	add := func(n *ifNode) branch {
		c.lastLine = n.Line()
		return branch{n.Line(), c.test(n.test, soft), c.statements(n.body, soft)}
	}
	branches := []branch{add(n)}
	for _, e := range n.elifs {
		branches = append(branches, add(e))
	}
	els := c.statements(n.els, soft)
	t := c.t
	return statement{run: func(f *frame) error {
		for i := range branches {
			b := &branches[i]
			yes, err := b.test(f)
			if err != nil {
				return located(err, t, b.line)
			}
			if yes {
				return runBody(f, b.body)
			}
		}
		return runBody(f, els)
	}}
}

func (c *compiler) with(n *withNode, fr *scopeFrame) statement {
	inner := fr.inner()
	for _, t := range n.targets {
		inner.sym.params(t)
	}
	inner.sym.visitAll(n.body)
	loads := c.enter(inner)
	line := c.lastLine
	sets := make([]setFunc, len(n.targets))
	vals := make([]evalFunc, len(n.targets))
	for i := range n.targets {
		sets[i] = c.target(n.targets[i], inner)
		vals[i] = c.expr(n.vals[i], fr)
	}
	body := c.statements(n.body, inner)
	slots := c.leave(inner)
	return c.at(line, func(f *frame) error {
		runLoads(f, loads)
		for i := range vals {
			v, err := vals[i](f)
			if err != nil {
				return err
			}
			if err := sets[i](f, v); err != nil {
				return err
			}
		}
		if err := runBody(f, body); err != nil {
			return err
		}
		clearSlots(f, slots)
		return nil
	})
}

func (c *compiler) filterBlock(n *filterBlockNode, fr *scopeFrame) statement {
	inner := fr.inner()
	inner.sym.visitAll(n.body)
	inner.sym.visit(n.filter)
	loads := c.enter(inner)
	body := c.statements(n.body, inner)
	c.lastLine = n.Line()
	filter := c.filterChain(n.filter, inner)
	slots := c.leave(inner)
	t, line := c.t, n.Line()
	return c.at(line, func(f *frame) error {
		runLoads(f, loads)
		text, err := capture(f, body)
		if err != nil {
			return err
		}
		v, err := filter(f, f.captured(text))
		if err != nil {
			return err
		}
		clearSlots(f, slots)
		s, ok := isText(v)
		if !ok { // Jinja joins what is printed, and only text can be joined
			return raise("TypeError", "sequence item 0: expected str instance, %s found", typeName(v))
		}
		return f.out.value(t, line, s)
	})
}

func (c *compiler) autoescape(n *autoescapeNode, fr *scopeFrame) statement {
	inner := fr.inner()
	inner.sym.visit(n.x)
	inner.sym.visitAll(n.body)
	loads := c.enter(inner)
	x := c.expr(n.x, inner)
	body := c.statements(n.body, inner)
	slots := c.leave(inner)
	return c.at(n.Line(), func(f *frame) error {
		runLoads(f, loads)
		v, err := x(f)
		if err != nil {
			return err
		}
		on, err := truth(v)
		if err != nil {
			return err
		}
		before := f.ctx.autoescape
		f.ctx.autoescape = on
		err = runBody(f, body)
		f.ctx.autoescape = before
		clearSlots(f, slots)
		return err
	})
}
