package syntax

import "strings"

// body reads { statements }.
func (p *parser) body() []Node {
	p.expect("{")
	out := p.statements("}")
	p.expect("}")
	return out
}

// conditional is if, unless, with elsif and else.
func (p *parser) conditional() Node {
	t := p.take()
	n := &If{Pos: t.pos, Not: t.kind == "unless", Cond: p.condition()}
	n.Then = p.body()
	switch {
	case p.is("elsif"):
		p.tok().kind = "if"
		n.Else = []Node{p.conditional()}
	case p.accept("else"):
		n.Else = p.body()
	}
	return n
}

// condition is an expression whose { is not its own.
func (p *parser) condition() Node { return p.expression(0) }

func (p *parser) caseOf() Node {
	n := &Case{Pos: p.take().pos, Of: p.condition()}
	p.expect("{")
	for !p.is("}") {
		o := CaseOption{Pos: p.tok().pos}
		for {
			if p.is("*") {
				o.Values = append(o.Values, p.argument())
			} else {
				o.Values = append(o.Values, p.expression(0))
			}
			if !p.accept(",") || p.is(":") {
				break
			}
		}
		p.expect(":")
		o.Body = p.body()
		n.Options = append(n.Options, o)
	}
	p.expect("}")
	return n
}

// lambda is |parameters| >> Type { statements }.
func (p *parser) lambda() *Lambda {
	l := &Lambda{Pos: p.expect("|").pos}
	l.Params = p.params("|")
	p.expect("|")
	if p.accept(">>") {
		l.Returns = p.typeExpression()
	}
	l.Body = p.body()
	return l
}

// params reads parameters up to a token: Type *$name = default.
func (p *parser) params(end kind) []*Param {
	var out []*Param
	for !p.is(end) {
		prm := &Param{Pos: p.tok().pos}
		if p.is(tRef) || p.is(tName) {
			prm.Type = p.typeExpression()
		}
		prm.Rest = p.accept("*")
		v := p.expect(tVariable)
		prm.Pos, prm.Name = v.pos, v.text
		if p.accept("=") {
			prm.Default = p.paramDefault()
		}
		out = append(out, prm)
		if !p.accept(",") {
			break
		}
	}
	return out
}

// paramDefault is an expression; between bars, | ends it.
func (p *parser) paramDefault() Node { return p.expression(0) }

// typeExpression is A::B[c, d].
func (p *parser) typeExpression() Node {
	t := p.take()
	if t.kind != tRef && t.kind != tName {
		p.at--
		p.unexpected()
	}
	var n Node = &TypeName{t.pos, t.text}
	if t.kind == tName {
		n = &Name{t.pos, t.text}
	}
	for p.is("[") {
		p.take()
		n = &Access{n.At(), n, p.list("]")}
	}
	return n
}

// class reads a class or, when define, a defined type.
func (p *parser) class(define bool) Node {
	t := p.take()
	c := &Class{Pos: t.pos, Define: define, Name: p.definedName(t)}
	if p.accept("(") || p.accept(tParen) {
		c.Params = p.params(")")
		p.expect(")")
	}
	if p.accept("inherits") {
		parent := p.take()
		if parent.kind != tName && parent.kind != "default" {
			p.at--
			p.unexpected()
		}
		c.Parent = strings.TrimPrefix(parent.text, "::")
	}
	c.Body = p.body()
	return c
}

// definedName is the name of what is being defined.
func (p *parser) definedName(of *token) string {
	t := p.take()
	switch {
	case t.kind == tName:
	case t.kind == tWord:
		what := map[kind]string{"class": "Host Class Definition", "define": "Resource Type Definition",
			"function": "Function Definition"}[of.kind]
		p.fail(of.pos, "Unacceptable name. The name '"+t.text+"' is unacceptable as the name of a "+what)
	case t.kind == tString:
		p.fail(t.pos, "A quoted string is not valid as a name here")
	case t.kind == "class":
		p.fail(t.pos, "'class' keyword not allowed at this location")
	default:
		p.at--
		p.unexpected()
	}
	return strings.TrimPrefix(t.text, "::")
}

func (p *parser) node() Node {
	n := &NodeDef{Pos: p.take().pos}
	for {
		n.Matches = append(n.Matches, p.nodeMatch())
		if !p.accept(",") || p.is("{") || p.is("inherits") {
			break
		}
	}
	if p.accept("inherits") {
		n.Parent = p.nodeMatch()
	}
	n.Body = p.body()
	return n
}

// nodeMatch is 'name', a.b.c, default or /regex/.
func (p *parser) nodeMatch() Node {
	t := p.take()
	switch t.kind {
	case "default":
		return &Default{t.pos}
	case tRegex:
		return &Regex{t.pos, t.text}
	case tString:
		return p.text(t)
	case tName, tWord, tNumber:
		text := t.text
		for p.is(".") {
			p.take()
			text += "." + p.take().text
		}
		return &Literal{t.pos, text, true}
	}
	p.at--
	p.unexpected()
	return nil
}

func (p *parser) function() Node {
	t := p.take()
	f := &Function{Pos: t.pos, Name: p.definedName(t)}
	if p.accept("(") || p.accept(tParen) {
		f.Params = p.params(")")
		p.expect(")")
	}
	if p.accept(">>") {
		f.Returns = p.typeExpression()
	}
	f.Body = p.body()
	return f
}

func (p *parser) typeAlias() Node {
	t := p.take()
	name := p.expect(tRef)
	a := &TypeAlias{Pos: t.pos, Name: name.text}
	p.expect("=")
	a.Type = p.expression(0)
	return a
}
