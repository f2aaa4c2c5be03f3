package jinja

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A printed is one step of what a template prints: text of its own, then an expression, where there is one.
type printed struct {
	text templateText // may be empty
	expr textFunc     // may be nil
	line int          // of the expression
}

// output prints text and expressions.
func (c *compiler) output(n *outputNode, fr *scopeFrame) statement {
	if fr.checkOutput && c.isChild || len(n.parts) == 0 {
		return statement{}
	}
	var parts []printed
	for _, p := range n.parts {
		if d, ok := p.(*dataExpr); ok {
			parts = append(parts, printed{text: newTemplateText(d.text, p.Line())})
			continue
		}
		c.lastLine = p.Line()
		if last := len(parts) - 1; last < 0 || parts[last].expr != nil {
			parts = append(parts, printed{})
		}
		last := &parts[len(parts)-1]
		last.expr, last.line = c.text(p, fr), p.Line()
	}
	if text := parts[0].text; len(parts) == 1 && parts[0].expr == nil && !fr.checkOutput {
		return statement{run: func(f *frame) error { return f.out.text(f.tmpl, &text) }, line: int(text.line)}
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

// print prints the parts one after the other. Nothing else writes to the output meanwhile: what prints within an
// expression has an output of its own.
func (f *frame) print(parts []printed) error {
	o := f.out
	if o.mapped && o.from != f.tmpl {
		o.enter(f.tmpl)
	}
	buf := o.buf
	for i := range parts {
		p := &parts[i]
		if n := len(p.text.s); n > 0 {
			if n == 1 {
				buf = append(buf, p.text.s[0]) // such text is frequent, and this is faster than copying
			} else {
				buf = append(buf, p.text.s...)
			}
			if o.mapped && (p.text.newlines > 0 || !o.begun) {
				o.placeText(&p.text)
			}
		}
		if p.expr != nil {
			longer, err := p.expr(f, buf)
			if err != nil {
				return located(err, f.tmpl, p.line)
			}
			if o.mapped && (!o.begun || newline(longer[len(buf):]) >= 0) {
				o.placeValue(p.line, longer[len(buf):])
			}
			buf = longer
		}
		if len(buf) > o.limit {
			if err := o.settle(len(buf)); err != nil {
				return located(err, f.tmpl, max(p.line, int(p.text.line)))
			}
		}
	}
	o.set(buf)
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
