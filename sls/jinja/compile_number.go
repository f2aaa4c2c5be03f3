package jinja

import "github.com/gostate/gostate/state/value"

// numberFunc evaluates an expression that may well be a number: to n where v is nil, else to v, which may be an Int,
// too. So arithmetic on small integers allocates nothing before its result is kept.
type numberFunc func(f *frame) (n int64, v value.Value, err error)

// boxed is what a numberFunc gave, as a value.
func boxed(n int64, v value.Value) value.Value {
	if v == nil {
		return value.Int(n)
	}
	return v
}

// unboxed turns what a numberFunc gave into n where it can.
func unboxed(n int64, v value.Value) (int64, value.Value) {
	if i, ok := v.(value.Int); ok {
		return int64(i), nil
	}
	return n, v
}

// number makes the closure that evaluates an expression to a number, if it is one.
func (c *compiler) number(e Expr, fr *scopeFrame) numberFunc {
	switch e := e.(type) {
	case *constExpr:
		if n, ok := e.v.(value.Int); ok {
			return func(*frame) (int64, value.Value, error) { return int64(n), nil, nil }
		}
	case *binExpr:
		return c.binary(e, fr)
	case *attrExpr:
		return c.attr(e, fr)
	case *nameExpr:
		if i, ok := c.local(e, fr); ok {
			return func(f *frame) (int64, value.Value, error) { return 0, f.local(i, e.name), nil }
		}
	}
	x := c.expr(e, fr)
	return func(f *frame) (int64, value.Value, error) {
		v, err := x(f)
		return 0, v, err
	}
}

// local is the slot of a name of this function.
func (c *compiler) local(e *nameExpr, fr *scopeFrame) (int, bool) {
	s := c.ref(fr, e.name)
	return s.i, s.hops == 0
}

// computed makes a value of a number.
func (c *compiler) computed(e Expr, fr *scopeFrame) evalFunc {
	x := c.number(e, fr)
	return func(f *frame) (value.Value, error) {
		n, v, err := x(f)
		if v == nil && err == nil {
			return value.Int(n), nil
		}
		return v, err
	}
}

// An operand is a side of an operation. Small integers that are written in the template or held by a variable of the
// function itself are read in place.
type operand struct {
	constant bool
	n        int64 // of the constant
	slot     int   // of the variable, -1 where it is none
	eval     numberFunc
}

func (c *compiler) operand(e Expr, fr *scopeFrame) operand {
	o := operand{slot: -1}
	switch e := e.(type) {
	case *constExpr:
		if n, ok := e.v.(value.Int); ok {
			o.constant, o.n = true, int64(n)
		}
	case *nameExpr:
		if i, ok := c.local(e, fr); ok {
			o.slot = i
		}
	}
	o.eval = c.number(e, fr)
	return o
}

// int is the operand, if it is an integer that is at hand.
func (o *operand) int(f *frame) (int64, bool) {
	if o.slot >= 0 {
		n, ok := f.slots[o.slot].(value.Int)
		return int64(n), ok
	}
	return o.n, o.constant
}

// both evaluates two operands: to x and y where a and b are nil.
func both(f *frame, left, right *operand) (x, y int64, a, b value.Value, err error) {
	var ok bool
	if x, ok = left.int(f); !ok {
		if x, a, err = left.eval(f); err != nil {
			return
		}
		x, a = unboxed(x, a)
	}
	if y, ok = right.int(f); !ok {
		if y, b, err = right.eval(f); err != nil {
			return
		}
		y, b = unboxed(y, b)
	}
	return
}

func (c *compiler) binary(e *binExpr, fr *scopeFrame) numberFunc {
	op, left, right := e.op, c.operand(e.left, fr), c.operand(e.right, fr)
	return func(f *frame) (int64, value.Value, error) {
		x, y, a, b, err := both(f, &left, &right)
		if err != nil {
			return 0, nil, err
		}
		if a == nil && b == nil {
			if n, ok := smallInts(op, x, y); ok {
				return n, nil, nil
			}
		}
		a, b = boxed(x, a), boxed(y, b)
		v, err := binary(op, a, b)
		f.carry(v, a, b)
		return 0, v, err
	}
}

// smallInts is arithmetic that cannot overflow.
func smallInts(op Kind, x, y int64) (int64, bool) {
	const limit = 1 << 31
	if x < 0 || y <= 0 || x >= limit || y >= limit {
		return 0, false
	}
	switch op {
	case Add:
		return x + y, true
	case Sub:
		return x - y, true
	case Mul:
		return x * y, true
	case Mod:
		return x % y, true
	case FloorDiv:
		return x / y, true
	}
	return 0, false
}

func (c *compiler) attr(e *attrExpr, fr *scopeFrame) numberFunc {
	x, name := c.number(e.x, fr), e.name
	_, isMethod := value.Method(value.NewDict(0), name)
	inDict := !isMethod && name[0] != '_'
	counter := counterOf(name)
	return func(f *frame) (int64, value.Value, error) {
		n, v, err := x(f)
		if err != nil {
			return 0, nil, err
		}
		switch v := v.(type) {
		case *value.Dict:
			if inDict {
				if out, ok := v.GetStr(name); ok {
					return 0, out, nil
				}
			}
		case *Loop:
			if counter != noCounter {
				return v.counter(counter), nil, nil
			}
		}
		out, err := getattr(f, boxed(n, v), name)
		return 0, out, err
	}
}

// getattr is Environment.Getattr; what dicts hold comes first to mind, but a method of that name wins.
func getattr(f *frame, v value.Value, name string) (value.Value, error) {
	if a, ok := v.(value.Attrs); ok && name[0] != '_' {
		if l, ok := v.(*Loop); ok {
			out, ok, err := l.attr(name)
			if ok || err != nil {
				return out, err
			}
		} else if out, ok := a.Attr(name); ok {
			return out, nil
		}
	}
	return f.run.env.Getattr(v, name)
}
