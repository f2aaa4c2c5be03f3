package jinja

import (
	"strconv"

	"github.com/gostate/gostate/state/value"
)

// textFunc appends to buf what an expression prints: str() of its value, escaped where autoescape is on. It gives the
// longer buf, or with an error what it likes: the caller's own is as it was.
type textFunc func(f *frame, buf []byte) ([]byte, error)

// text makes the closure that prints an expression, without making a value of what is text in the end anyway.
func (c *compiler) text(e Expr, fr *scopeFrame) textFunc {
	switch e := e.(type) {
	case *constExpr:
		if s, ok := e.v.(value.Str); ok {
			return func(f *frame, buf []byte) ([]byte, error) {
				if f.ctx.autoescape {
					return f.appendText(buf, s)
				}
				return append(buf, s...), nil
			}
		}
	case *concatExpr:
		return c.concatText(e, fr)
	case *condExpr:
		if e.els == nil {
			break
		}
		soft := fr.softened()
		test, then, els := c.test(e.test, soft), c.text(e.then, soft), c.text(e.els, soft)
		return func(f *frame, buf []byte) ([]byte, error) {
			yes, err := test(f)
			if err != nil {
				return nil, err
			}
			if yes {
				return then(f, buf)
			}
			return els(f, buf)
		}
	case *binExpr, *attrExpr:
		x := c.number(e, fr)
		return func(f *frame, buf []byte) ([]byte, error) {
			n, v, err := x(f)
			if err != nil {
				return nil, err
			}
			if v == nil {
				return strconv.AppendInt(buf, n, 10), nil
			}
			return f.appendText(buf, v)
		}
	case *nameExpr:
		if i, ok := c.local(e, fr); ok {
			return func(f *frame, buf []byte) ([]byte, error) { return f.appendText(buf, f.local(i, e.name)) }
		}
	case *filterExpr:
		if fn := c.env.letterFilters[e.name]; fn != nil && !e.test && e.x != nil && e.none() {
			return c.letters(fn, e, fr)
		}
	}
	x := c.expr(e, fr)
	return func(f *frame, buf []byte) ([]byte, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		return f.appendText(buf, v)
	}
}

// A letterFilter is a filter that changes letters in their places, where all text is ASCII.
type letterFilter func(text []byte)

// letters prints what the filter makes of a text that is printed.
func (c *compiler) letters(fn letterFilter, e *filterExpr, fr *scopeFrame) textFunc {
	x, apply := c.expr(e.x, fr), c.filterCall(e, fr)
	return func(f *frame, buf []byte) ([]byte, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		if s, ok := v.(value.Str); ok && isASCII(string(s)) && !f.ctx.autoescape {
			start := len(buf)
			buf = append(buf, s...)
			fn(buf[start:])
			if !f.run.env.cfg.Secrets.Empty() {
				f.carry(value.Str(buf[start:]), v, nil)
			}
			return buf, nil
		}
		if v, err = apply(f, v); err != nil {
			return nil, err
		}
		return f.appendText(buf, v)
	}
}

// appendText appends what v prints.
func (f *frame) appendText(buf []byte, v value.Value) ([]byte, error) {
	if f.ctx.autoescape {
		m, err := escape(v)
		return append(buf, m...), err
	}
	switch v := v.(type) {
	case value.Str:
		return append(buf, v...), nil
	case value.Int:
		return strconv.AppendInt(buf, int64(v), 10), nil
	case *value.Undefined:
		if f.run.env.cfg.Undefined == Debug {
			return append(buf, debugText(v)...), nil
		}
		if err := strict(v); err != nil {
			return nil, err
		}
	}
	return value.AppendString(buf, v), nil
}

// concatText appends the parts of a ~ b ~ c. Where a call might change what another part is, all are evaluated first,
// as Python does.
func (c *compiler) concatText(e *concatExpr, fr *scopeFrame) textFunc {
	if hasCall(e) {
		parts := c.exprs(e.parts, fr)
		return func(f *frame, buf []byte) ([]byte, error) {
			vs, err := evalAll(f, parts)
			if err != nil {
				return nil, err
			}
			for _, v := range vs {
				if buf, err = f.appendText(buf, v); err != nil {
					return nil, err
				}
				if len(buf) > f.run.longest {
					return nil, f.run.tooMuch()
				}
			}
			return buf, nil
		}
	}
	parts := make([]textFunc, len(e.parts))
	for i, p := range e.parts {
		parts[i] = c.text(p, fr)
	}
	return func(f *frame, buf []byte) ([]byte, error) {
		for _, p := range parts {
			var err error
			if buf, err = p(f, buf); err != nil {
				return nil, err
			}
			if len(buf) > f.run.longest {
				return nil, f.run.tooMuch()
			}
		}
		return buf, nil
	}
}

// hasCall says whether a function is called within the expression.
func hasCall(e any) bool {
	if _, ok := e.(*callExpr); ok {
		return true
	}
	found := false
	children(e, func(c any) { found = found || hasCall(c) })
	return found
}

// concat makes text of the parts.
func (c *compiler) concat(e *concatExpr, fr *scopeFrame) evalFunc {
	x := c.concatText(e, fr)
	return func(f *frame) (value.Value, error) {
		buf := f.run.scratch[:0]
		f.run.scratch = nil // for concats within this one
		buf, err := x(f, buf)
		if err != nil {
			return nil, err
		}
		f.run.scratch = buf
		return f.captured(f.run.keep(buf)), nil
	}
}
