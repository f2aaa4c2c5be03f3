package jinja

import (
	"context"
	"slices"

	"github.com/gostate/gostate/state/value"
)

// A Scope is the place in a template where a tag, a filter or a function runs.
type Scope struct {
	f   *frame
	tag *tagCode
}

// tagCode is a compiled Exec.
type tagCode struct {
	exprs  []evalFunc
	bodies []tagBody
	sets   []setFunc
	export func(f *frame)
	locals func(f *frame) map[string]value.Value
	line   int
}

type tagBody struct {
	loads []loadOp
	body  []statement
	slots []int
}

func (f *frame) asScope() *Scope {
	if f.scope == nil {
		f.scope = &Scope{f: f}
	}
	return f.scope
}

// Env is the environment.
func (s *Scope) Env() *Environment { return s.f.run.env }

// Template is the template that runs.
func (s *Scope) Template() *Template { return s.f.tmpl }

// Line is the line of the tag, or of the function's call.
func (s *Scope) Line() int {
	if s.tag == nil {
		return s.f.run.line
	}
	return s.tag.line
}

// Lookup finds a variable of the context: what the template was given, globals, and what it has set at its top level.
func (s *Scope) Lookup(name string) (value.Value, bool) {
	v := s.f.ctx.resolve(name)
	return v, v != nil
}

// All is the context as a dict: globals, then what the template was given, then what it has set at its top level.
func (s *Scope) All() *value.Dict { return s.f.ctx.dict() }

func (c *templateContext) dict() *value.Dict {
	var layers []*layer
	for l := c.parent; l != nil; l = l.next {
		layers = append(layers, l)
	}
	d := value.NewDict(16)
	for _, l := range slices.Backward(layers) {
		if l.dict != nil {
			for k, v := range l.dict.All() {
				_ = d.Set(k, forced(v))
			}
		}
		for _, name := range sortedNames(l.names) {
			d.SetStr(name, l.names[name])
		}
	}
	for _, name := range c.order {
		if v := c.vars[name]; v != nil {
			d.SetStr(name, v)
		}
	}
	return d
}

// ScopeOf is the scope that a function called from a template runs in: of the template's top level. It is nil when ctx
// is not that of a rendering.
func ScopeOf(ctx context.Context) *Scope {
	r, ok := ctx.Value(runKey{}).(*run)
	if !ok || r.scope == nil {
		return nil
	}
	return &Scope{f: &frame{run: r, tmpl: r.scope.tmpl, ctx: r.scope}}
}

// Eval evaluates expression i of the tag's Exprs.
func (s *Scope) Eval(i int) (value.Value, error) { return s.tag.exprs[i](s.f) }

// Render runs body i of the tag's Bodies in a scope of its own and gives what it printed.
func (s *Scope) Render(i int) (string, error) {
	b := &s.tag.bodies[i]
	runLoads(s.f, b.loads)
	text, err := capture(s.f, b.body)
	clearSlots(s.f, b.slots)
	return text, err
}

// Set sets name i of the tag's Assigns.
func (s *Scope) Set(i int, v value.Value) error {
	if err := s.tag.sets[i](s.f, v); err != nil {
		return err
	}
	if s.tag.export != nil {
		s.tag.export(s.f)
	}
	return nil
}

// Print writes text where the tag stands.
func (s *Scope) Print(text string) error { return s.f.out.value(s.f.tmpl, s.Line(), text) }

// Import runs the template that v names, with or without the context of this place, as the tag import does.
func (s *Scope) Import(v value.Value, withContext bool) (*Module, error) {
	r := s.f.run
	t, err := r.template(v, s.f.tmpl.Name)
	if err != nil {
		return nil, err
	}
	what := "import " + value.Repr(Plain(v))
	if !withContext {
		m, err := r.module(t)
		return m, called(err, what)
	}
	var names map[string]value.Value
	if s.tag != nil {
		names = s.tag.locals(s.f)
	}
	m, err := t.module(r, t.newContext(&layer{names: names, next: s.f.ctx.all()}, s.f.ctx.globals, r.env))
	return m, called(err, what)
}

// Tag is an Exec made of its parts.
type Tag struct {
	At      int // line
	Values  []Expr
	Inside  [][]Node
	Names   []string
	Execute func(ctx context.Context, s *Scope) error
}

// Line is the line of the tag.
func (t *Tag) Line() int { return t.At }

// Run does what the tag does.
func (t *Tag) Run(ctx context.Context, s *Scope) error { return t.Execute(ctx, s) }

// Exprs are the expressions that the tag may evaluate.
func (t *Tag) Exprs() []Expr { return t.Values }

// Bodies are the statements that the tag may render.
func (t *Tag) Bodies() [][]Node { return t.Inside }

// Assigns are the names that the tag may set.
func (t *Tag) Assigns() []string { return t.Names }

// exec compiles a tag from outside.
func (c *compiler) exec(n Exec, fr *scopeFrame) statement {
	c.lastLine = n.Line()
	tag := &tagCode{exprs: c.exprs(n.Exprs(), fr), line: n.Line(), locals: c.locals(fr)}
	for _, body := range n.Bodies() {
		inner := fr.inner()
		inner.checkOutput = false
		inner.sym.visitAll(body)
		b := tagBody{loads: c.enter(inner)}
		b.body = c.statements(body, inner)
		b.slots = c.leave(inner)
		tag.bodies = append(tag.bodies, b)
	}
	var targets []Expr
	for _, name := range n.Assigns() {
		target := &nameExpr{at(n.Line()), name}
		targets = append(targets, target)
		tag.sets = append(tag.sets, c.target(target, fr))
	}
	tag.export = c.exporter(&tupleExpr{items: targets}, fr)
	return c.at(n.Line(), func(f *frame) error {
		return n.Run(f.run.ctx, &Scope{f: f, tag: tag})
	})
}
