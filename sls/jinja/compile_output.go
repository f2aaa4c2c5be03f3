package jinja

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A printed is one piece of what a template prints: text of its own, or an expression.
type printed struct {
	text templateText // where print is nil
	expr textFunc
	line int
}

// output prints text and expressions.
func (c *compiler) output(n *outputNode, fr *scopeFrame) statement {
	if fr.checkOutput && c.isChild || len(n.parts) == 0 {
		return statement{}
	}
	parts := make([]printed, 0, len(n.parts))
	for _, p := range n.parts {
		if d, ok := p.(*dataExpr); ok {
			parts = append(parts, printed{text: newTemplateText(d.text, p.Line()), line: p.Line()})
			continue
		}
		c.lastLine = p.Line()
		parts = append(parts, printed{expr: c.text(p, fr), line: p.Line()})
	}
	if fr.checkOutput {
		return statement{run: func(f *frame) error {
			if f.super != nil {
				return nil
			}
			return f.print(parts)
		}}
	}
	return statement{run: func(f *frame) error { return f.print(parts) }}
}

// print prints the parts one after the other.
func (f *frame) print(parts []printed) error {
	o := f.out
	for i := range parts {
		p := &parts[i]
		if p.expr == nil {
			o.text(f.tmpl, &p.text)
		} else {
			start := len(o.buf)
			buf, err := p.expr(f, o.buf)
			if err != nil {
				return located(err, f.tmpl, p.line)
			}
			o.buf = buf
			o.placed(f.tmpl, p.line, start)
		}
		if len(o.buf) > o.limit {
			if err := o.settle(); err != nil {
				return located(err, f.tmpl, p.line)
			}
		}
	}
	return nil
}

func debugText(u *value.Undefined) string {
	switch {
	case u.Hint != "":
		return "{{ undefined value printed: " + u.Hint + " }}"
	case u.Obj == "":
		return "{{ " + u.Name + " }}"
	}
	return "{{ no such element: " + strings.TrimSuffix(u.Obj, " object") + " object[" + quote(u.Name) + "] }}"
}
