package jinja

import (
	"fmt"

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
		return c.decided(e, fr)
	case *unaryExpr:
		return c.unary(e, fr)
	case *binExpr:
		return c.computed(e, fr)
	case *concatExpr:
		return c.concat(e, fr)
	case *compareExpr:
		return c.decided(e, fr)
	case *attrExpr:
		return c.computed(e, fr)
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

func (c *compiler) name(e *nameExpr, fr *scopeFrame) evalFunc {
	name, s := e.name, c.ref(fr, e.name)
	if s.hops == 0 {
		return func(f *frame) (value.Value, error) { return f.local(s.i, name), nil }
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
	test, then := c.test(e.test, soft), c.expr(e.then, soft)
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
		yes, err := test(f)
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
	if k, ok := e.key.(*constExpr); ok {
		if s, ok := k.v.(value.Str); ok {
			return c.named(x, s)
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

// named is x['key'].
func (c *compiler) named(x evalFunc, key value.Str) evalFunc {
	return func(f *frame) (value.Value, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		if d, ok := v.(*value.Dict); ok {
			if out, ok := d.GetStr(string(key)); ok {
				return out, nil
			}
		}
		return f.run.env.Getitem(v, key)
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
		f.carry(out, vs[0], nil)
		if _, ok := vs[0].(Markup); ok && err == nil {
			return Markup(out.(value.Str)), nil
		}
		return out, err
	}
}
