package jinja

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A frame holds the variables of one function while it runs: a template's body, a block, a macro, a recursive loop, a
// loop's filter.
type frame struct {
	run    *run
	tmpl   *Template
	ctx    *templateContext
	parent *frame        // of the function around it in the template
	slots  []value.Value // nil is not yet set
	out    *output
	super  *Template // set by extends: the parent template
	scope  *Scope
	room   [6]value.Value // for slots, where that suffices
}

// run is one rendering, with all includes and imports.
type run struct {
	ctx        context.Context
	env        *Environment
	fuel       int64
	checkAt    int64 // fuel from which on checkFuel is called
	iterations int64
	depth      int
	maxDepth   int
	output     int64 // bytes left
	longest    int   // bytes that one text may have
	modules    map[moduleKey]*Module
	scope      *templateContext // of the template that runs now
	line       int              // of the call that runs now
	calls      []*Call          // that no filter uses
	outputs    []*output        // that nobody writes to
	scratch    []byte           // room for text that is being put together
	texts      strings.Builder  // small texts that were put together, one behind the other
}

// keep gives the bytes as text of its own. Small texts share their memory with the next ones, so that it is asked for
// once for many of them.
func (r *run) keep(text []byte) string {
	const chunk, small = 1024, 64
	if len(text) > small {
		return string(text)
	}
	if r.texts.Cap()-r.texts.Len() < len(text) {
		r.texts = strings.Builder{}
		r.texts.Grow(chunk)
	}
	start := r.texts.Len()
	r.texts.Write(text)
	return r.texts.String()[start:]
}

// evalFunc evaluates an expression, execFunc runs a statement.
type (
	evalFunc func(f *frame) (value.Value, error)
	execFunc func(f *frame) error
)

// A statement is one statement of a body. Its errors are at the line, where they have no place of their own; 0 leaves
// them.
type statement struct {
	run  execFunc
	line int
}

// step takes n steps of fuel.
func (r *run) step(n int64) error {
	if r.fuel -= n; r.fuel < r.checkAt {
		return r.checkFuel()
	}
	return nil
}

// checkFuel looks whether the run may go on: now and then, and when the fuel is used up.
func (r *run) checkFuel() error {
	r.checkAt = max(r.fuel-1<<10, 1)
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.fuel <= 0 {
		return raise("SecurityError", "the template takes too many steps (the limit is %d)", r.env.cfg.Limits.Fuel)
	}
	return nil
}

// enter goes one call deeper.
func (r *run) enter() error {
	if r.depth >= r.maxDepth {
		return raise("RecursionError", "maximum recursion depth exceeded")
	}
	r.depth++
	return nil
}

func (r *run) leave() { r.depth-- }

// A layer is a mapping of names that nobody changes any more, over another.
type layer struct {
	names map[string]value.Value
	dict  *value.Dict // instead of names: what the program gave
	next  *layer
}

func (l *layer) get(name string) value.Value {
	for ; l != nil; l = l.next {
		if l.names != nil {
			if v, ok := l.names[name]; ok {
				return v
			}
		} else if l.dict != nil {
			if v, ok := l.dict.GetStr(name); ok {
				return forced(v)
			}
		}
	}
	return nil
}

// A templateContext is what one template sees by name: what it was given, and what it has set at its top level.
type templateContext struct {
	tmpl       *Template
	parent     *layer
	vars       map[string]value.Value
	order      []string // names in vars, as they were first set
	exported   map[string]bool
	blocks     map[string][]*blockCode
	autoescape bool
	globals    *layer
}

// resolve is the value of the name, nil when it is unknown.
func (c *templateContext) resolve(name string) value.Value {
	if v, ok := c.vars[name]; ok {
		return v
	}
	return c.parent.get(name)
}

func (c *templateContext) set(name string, v value.Value) {
	if c.vars == nil {
		c.vars = map[string]value.Value{}
	}
	if _, ok := c.vars[name]; !ok {
		c.order = append(c.order, name)
	}
	c.vars[name] = v
}

func (c *templateContext) export(name string, yes bool) {
	if c.exported == nil {
		c.exported = map[string]bool{}
	}
	c.exported[name] = yes
}

// all is the context as a layer that later assignments do not change.
func (c *templateContext) all() *layer {
	if len(c.vars) == 0 {
		return c.parent
	}
	names := make(map[string]value.Value, len(c.vars))
	for k, v := range c.vars {
		names[k] = v
	}
	return &layer{names: names, next: c.parent}
}

// derived is a context with further names, for a scoped block.
func (c *templateContext) derived(locals map[string]value.Value) *templateContext {
	d := &templateContext{tmpl: c.tmpl, parent: c.all(), blocks: c.blocks, autoescape: c.autoescape, globals: c.globals}
	if len(locals) > 0 {
		d.parent = &layer{names: locals, next: d.parent}
	}
	return d
}

// function is the layout of a frame: which variable is in which slot.
type function struct {
	parent *function
	slots  map[variable]int
}

func newFunction(parent *function) *function {
	return &function{parent: parent, slots: map[variable]int{}}
}

func (fn *function) declare(v variable) int {
	i, ok := fn.slots[v]
	if !ok {
		i = len(fn.slots)
		fn.slots[v] = i
	}
	return i
}

// slot is a variable as code reaches it: up hops functions outwards, then slot i.
type slot struct{ hops, i int }

func (fn *function) find(v variable) (slot, bool) {
	hops := 0
	for ; fn != nil; fn = fn.parent {
		if i, ok := fn.slots[v]; ok {
			return slot{hops, i}, true
		}
		hops++
	}
	return slot{}, false
}

func (s slot) get(f *frame) value.Value {
	for range s.hops {
		f = f.parent
	}
	return f.slots[s.i]
}

// local is the variable of that name in slot i of this function.
func (f *frame) local(i int, name string) value.Value {
	if v := f.slots[i]; v != nil {
		return v
	}
	return f.run.env.undefinedName(name)
}

func (s slot) set(f *frame, v value.Value) {
	for range s.hops {
		f = f.parent
	}
	f.slots[s.i] = v
}
