package jinja

import (
	"fmt"

	"github.com/gostate/gostate/state/value"
)

// compiler makes closures of a template's tree. It visits statements in the order in which Jinja writes code for them,
// so that an error without a line of its own is reported at the same line.
type compiler struct {
	env       *Environment
	t         *Template
	fn        *function
	lastLine  int
	loops     int // around the statement, within the function
	extends   int // extends statements so far
	isChild   bool
	stopped   bool // the rest can never run
	blocks    map[string]*blockNode
	blockList []*blockNode
}

// scopeFrame is what the compiler knows of the place of a statement.
type scopeFrame struct {
	sym         *symbols
	toplevel    bool // what is set here is seen by name and exported
	root        bool // of the template's body itself, not within an if
	soft        bool // unknown filters and tests fail only when they run
	checkOutput bool // text is printed only when no parent is extended
}

func (fr *scopeFrame) inner() *scopeFrame {
	return &scopeFrame{sym: newSymbols(fr.sym), checkOutput: fr.checkOutput}
}

func (fr *scopeFrame) softened() *scopeFrame {
	c := *fr
	c.root, c.soft = false, true
	return &c
}

// blockCode is a block of a template.
type blockCode struct {
	name    string
	tmpl    *Template
	code    code
	usesSup slotOf
	usesSlf slotOf
}

// code is the body of a function, with the slots that its frame needs.
type code struct {
	fn    *function
	loads []loadOp
	body  []statement
}

// slotOf is a slot of the function itself, or -1.
type slotOf int

// loadOp gives a variable its value when a scope is entered.
type loadOp struct {
	i     int
	kind  loadKind
	name  string
	outer slot
}

func (c *compiler) fail(class string, line int, format string, args ...any) {
	panic(parseFailure{&Error{Class: class, Msg: fmt.Sprintf(format, args...), Line: line}})
}

// compileTemplate fills t from its tree.
func compileTemplate(t *Template, body []Node) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case parseFailure:
			r.err.Name, r.err.File = t.Name, t.File
			err = r.err
		default:
			panic(r)
		}
	}()
	c := &compiler{env: t.env, t: t, lastLine: 1, blocks: map[string]*blockNode{}}
	haveExtends := false
	findAll(body, func(n any) {
		switch n := n.(type) {
		case *blockNode:
			if c.blocks[n.name] != nil {
				c.fail("TemplateAssertionError", n.Line(), "block %s defined twice", quote(n.name))
			}
			c.blocks[n.name] = n
			c.blockList = append(c.blockList, n)
		case *extendsNode:
			haveExtends = true
		}
	})
	c.root(body, haveExtends)
	for _, b := range c.blockList {
		c.block(b)
	}
	return nil
}

func (c *compiler) root(body []Node, haveExtends bool) {
	c.fn = newFunction(nil)
	fr := &scopeFrame{sym: newSymbols(nil)}
	c.t.self = c.specialParam(fr, body, "self")
	fr.sym.visitAll(body)
	fr.toplevel, fr.root = true, true
	fr.checkOutput = haveExtends
	c.t.code.loads = c.enter(fr)
	c.t.code.body = c.statements(body, fr)
	c.t.code.fn = c.fn
	c.stopped = false
}

// specialParam declares self or super where the body uses it.
func (c *compiler) specialParam(fr *scopeFrame, body []Node, name string) slotOf {
	if !undeclared(body, name)[name] {
		return -1
	}
	return slotOf(c.fn.declare(fr.sym.declare(name)))
}

func (c *compiler) block(n *blockNode) {
	c.fn = newFunction(nil)
	c.loops, c.lastLine = 0, n.Line()
	fr := &scopeFrame{sym: newSymbols(nil)}
	b := &blockCode{name: n.name, tmpl: c.t}
	b.usesSlf = c.specialParam(fr, n.body, "self")
	b.usesSup = c.specialParam(fr, n.body, "super")
	fr.sym.visitAll(n.body)
	b.code.loads = c.enter(fr)
	b.code.body = c.statements(n.body, fr)
	b.code.fn = c.fn
	c.t.blocks = append(c.t.blocks, b)
}

// enter gives the variables of a scope slots in the current function, and says how they are loaded.
func (c *compiler) enter(fr *scopeFrame) []loadOp {
	var ops []loadOp
	for _, l := range fr.sym.loads {
		i := c.fn.declare(l.v)
		if l.kind == loadParam {
			continue
		}
		op := loadOp{i: i, kind: l.kind, name: l.v.name}
		if l.kind == loadAlias {
			op.outer = c.slot(l.outer)
		}
		ops = append(ops, op)
	}
	return ops
}

// leave lists the slots of a scope, which are unset when it ends.
func (c *compiler) leave(fr *scopeFrame) []int {
	var slots []int
	for _, l := range fr.sym.loads {
		slots = append(slots, c.fn.declare(l.v))
	}
	return slots
}

func (c *compiler) slot(v variable) slot {
	s, ok := c.fn.find(v)
	if !ok {
		return slot{0, c.fn.declare(v)}
	}
	return s
}

// ref is where the name is in this scope.
func (c *compiler) ref(fr *scopeFrame, name string) slot {
	v, ok := fr.sym.findRef(name)
	if !ok {
		v = fr.sym.define(name, loadUndefined, variable{})
		c.fn.declare(v)
	}
	return c.slot(v)
}

func runLoads(f *frame, ops []loadOp) {
	for i := range ops {
		op := &ops[i]
		switch op.kind {
		case loadResolve:
			f.slots[op.i] = f.ctx.resolve(op.name)
		case loadAlias:
			f.slots[op.i] = op.outer.get(f)
		default:
			f.slots[op.i] = nil
		}
	}
}

func clearSlots(f *frame, slots []int) {
	for _, i := range slots {
		f.slots[i] = nil
	}
}

func runBody(f *frame, body []statement) error {
	if err := f.run.step(int64(len(body)) + 1); err != nil {
		return err
	}
	for i := range body {
		if err := body[i].run(f); err != nil {
			if line := body[i].line; line > 0 {
				return located(err, f.tmpl, line)
			}
			return err
		}
	}
	return nil
}

// capture runs a body and gives what it printed.
func capture(f *frame, body []statement) (string, error) {
	outer := f.out
	f.out = f.run.newOutput()
	defer func() { f.out = outer }()
	if err := runBody(f, body); err != nil {
		return "", err
	}
	return f.out.take()
}

// newFrame is a frame for code that runs in ctx, within parent.
func newFrame(r *run, t *Template, ctx *templateContext, parent *frame, fn *function) *frame {
	f := &frame{run: r, tmpl: t, ctx: ctx, parent: parent}
	if n := len(fn.slots); n <= len(f.room) {
		f.slots = f.room[:n:n]
	} else {
		f.slots = make([]value.Value, n)
	}
	return f
}

func (c *compiler) statements(body []Node, fr *scopeFrame) []statement {
	var out []statement
	for _, n := range body {
		if c.stopped {
			break
		}
		if g, ok := n.(*groupNode); ok {
			out = append(out, c.statements(g.body, fr)...)
			continue
		}
		if s := c.statement(n, fr); s.run != nil {
			out = append(out, s)
		}
	}
	return out
}

// at is a statement whose errors are at the line.
func (c *compiler) at(line int, run execFunc) statement { return statement{run, line} }

func (c *compiler) statement(n Node, fr *scopeFrame) statement {
	switch n := n.(type) {
	case *outputNode:
		return c.output(n, fr)
	case *assignNode:
		return c.assign(n, fr)
	case *assignBlockNode:
		return c.assignBlock(n, fr)
	case *ifNode:
		return c.ifStatement(n, fr)
	case *forNode:
		return c.forStatement(n, fr)
	case *withNode:
		return c.with(n, fr)
	case *macroNode:
		return c.macro(n, fr)
	case *callBlockNode:
		return c.callBlock(n, fr)
	case *filterBlockNode:
		return c.filterBlock(n, fr)
	case *blockNode:
		return c.blockStatement(n, fr)
	case *extendsNode:
		return c.extendsStatement(n, fr)
	case *includeNode:
		return c.include(n, fr)
	case *importNode:
		return c.importStatement(n, fr)
	case *fromNode:
		return c.fromStatement(n, fr)
	case *doNode:
		c.lastLine = n.Line()
		x := c.expr(n.x, fr)
		return c.at(n.Line(), func(f *frame) error { _, err := x(f); return err })
	case *autoescapeNode:
		return c.autoescape(n, fr)
	case *breakNode:
		return c.loopControl(n.Line(), errBreak, "'break' outside loop")
	case *continueNode:
		return c.loopControl(n.Line(), errContinue, "'continue' not properly in loop")
	case Exec:
		return c.exec(n, fr)
	}
	c.fail("TemplateSyntaxError", n.Line(), "a tag of type %T cannot be run", n)
	return statement{}
}

func (c *compiler) loopControl(line int, err error, outside string) statement {
	if c.loops == 0 {
		c.fail("SyntaxError", line, "%s", outside)
	}
	c.lastLine = line
	return statement{run: func(*frame) error { return err }}
}
