package jinja

import "github.com/gostate/gostate/state/value"

// testFunc says whether an expression is true, without making a value of the answer.
type testFunc func(f *frame) (bool, error)

// test makes the closure that decides an expression.
func (c *compiler) test(e Expr, fr *scopeFrame) testFunc {
	switch e := e.(type) {
	case *notExpr:
		x := c.test(e.x, fr)
		return func(f *frame) (bool, error) {
			yes, err := x(f)
			return !yes, err
		}
	case *boolExpr:
		or, left, right := e.or, c.test(e.left, fr), c.test(e.right, fr)
		return func(f *frame) (bool, error) {
			yes, err := left(f)
			if err != nil || yes == or {
				return yes, err
			}
			return right(f)
		}
	case *compareExpr:
		return c.compare(e, fr)
	case *filterExpr:
		if e.test {
			return c.filterTest(e, fr)
		}
	}
	x := c.expr(e, fr)
	return func(f *frame) (bool, error) {
		v, err := x(f)
		if err != nil {
			return false, err
		}
		return truth(v)
	}
}

// decided makes a bool of what test says.
func (c *compiler) decided(e Expr, fr *scopeFrame) evalFunc {
	x := c.test(e, fr)
	return func(f *frame) (value.Value, error) {
		yes, err := x(f)
		if err != nil {
			return nil, err
		}
		return value.Bool(yes), nil
	}
}

func (c *compiler) compare(e *compareExpr, fr *scopeFrame) testFunc {
	if len(e.ops) > 1 {
		return c.compareChain(e, fr)
	}
	op, left, right := e.ops[0].op, c.operand(e.first, fr), c.operand(e.ops[0].x, fr)
	return func(f *frame) (bool, error) {
		x, y, a, b, err := both(f, &left, &right)
		if err != nil {
			return false, err
		}
		if a == nil && b == nil && op <= opGe {
			return ordered(op, value.Int(x), value.Int(y)), nil
		}
		return compare(op, boxed(x, a), boxed(y, b))
	}
}

// compareChain is a < b < c: each side is computed once, and not at all behind the first that is not so.
func (c *compiler) compareChain(e *compareExpr, fr *scopeFrame) testFunc {
	first, ops, xs := c.expr(e.first, fr), e.ops, make([]evalFunc, len(e.ops))
	for i, op := range ops {
		xs[i] = c.expr(op.x, fr)
	}
	return func(f *frame) (bool, error) {
		a, err := first(f)
		if err != nil {
			return false, err
		}
		for i, x := range xs {
			b, err := x(f)
			if err != nil {
				return false, err
			}
			yes, err := compare(ops[i].op, a, b)
			if err != nil || !yes {
				return false, err
			}
			a = b
		}
		return true, nil
	}
}

// remainderTest decides a test of a remainder without making a Call.
func (c *compiler) remainderTest(t remainderTest, e *filterExpr, fr *scopeFrame) testFunc {
	left, right := c.operand(e.x, fr), operand{constant: true, n: t.by, slot: -1}
	if t.by == 0 {
		right = c.operand(e.args[0], fr)
	}
	return func(f *frame) (bool, error) {
		x, y, a, b, err := both(f, &left, &right)
		if err != nil {
			return false, err
		}
		if a == nil && b == nil && x >= 0 && y > 0 {
			return x%y == t.want, nil
		}
		return remainder(boxed(x, a), boxed(y, b), value.Int(t.want))
	}
}
