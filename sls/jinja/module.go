package jinja

import (
	"context"

	"github.com/gostate/gostate/state/value"
)

// A Module is an imported template: its attributes are what the template exports, its text is what it printed.
type Module struct {
	ctx  *templateContext
	text string
}

// TypeName is Python's name of the type.
func (*Module) TypeName() string { return "TemplateModule" }

// QualName is the name of the type with its module.
func (*Module) QualName() string { return "jinja2.environment.TemplateModule" }

// PyStr is what the template printed.
func (m *Module) PyStr() string { return m.text }

func (m *Module) name() string { return m.ctx.tmpl.Name }

// Attr is an exported macro or variable.
func (m *Module) Attr(name string) (value.Value, bool) {
	if !m.ctx.exported[name] {
		return nil, false
	}
	v := m.ctx.vars[name]
	return v, v != nil
}

// Exported are the exported macros and variables, in the order in which they were first set.
func (m *Module) Exported() *value.Dict {
	d := value.NewDict(len(m.ctx.order))
	for _, name := range m.ctx.order {
		if v, ok := m.Attr(name); ok {
			d.SetStr(name, v)
		}
	}
	return d
}

// templateRef is self: the blocks of the template by name.
type templateRef struct {
	run *run
	ctx *templateContext
}

func (*templateRef) TypeName() string { return "TemplateReference" }
func (*templateRef) QualName() string { return "jinja2.runtime.TemplateReference" }
func (t *templateRef) PyStr() string {
	if t.ctx.tmpl.Name == "" {
		return "<TemplateReference None>"
	}
	return "<TemplateReference " + quote(t.ctx.tmpl.Name) + ">"
}

// Item is the block of that name.
func (t *templateRef) Item(key value.Value) (value.Value, bool) {
	name, ok := key.(value.Str)
	if !ok || len(t.ctx.blocks[string(name)]) == 0 {
		return nil, false
	}
	return &blockRef{run: t.run, ctx: t.ctx, name: string(name)}, true
}

// blockRef is one block, or with depth a block that it overrides.
type blockRef struct {
	run   *run
	ctx   *templateContext
	name  string
	depth int
}

func (*blockRef) TypeName() string { return "BlockReference" }
func (*blockRef) QualName() string { return "jinja2.runtime.BlockReference" }

// Call renders the block.
func (b *blockRef) Call(context.Context, []value.Value, *value.Dict) (value.Value, error) {
	out := b.run.newOutput()
	if err := b.run.block(b.ctx.blocks[b.name][b.depth], b.ctx, out); err != nil {
		return nil, called(err, "block "+quote(b.name))
	}
	text, err := out.take()
	if b.ctx.autoescape {
		return Markup(text), err
	}
	return value.Str(text), err
}

// Attr is super: the block that this one overrides.
func (b *blockRef) Attr(name string) (value.Value, bool) {
	switch name {
	case "super":
		return parentBlock(b.run, b.ctx, b.name, b.depth+1), true
	case "name":
		return value.Str(b.name), true
	}
	return nil, false
}

func parentBlock(r *run, ctx *templateContext, name string, depth int) value.Value {
	if depth >= len(ctx.blocks[name]) {
		return r.env.undefinedHint("super", "there is no parent block called "+quote(name)+".")
	}
	return &blockRef{run: r, ctx: ctx, name: name, depth: depth}
}

// superOf is what super means within the block.
func superOf(r *run, ctx *templateContext, b *blockCode) value.Value {
	for i, other := range ctx.blocks[b.name] {
		if other == b {
			return parentBlock(r, ctx, b.name, i+1)
		}
	}
	return parentBlock(r, ctx, b.name, len(ctx.blocks[b.name]))
}

// A Namespace is a value whose attributes a template may set.
type Namespace struct{ dict *value.Dict }

// TypeName is Python's name of the type.
func (*Namespace) TypeName() string { return "Namespace" }

// QualName is the name of the type with its module.
func (*Namespace) QualName() string { return "jinja2.utils.Namespace" }

// PyStr is how it prints.
func (n *Namespace) PyStr() string { return "<Namespace " + value.Repr(n.dict) + ">" }

// Attr is what was set under the name.
func (n *Namespace) Attr(name string) (value.Value, bool) { return n.dict.GetStr(name) }
