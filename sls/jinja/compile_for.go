package jinja

import "github.com/gostate/gostate/state/value"

// loopCode is a compiled for loop.
type loopCode struct {
	line      int
	t         *Template
	item      slotOf // of the variable that holds the item, -1 where set does it
	set       setFunc
	loop      slotOf   // of the variable loop, -1 when the body does not use it
	once      []loadOp // of names that the body does not set: they stay as they are from turn to turn
	loads     []loadOp
	body      []statement
	elseLoads []loadOp
	els       []statement
	hasElse   bool
	slots     []int
	elseSlots []int
	filter    *loopFilter // may be nil
}

// loopFilter is the if of a for: a function of its own, as in Jinja.
type loopFilter struct {
	fn    *function
	loads []loadOp
	set   setFunc
	test  evalFunc
	line  int
}

func (c *compiler) forStatement(n *forNode, fr *scopeFrame) statement {
	inner, elseFr := fr.inner(), fr.inner()
	lc := &loopCode{line: n.Line(), t: c.t, loop: -1, hasElse: n.els != nil}
	extended := n.recursive || undeclared(n.body, "loop")["loop"] || hasScopedBlock(n)
	var loopVar variable
	if extended {
		loopVar = inner.sym.declare("loop")
	}
	inner.sym.params(n.target)
	inner.sym.visitAll(n.body)
	elseFr.sym.visitAll(n.els)
	outer := c.fn
	if n.test != nil {
		c.loopFilter(lc, n, fr)
	}
	if n.recursive {
		c.fn = newFunction(outer)
	}
	c.checkLoopTarget(n)
	c.lastLine = n.Line()
	var iter evalFunc
	if !n.recursive {
		iter = c.expr(n.iter, fr)
	}
	for _, op := range c.enter(inner) {
		if op.kind == loadResolve && !inner.sym.isStored(op.name) {
			lc.once = append(lc.once, op)
		} else {
			lc.loads = append(lc.loads, op)
		}
	}
	lc.item, lc.set = c.localTarget(n.target, inner), c.target(n.target, inner)
	if extended {
		lc.loop = slotOf(c.fn.declare(loopVar))
	}
	depth := c.loops
	c.loops++
	lc.body = c.statements(n.body, inner)
	c.loops = depth
	lc.slots = c.leave(inner)
	lc.elseLoads = c.enter(elseFr)
	lc.els = c.statements(n.els, elseFr)
	lc.elseSlots = c.leave(elseFr)
	if !n.recursive {
		return c.at(n.Line(), func(f *frame) error {
			v, err := iter(f)
			if err != nil {
				return err
			}
			return lc.run(f, v, nil, 0)
		})
	}
	fn := c.fn
	c.fn = outer
	return c.recursiveLoop(n, fr, lc, fn)
}

// recursiveLoop makes a loop that calls itself: its body is a function that gives text.
func (c *compiler) recursiveLoop(n *forNode, fr *scopeFrame, lc *loopCode, fn *function) statement {
	c.lastLine = n.Line()
	iter := c.expr(n.iter, fr)
	t := c.t
	return c.at(n.Line(), func(f *frame) error {
		v, err := iter(f)
		if err != nil {
			return err
		}
		var recurse func(v value.Value, depth int) (string, error)
		recurse = func(v value.Value, depth int) (string, error) {
			if err := f.run.enter(); err != nil {
				return "", err
			}
			defer f.run.leave()
			g := newFrame(f.run, t, f.ctx, f, fn)
			g.out = f.run.newOutput()
			if err := lc.run(g, v, recurse, depth); err != nil {
				return "", err
			}
			return g.out.take()
		}
		text, err := recurse(v, 0)
		if err != nil {
			return err
		}
		return f.out.value(t, lc.line, text)
	})
}

func (c *compiler) loopFilter(lc *loopCode, n *forNode, fr *scopeFrame) {
	test := fr.inner()
	test.sym.params(n.target)
	test.sym.visit(n.test)
	outer := c.fn
	c.fn = newFunction(outer)
	c.lastLine = n.test.Line()
	lf := &loopFilter{loads: c.enter(test), line: n.test.Line()}
	lf.set = c.target(n.target, test)
	lf.test = c.expr(n.test, test)
	lf.fn = c.fn
	c.fn = outer
	lc.filter = lf
}

func hasScopedBlock(n *forNode) bool {
	found := false
	findAll(n.body, func(n any) {
		if b, ok := n.(*blockNode); ok && b.scoped {
			found = true
		}
	})
	return found
}

func (c *compiler) checkLoopTarget(n *forNode) {
	check := func(target Expr) {
		targetNames(target, func(name *nameExpr) {
			if name.name == "loop" {
				c.fail("TemplateAssertionError", name.Line(), "Can't assign to special loop variable in for-loop target")
			}
		})
	}
	check(n.target)
	for _, body := range [][]Node{n.body, n.els} {
		findAll(body, func(n any) {
			switch n := n.(type) {
			case *assignNode:
				check(n.target)
			case *assignBlockNode:
				check(n.target)
			case *forNode:
				check(n.target)
			}
		})
	}
}

// filterIter gives the items that pass a loop's if.
type filterIter struct {
	in iterator
	f  *frame
	lf *loopFilter
}

func (it *filterIter) next() (value.Value, bool, error) {
	v, ok, err := it.passing()
	if err != nil {
		err = located(err, it.f.tmpl, it.lf.line)
	}
	return v, ok, err
}

func (it *filterIter) passing() (value.Value, bool, error) {
	for {
		v, ok, err := it.in.next()
		if err != nil || !ok {
			return nil, false, err
		}
		if err := it.f.run.step(1); err != nil {
			return nil, false, err
		}
		if err := it.lf.set(it.f, v); err != nil {
			return nil, false, err
		}
		x, err := it.lf.test(it.f)
		if err != nil {
			return nil, false, err
		}
		if yes, err := truth(x); yes || err != nil {
			return v, yes, err
		}
	}
}

// run loops over v.
func (lc *loopCode) run(f *frame, v value.Value, recurse func(value.Value, int) (string, error), depth int) error {
	it, err := iterate(v)
	if err != nil {
		return err
	}
	if lc.filter != nil {
		around := f
		if recurse != nil {
			around = f.parent
		}
		g := newFrame(f.run, f.tmpl, f.ctx, around, lc.filter.fn)
		runLoads(g, lc.filter.loads)
		it = &filterIter{it, g, lc.filter}
		v = nil
	}
	completed := false
	if lc.loop >= 0 {
		lp := &Loop{it: it, over: v, index0: -1, depth0: depth, recurse: recurse, env: f.run.env}
		completed, err = lc.each(f, lp, lp)
	} else {
		completed, err = lc.each(f, it, nil)
	}
	if err != nil {
		return err
	}
	clearSlots(f, lc.slots)
	if !lc.hasElse || completed {
		return nil
	}
	runLoads(f, lc.elseLoads)
	if err := runBody(f, lc.els); err != nil {
		return err
	}
	clearSlots(f, lc.elseSlots)
	return nil
}

// each runs the body for the items. It says whether the end of the body was reached once, which is what Jinja's else of
// a loop goes by.
func (lc *loopCode) each(f *frame, it iterator, lp *Loop) (completed bool, err error) {
	for first := true; ; first = false {
		v, ok, err := it.next()
		if err != nil {
			return completed, err
		}
		if !ok {
			return completed, nil
		}
		if first {
			runLoads(f, lc.once)
		}
		if f.run.iterations--; f.run.iterations < 0 {
			return completed, raise("SecurityError", "the loops of the template take too many turns (the limit is %d)",
				f.run.env.cfg.Limits.Iterations)
		}
		if lc.item >= 0 {
			f.slots[lc.item] = v
		} else if err := lc.set(f, v); err != nil {
			return completed, err
		}
		if lp != nil && first {
			f.slots[lc.loop] = lp
		}
		runLoads(f, lc.loads)
		switch err := runBody(f, lc.body); err {
		case nil:
			completed = true
		case errBreak:
			return completed, nil
		case errContinue:
		default:
			return completed, err
		}
	}
}
