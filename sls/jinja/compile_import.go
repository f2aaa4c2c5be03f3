package jinja

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// locals lists the variables that an included template sees: what the scopes around have set.
func (c *compiler) locals(fr *scopeFrame) func(f *frame) map[string]value.Value {
	visible := fr.sym.visible()
	if len(visible) == 0 {
		return func(*frame) map[string]value.Value { return nil }
	}
	type local struct {
		name string
		s    slot
	}
	var list []local
	for name, v := range visible {
		if s, ok := c.fn.find(v); ok {
			list = append(list, local{name, s})
		}
	}
	return func(f *frame) map[string]value.Value {
		out := make(map[string]value.Value, len(list))
		for _, l := range list {
			if v := l.s.get(f); v != nil {
				out[l.name] = v
			}
		}
		return out
	}
}

func (c *compiler) blockStatement(n *blockNode, fr *scopeFrame) statement {
	checkChild := false
	if fr.toplevel {
		if c.isChild {
			return statement{}
		}
		checkChild = c.extends > 0
	}
	var locals func(f *frame) map[string]value.Value
	if n.scoped {
		locals = c.locals(fr)
	}
	c.lastLine = n.Line()
	name, required := n.name, n.required
	return c.at(n.Line(), func(f *frame) error {
		if checkChild && f.super != nil {
			return nil
		}
		blocks := f.ctx.blocks[name]
		if required && len(blocks) <= 1 {
			return raise("TemplateRuntimeError", "Required block %s not found", quote(name))
		}
		ctx := f.ctx
		if locals != nil {
			ctx = ctx.derived(locals(f))
		}
		return f.run.block(blocks[0], ctx, f.out)
	})
}

// block runs a block of a template in ctx.
func (r *run) block(b *blockCode, ctx *templateContext, out *output) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	f := newFrame(r, b.tmpl, ctx, nil, b.code.fn)
	f.out = out
	if b.usesSlf >= 0 {
		f.slots[b.usesSlf] = &templateRef{run: r, ctx: ctx}
	}
	if b.usesSup >= 0 {
		f.slots[b.usesSup] = superOf(r, ctx, b)
	}
	runLoads(f, b.code.loads)
	return runBody(f, b.code.body)
}

func (c *compiler) extendsStatement(n *extendsNode, fr *scopeFrame) statement {
	if !fr.toplevel {
		c.fail("TemplateAssertionError", n.Line(), "cannot use extend from a non top-level scope")
	}
	again := func(*frame) error { return raise("TemplateRuntimeError", "extended multiple times") }
	if c.extends > 0 && c.isChild {
		c.stopped = true
		return c.at(c.lastLine, again)
	}
	checkTwice := c.extends > 0
	c.lastLine = n.Line()
	x := c.expr(n.x, fr)
	if fr.root {
		c.isChild = true
	}
	c.extends++
	t := c.t
	return c.at(n.Line(), func(f *frame) error {
		if checkTwice && f.super != nil {
			return again(f)
		}
		v, err := x(f)
		if err != nil {
			return err
		}
		parent, err := f.run.template(v, t.Name)
		if err != nil {
			return called(err, "extends "+value.Repr(v))
		}
		f.super = parent
		for _, b := range parent.blocks {
			f.ctx.blocks[b.name] = append(f.ctx.blocks[b.name], b)
		}
		return nil
	})
}

func (c *compiler) include(n *includeNode, fr *scopeFrame) statement {
	c.lastLine = n.Line()
	x := c.expr(n.x, fr)
	locals := c.locals(fr)
	t, withContext, ignore := c.t, n.withContext, n.ignoreMissing
	return c.at(n.Line(), func(f *frame) error {
		v, err := x(f)
		if err != nil {
			return err
		}
		inc, err := f.run.selectTemplate(v, t.Name)
		if err != nil {
			var missing *TemplateNotFound
			if ignore && errors.As(err, &missing) {
				return nil
			}
			return err
		}
		what := "include " + value.Repr(Plain(v))
		if !withContext {
			// Jinja prints such a template past a set or filter block around it; here it is captured like everything else.
			m, err := f.run.module(inc)
			if err != nil {
				return called(err, what)
			}
			return f.out.value(t, n.Line(), m.text)
		}
		if err := f.run.enter(); err != nil {
			return err
		}
		defer f.run.leave()
		ctx := inc.newContext(&layer{names: locals(f), next: f.ctx.all()}, f.ctx.globals, f.run.env)
		return called(inc.execute(f.run, ctx, f.out), what)
	})
}

// importModule gives the template of an import as a module.
func (c *compiler) importModule(x Expr, withContext bool, fr *scopeFrame) func(f *frame) (*Module, error) {
	tmpl := c.expr(x, fr)
	locals := c.locals(fr)
	t := c.t
	return func(f *frame) (*Module, error) {
		v, err := tmpl(f)
		if err != nil {
			return nil, err
		}
		imp, err := f.run.template(v, t.Name)
		if err != nil {
			return nil, err
		}
		what := "import " + value.Repr(Plain(v))
		if !withContext {
			m, err := f.run.module(imp)
			return m, called(err, what)
		}
		m, err := imp.module(f.run, imp.newContext(&layer{names: locals(f), next: f.ctx.all()}, f.ctx.globals, f.run.env))
		return m, called(err, what)
	}
}

func (c *compiler) importStatement(n *importNode, fr *scopeFrame) statement {
	c.lastLine = n.Line()
	module := c.importModule(n.x, n.withContext, fr)
	s, name, toplevel := c.ref(fr, n.target), n.target, fr.toplevel
	return c.at(n.Line(), func(f *frame) error {
		m, err := module(f)
		if err != nil {
			return err
		}
		s.set(f, m)
		if toplevel {
			f.ctx.set(name, m)
			f.ctx.unexport(name)
		}
		return nil
	})
}

func (c *templateContext) unexport(name string) {
	if !strings.HasPrefix(name, "_") {
		delete(c.exported, name)
	}
}

func (c *compiler) fromStatement(n *fromNode, fr *scopeFrame) statement {
	c.lastLine = n.Line()
	module := c.importModule(n.x, n.withContext, fr)
	refs := make([]slot, len(n.as))
	for i, as := range n.as {
		refs[i] = c.ref(fr, as)
	}
	place := fmt.Sprintf("line %d", n.Line())
	if c.t.Name != "" {
		place += " in " + quote(c.t.Name)
	}
	toplevel := fr.toplevel
	return c.at(n.Line(), func(f *frame) error {
		m, err := module(f)
		if err != nil {
			return err
		}
		for i, name := range n.names {
			v, ok := m.Attr(name)
			if !ok {
				v = f.run.env.undefinedHint(name, fmt.Sprintf("the template %s (imported on %s) does not export the requested "+
					"name %s",
					quote(m.name()), place, quote(name)))
			}
			refs[i].set(f, v)
			if toplevel {
				f.ctx.set(n.as[i], v)
				f.ctx.unexport(n.as[i])
			}
		}
		return nil
	})
}
