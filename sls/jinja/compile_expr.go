package jinja

import (
	"fmt"
	"strconv"

	"github.com/gostate/gostate/state/value"
)

// expr makes the closure that evaluates an expression.
func (c *compiler) expr(e Expr, fr *scopeFrame) evalFunc {
	switch e := e.(type) {
	case *constExpr:
		v := e.v
		return func(*frame) (value.Value, error) { return v, nil }
	case *dataExpr:
		v := value.Str(e.text)
		return func(*frame) (value.Value, error) { return v, nil }
	case *nameExpr:
		return c.name(e, fr)
	case *tupleExpr:
		items := c.exprs(e.items, fr)
		return func(f *frame) (value.Value, error) {
			vs, err := evalAll(f, items)
			if err != nil {
				return nil, err
			}
			return &value.Tuple{Items: vs}, nil
		}
	case *listExpr:
		items := c.exprs(e.items, fr)
		return func(f *frame) (value.Value, error) {
			vs, err := evalAll(f, items)
			if err != nil {
				return nil, err
			}
			return &value.List{Items: vs}, nil
		}
	case *dictExpr:
		return c.dict(e, fr)
	case *condExpr:
		return c.cond(e, fr)
	case *boolExpr:
		return c.boolean(e, fr)
	case *notExpr:
		x := c.expr(e.x, fr)
		return func(f *frame) (value.Value, error) {
			yes, err := evalTruth(f, x)
			return value.Bool(!yes), err
		}
	case *unaryExpr:
		return c.unary(e, fr)
	case *binExpr:
		return c.binary(e, fr)
	case *concatExpr:
		return c.concat(e, fr)
	case *compareExpr:
		return c.compare(e, fr)
	case *attrExpr:
		return c.attr(e, fr)
	case *itemExpr:
		return c.item(e, fr)
	case *callExpr:
		return c.call(e, fr, nil)
	case *filterExpr:
		return c.filter(e, fr)
	}
	c.fail("TemplateSyntaxError", e.Line(), "unexpected %s", quote(typeWord(e)))
	return nil
}

func (c *compiler) binary(e *binExpr, fr *scopeFrame) evalFunc {
	op, left, right := e.op, c.expr(e.left, fr), c.expr(e.right, fr)
	return func(f *frame) (value.Value, error) {
		a, err := left(f)
		if err != nil {
			return nil, err
		}
		b, err := right(f)
		if err != nil {
			return nil, err
		}
		if x, ok := a.(value.Int); ok {
			if y, ok := b.(value.Int); ok {
				if v, ok := smallInts(op, x, y); ok {
					return v, nil
				}
			}
		}
		return binary(op, a, b)
	}
}

// smallInts is arithmetic that cannot overflow.
func smallInts(op Kind, x, y value.Int) (value.Int, bool) {
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

func (c *compiler) attr(e *attrExpr, fr *scopeFrame) evalFunc {
	x, name := c.expr(e.x, fr), e.name
	_, isMethod := value.Method(value.NewDict(0), name)
	inDict := !isMethod && name[0] != '_'
	return func(f *frame) (value.Value, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		if d, ok := v.(*value.Dict); ok && inDict {
			if out, ok := d.GetStr(name); ok {
				return out, nil
			}
		}
		return getattr(f, v, name)
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

func (c *compiler) exprs(es []Expr, fr *scopeFrame) []evalFunc {
	if len(es) == 0 {
		return nil
	}
	out := make([]evalFunc, len(es))
	for i, e := range es {
		out[i] = c.expr(e, fr)
	}
	return out
}

func evalAll(f *frame, xs []evalFunc) ([]value.Value, error) {
	if len(xs) == 0 {
		return nil, nil
	}
	out := make([]value.Value, len(xs))
	for i, x := range xs {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func evalTruth(f *frame, x evalFunc) (bool, error) {
	v, err := x(f)
	if err != nil {
		return false, err
	}
	return truth(v)
}

func (c *compiler) name(e *nameExpr, fr *scopeFrame) evalFunc {
	name, s := e.name, c.ref(fr, e.name)
	if s.hops == 0 {
		i := s.i
		return func(f *frame) (value.Value, error) {
			if v := f.slots[i]; v != nil {
				return v, nil
			}
			return f.run.env.undefinedName(name), nil
		}
	}
	return func(f *frame) (value.Value, error) {
		if v := s.get(f); v != nil {
			return v, nil
		}
		return f.run.env.undefinedName(name), nil
	}
}

func (c *compiler) dict(e *dictExpr, fr *scopeFrame) evalFunc {
	keys, vals := c.exprs(e.keys, fr), c.exprs(e.vals, fr)
	return func(f *frame) (value.Value, error) {
		d := value.NewDict(len(keys))
		for i, key := range keys {
			k, err := key(f)
			if err != nil {
				return nil, err
			}
			v, err := vals[i](f)
			if err != nil {
				return nil, err
			}
			if err := strict(k); err != nil {
				return nil, err
			}
			if err := d.Set(Plain(k), v); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
}

func (c *compiler) cond(e *condExpr, fr *scopeFrame) evalFunc {
	soft := fr.softened()
	test, then := c.expr(e.test, soft), c.expr(e.then, soft)
	var els evalFunc
	if e.els != nil {
		els = c.expr(e.els, soft)
	} else {
		// Without an else even StrictUndefined is not strict here.
		place := fmt.Sprintf("line %d", e.Line())
		if c.t.Name != "" {
			place += " in " + quote(c.t.Name)
		}
		msg := "the inline if-expression on " + place + " evaluated to false and no else section was defined."
		els = func(*frame) (value.Value, error) { return &value.Undefined{Hint: msg, Lenient: true}, nil }
	}
	return func(f *frame) (value.Value, error) {
		yes, err := evalTruth(f, test)
		if err != nil {
			return nil, err
		}
		if yes {
			return then(f)
		}
		return els(f)
	}
}

func (c *compiler) boolean(e *boolExpr, fr *scopeFrame) evalFunc {
	or, left, right := e.or, c.expr(e.left, fr), c.expr(e.right, fr)
	return func(f *frame) (value.Value, error) {
		v, err := left(f)
		if err != nil {
			return nil, err
		}
		yes, err := truth(v)
		if err != nil {
			return nil, err
		}
		if yes == or {
			return v, nil
		}
		return right(f)
	}
}

func (c *compiler) unary(e *unaryExpr, fr *scopeFrame) evalFunc {
	op, x := e.op, c.expr(e.x, fr)
	return func(f *frame) (value.Value, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		if err := used(v); err != nil {
			return nil, err
		}
		if op == Sub {
			return value.Neg(Plain(v))
		}
		return value.Pos(Plain(v))
	}
}

func (c *compiler) concat(e *concatExpr, fr *scopeFrame) evalFunc {
	parts := c.exprs(e.parts, fr)
	return func(f *frame) (value.Value, error) {
		buf := f.run.scratch[:0]
		f.run.scratch = nil
		safe := f.ctx.autoescape
		for _, p := range parts {
			v, err := p(f)
			if err != nil {
				return nil, err
			}
			if safe {
				m, err := escape(v)
				if err != nil {
					return nil, err
				}
				buf = append(buf, m...)
				continue
			}
			if buf, err = appendStr(buf, v); err != nil {
				return nil, err
			}
			if int64(len(buf)) > f.run.env.cfg.Limits.Output {
				return nil, f.out.charge(len(buf))
			}
		}
		f.run.scratch = buf
		return f.captured(string(buf)), nil
	}
}

// appendStr appends str(v).
func appendStr(buf []byte, v value.Value) ([]byte, error) {
	switch v := v.(type) {
	case value.Str:
		return append(buf, v...), nil
	case value.Int:
		return strconv.AppendInt(buf, int64(v), 10), nil
	}
	s, err := str(v)
	return append(buf, s...), err
}

func (c *compiler) compare(e *compareExpr, fr *scopeFrame) evalFunc {
	first := c.expr(e.first, fr)
	if len(e.ops) == 1 {
		op, right := e.ops[0].op, c.expr(e.ops[0].x, fr)
		return func(f *frame) (value.Value, error) {
			a, err := first(f)
			if err != nil {
				return nil, err
			}
			b, err := right(f)
			if err != nil {
				return nil, err
			}
			yes, err := compare(op, a, b)
			return value.Bool(yes), err
		}
	}
	xs := make([]evalFunc, len(e.ops))
	for i, op := range e.ops {
		xs[i] = c.expr(op.x, fr)
	}
	ops := e.ops
	return func(f *frame) (value.Value, error) {
		a, err := first(f)
		if err != nil {
			return nil, err
		}
		for i, x := range xs {
			b, err := x(f)
			if err != nil {
				return nil, err
			}
			yes, err := compare(ops[i].op, a, b)
			if err != nil || !yes {
				return value.Bool(false), err
			}
			a = b
		}
		return value.Bool(true), nil
	}
}

func (c *compiler) item(e *itemExpr, fr *scopeFrame) evalFunc {
	x := c.expr(e.x, fr)
	if s, ok := e.key.(*sliceExpr); ok {
		return c.slice(x, s, fr)
	}
	if t, ok := e.key.(*tupleExpr); ok {
		for _, it := range t.items {
			if _, ok := it.(*sliceExpr); ok {
				c.fail("TemplateSyntaxError", e.Line(), "a slice within a tuple of subscripts is not supported")
			}
		}
	}
	key := c.expr(e.key, fr)
	return func(f *frame) (value.Value, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		k, err := key(f)
		if err != nil {
			return nil, err
		}
		if d, ok := v.(*value.Dict); ok {
			if s, ok := k.(value.Str); ok {
				if out, ok := d.GetStr(string(s)); ok {
					return out, nil
				}
			}
		}
		return f.run.env.Getitem(v, k)
	}
}

func (c *compiler) slice(x evalFunc, s *sliceExpr, fr *scopeFrame) evalFunc {
	bound := func(e Expr) evalFunc {
		if e == nil {
			return func(*frame) (value.Value, error) { return value.None, nil }
		}
		return c.expr(e, fr)
	}
	start, stop, step := bound(s.start), bound(s.stop), bound(s.step)
	return func(f *frame) (value.Value, error) {
		vs, err := evalAll(f, []evalFunc{x, start, stop, step})
		if err != nil {
			return nil, err
		}
		if err := used(vs[0]); err != nil {
			return nil, err
		}
		out, err := value.Slice(Plain(vs[0]), vs[1], vs[2], vs[3])
		if _, ok := vs[0].(Markup); ok && err == nil {
			return Markup(out.(value.Str)), nil
		}
		return out, err
	}
}
