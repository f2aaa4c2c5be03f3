package jinja

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/gostate/gostate/state/value"
)

// A Template is a template ready to run. It may be run by several goroutines at once.
type Template struct {
	Name string // what it is loaded as
	File string // where it comes from, for messages
	env  *Environment

	lines atomic.Int64 // of the text that was rendered last

	code   code
	self   slotOf
	blocks []*blockCode
}

// newContext is what the template sees: the layers given.
func (t *Template) newContext(parent *layer, globals *layer, env *Environment) *templateContext {
	c := &templateContext{tmpl: t, parent: parent, globals: globals, autoescape: env.cfg.Autoescape}
	c.blocks = make(map[string][]*blockCode, len(t.blocks))
	for _, b := range t.blocks {
		c.blocks[b.name] = []*blockCode{b}
	}
	return c
}

// execute runs the template's body, and the bodies of the templates that it extends.
func (t *Template) execute(r *run, ctx *templateContext, out *output) error {
	for seen := 0; t != nil; seen++ {
		if seen > r.maxDepth {
			return raise("RecursionError", "maximum recursion depth exceeded")
		}
		f := newFrame(r, t, ctx, nil, t.code.fn)
		f.out = out
		if t.self >= 0 {
			f.slots[t.self] = &templateRef{run: r, ctx: ctx}
		}
		runLoads(f, t.code.loads)
		if err := runBody(f, t.code.body); err != nil {
			return err
		}
		t = f.super
	}
	return nil
}

// newRun begins a rendering.
func (t *Template) newRun(ctx context.Context) *run {
	l := t.env.cfg.Limits
	r := &run{env: t.env, fuel: l.Fuel, checkAt: l.Fuel, iterations: l.Iterations, maxDepth: l.Depth, output: l.Output,
		longest: int(min(l.Output, math.MaxInt))}
	r.ctx = context.WithValue(ctx, runKey{}, r)
	return r
}

// globals are the environment's globals, as a layer.
func (e *Environment) globalLayer() *layer { return &layer{names: e.globals} }

// Render runs the template with the variables, which hide globals of the same name. The error is an *Error.
func (t *Template) Render(ctx context.Context, vars *value.Dict) (*Output, error) {
	return t.render(ctx, vars, true)
}

// Text is Render for those who need not know where the lines come from.
func (t *Template) Text(ctx context.Context, vars *value.Dict) (string, error) {
	out, err := t.render(ctx, vars, false)
	if err != nil {
		return "", err
	}
	return out.Text, nil
}

func (t *Template) render(ctx context.Context, vars *value.Dict, mapped bool) (*Output, error) {
	r := t.newRun(ctx)
	globals := t.env.globalLayer()
	tc := t.newContext(&layer{dict: vars, next: globals}, globals, t.env)
	out := r.newOutput()
	if out.mapped = mapped; mapped {
		out.lines = make([]int32, 0, t.lines.Load())
	}
	buf, _ := t.env.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	out.buf, out.main = *buf, true
	defer func() {
		*buf, out.buf = out.buf[:0], nil
		t.env.buffers.Put(buf)
	}()
	r.scope = tc
	text := ""
	err := r.guard(func() (err error) {
		if err = t.execute(r, tc, out); err == nil {
			text, err = out.take()
		}
		return err
	})
	if err != nil {
		return nil, located(err, t, 1)
	}
	if mapped {
		t.lines.Store(int64(len(out.lines)))
	}
	return &Output{Text: text, files: out.files, lines: out.lines}, nil
}

// Module runs the template and gives what it exports: the macros and variables of its top level.
func (t *Template) Module(ctx context.Context, vars *value.Dict) (*Module, error) {
	r := t.newRun(ctx)
	globals := t.env.globalLayer()
	tc := t.newContext(&layer{dict: vars, next: globals}, globals, t.env)
	var m *Module
	err := r.guard(func() (err error) { m, err = t.module(r, tc); return err })
	if err != nil {
		return nil, located(err, t, 1)
	}
	return m, nil
}

// guard makes a failure of the engine itself an error: templates must not end the program.
func (r *run) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if e, ok := p.(error); ok {
				err = raise("SystemError", "internal error: %s", e.Error())
				return
			}
			panic(p)
		}
	}()
	return f()
}

// runKey is the key of the run in a context.
type runKey struct{}

func (t *Template) module(r *run, tc *templateContext) (*Module, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	out := r.newOutput()
	if err := t.execute(r, tc, out); err != nil {
		return nil, err
	}
	text, err := out.take()
	return &Module{ctx: tc, text: text}, err
}

// A moduleKey names a module that was imported without context.
type moduleKey struct{ t *Template }

// module is the template as imported without context, made once a rendering.
func (r *run) module(t *Template) (*Module, error) {
	if m := r.modules[moduleKey{t}]; m != nil {
		return m, nil
	}
	globals := r.globalLayer()
	m, err := t.module(r, t.newContext(globals, globals, r.env))
	if err != nil {
		return nil, err
	}
	if r.modules == nil {
		r.modules = map[moduleKey]*Module{}
	}
	r.modules[moduleKey{t}] = m
	return m, nil
}

// template loads the template that v names.
func (r *run) template(v value.Value, parent string) (*Template, error) {
	switch v := Plain(v).(type) {
	case value.Str:
		return r.env.Get(r.ctx, string(v), parent)
	case *value.Undefined:
		return nil, useError(v)
	default:
		s := value.String(v)
		return nil, &TemplateNotFound{Name: s}
	}
}

// selectTemplate loads the template that v names, or the first that exists of a list of names.
func (r *run) selectTemplate(v value.Value, parent string) (*Template, error) {
	switch Plain(v).(type) {
	case value.Str, *value.Undefined:
		return r.template(v, parent)
	}
	if !value.Truth(v) {
		return nil, &TemplateNotFound{Msg: "Tried to select from an empty list of templates."}
	}
	names, err := list(v)
	if err != nil {
		return nil, err
	}
	tried := ""
	for i, name := range names {
		t, err := r.template(name, parent)
		if err == nil {
			return t, nil
		}
		if !isNotFound(err) {
			return nil, err
		}
		if i > 0 {
			tried += ", "
		}
		tried += value.String(name)
	}
	return nil, &TemplateNotFound{Name: value.String(names[len(names)-1]),
		Msg: "none of the templates given were found: " + tried}
}
