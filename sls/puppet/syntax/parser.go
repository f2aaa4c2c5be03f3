package syntax

import (
	"strings"
)

// Parse reads a manifest. path is how messages name it.
func Parse(path, text string) (f *File, err error) {
	defer caught(&err)
	l := &lexer{file: path, src: strings.TrimPrefix(text, "\ufeff"), line: 1}
	l.run(false)
	p := &parser{file: path, tokens: l.tokens}
	f = &File{Path: path, Body: p.statements(tEOF)}
	p.expect(tEOF)
	return f, validate(f)
}

func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case bail:
		*err = r.err
	default:
		panic(r)
	}
}

// A parser turns tokens into a tree by recursive descent; operators by a table of their binding.
type parser struct {
	file   string
	tokens []token
	at     int
	depth  int
}

// maxDepth bounds how deep expressions nest.
const maxDepth = 1000

func (p *parser) tok() *token { return &p.tokens[p.at] }

func (p *parser) peek() *token { return &p.tokens[min(p.at+1, len(p.tokens)-1)] }

func (p *parser) is(k kind) bool { return p.tok().kind == k }

func (p *parser) take() *token {
	t := p.tok()
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return t
}

func (p *parser) accept(k kind) bool {
	if p.is(k) {
		p.take()
		return true
	}
	return false
}

func (p *parser) expect(k kind) *token {
	if !p.is(k) {
		p.unexpected()
	}
	return p.take()
}

func (p *parser) unexpected() {
	t := p.tok()
	if t.kind == tEOF && t.text == "" {
		panic(bail{&Error{p.file, Pos{}, "Syntax error at end of input"}})
	}
	p.fail(t.pos, "Syntax error at "+t.String())
}

func (p *parser) fail(pos Pos, msg string) { panic(bail{&Error{p.file, pos, msg}}) }

// deeper guards against nesting without end.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok().pos, "expressions are nested more than 1000 deep")
	}
	return func() { p.depth-- }
}

// statements reads until the token. A name that is a statement function takes the expressions behind it as arguments.
func (p *parser) statements(end kind) []Node {
	var out []Node
	for !p.is(end) && !p.is(tEOF) {
		if p.accept(";") {
			continue
		}
		first := p.statement()
		name, isName := first.(*Name)
		if !isName || !isStatementFunction(name.Text) || p.at > 0 && p.tokens[p.at-1].kind == ")" {
			if p.is(",") {
				p.unexpected()
			}
			out = append(out, first)
			continue
		}
		call := &Call{Pos: name.Pos, Of: name}
		if !p.is(end) && !p.is(tEOF) && !p.is(";") && !p.startsDefinition() {
			call.Args = append(call.Args, p.argument())
			for p.accept(",") {
				call.Args = append(call.Args, p.argument())
			}
			if p.is("|") {
				call.Lambda = p.lambda()
			}
		}
		out = append(out, call)
	}
	return out
}

// startsDefinition says whether what follows is no argument of a statement function.
func (p *parser) startsDefinition() bool {
	switch p.tok().kind {
	case "class", "define", "node", "function", "if", "unless", "case", "type", tText, tPrint:
		return true
	}
	return false
}

// isStatementFunction says whether a function may be called without parentheses.
func isStatementFunction(name string) bool {
	switch name {
	case "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail", "import",
		"break", "next", "return":
		return true
	}
	return false
}

// argument is one of a call's: *a, or what can be assigned.
func (p *parser) argument() Node {
	if p.is("*") {
		t := p.take()
		return &Splat{t.pos, p.assignment()}
	}
	return p.assignment()
}

func (p *parser) statement() Node {
	defer p.deeper()()
	switch t := p.tok(); t.kind {
	case "class":
		if p.peek().kind != "{" {
			return p.class(false)
		}
	case "define":
		return p.class(true)
	case "node":
		return p.node()
	case "function":
		return p.function()
	case "type":
		if p.peek().kind == tRef {
			return p.typeAlias()
		}
	case "plan", "application", "site":
		return p.reserved()
	case tText:
		p.take()
		return &Print{t.pos, &Literal{t.pos, t.text, true}}
	case tPrint:
		p.take()
		return &Print{t.pos, p.assignment()}
	}
	return p.assignment()
}

// reserved reads over a definition of what exists elsewhere, such as a plan.
func (p *parser) reserved() Node {
	t := p.take()
	for !p.is("{") && !p.is(tEOF) {
		p.take()
	}
	p.expect("{")
	p.statements("}")
	p.expect("}")
	return &Reserved{t.pos, t.text}
}

func (p *parser) assignment() Node {
	defer p.deeper()()
	left := p.relationship()
	switch p.tok().kind {
	case "=", "+=", "-=":
		op := p.take()
		return &Assign{left.At(), op.text, left, p.assignment()}
	}
	return left
}

// relationship is a -> b <~ c, from the left.
func (p *parser) relationship() Node {
	left := p.resource()
	for {
		switch p.tok().kind {
		case "->", "~>", "<-", "<~":
			op := p.take()
			left = &Relation{left.At(), op.text, left, p.resource(), op.pos}
		default:
			return left
		}
	}
}

// resource is an expression, or one that is followed by the bodies of resources, by attributes, or by a query.
func (p *parser) resource() Node {
	at := p.tok()
	if form := at.kind; form == "@" || form == "@@" {
		p.take()
		r := p.resourceOf(p.expression(0), at.pos)
		if o, ok := r.(*Resource); ok {
			o.Form = string(form)
			return o
		}
		p.fail(at.pos, map[kind]string{"@": "Resource Defaults are not virtualizable",
			"@@": "Resource Defaults are not virtualizable"}[form])
	}
	var left Node
	if p.is("class") && p.peek().kind == "{" {
		left = &Name{p.take().pos, "class"}
	} else {
		left = p.expression(0)
	}
	for p.is("{") || p.is("<|") || p.is("<<|") {
		if p.is("{") {
			if !mayOwnBraces(left) {
				return left
			}
			left = p.resourceOf(left, left.At())
			continue
		}
		left = p.collector(left)
	}
	return left
}

// mayOwnBraces says whether { behind an expression can begin the body of a resource.
func mayOwnBraces(n Node) bool {
	switch n.(type) {
	case *Resource, *Override, *If, *Case, *Assign:
		return false
	}
	return true
}

// resourceOf reads { title: attributes; ... } or { attributes } behind what they belong to.
func (p *parser) resourceOf(of Node, pos Pos) Node {
	p.expect("{")
	if p.is("}") || p.attributeFollows() {
		ops := p.attributes("}")
		p.expect("}")
		return &Override{pos, of, ops}
	}
	r := &Resource{Pos: pos, Type: of}
	for !p.is("}") {
		title := p.expression(0)
		p.expect(":")
		r.Bodies = append(r.Bodies, ResourceBody{Pos: title.At(), Title: title, Ops: p.attributes("}")})
		if !p.accept(";") {
			break
		}
	}
	p.expect("}")
	return r
}

// attributeFollows says whether a => b or * => b comes next.
func (p *parser) attributeFollows() bool {
	next := p.peek().kind
	return (next == "=>" || next == "+>") && p.tok().kind != tString && p.tok().kind != tVariable
}

// attributes reads a => b, c +> d, up to a token or the end of a body.
func (p *parser) attributes(end kind) []Attribute {
	var out []Attribute
	for !p.is(end) && !p.is(";") {
		t := p.take()
		if t.kind != tName && t.kind != "*" && !isKeyword(t.text) {
			p.at--
			p.unexpected()
		}
		a := Attribute{Pos: t.pos, Name: t.text, Op: string(p.tok().kind)}
		if !p.is("+>") && !p.is("=>") {
			p.unexpected()
		}
		p.take()
		a.Val = p.expression(0)
		out = append(out, a)
		if !p.accept(",") {
			break
		}
	}
	return out
}

// collector reads <| query |> or <<| query |>> with the attributes behind it.
func (p *parser) collector(of Node) Node {
	open := p.take()
	c := &Collector{Pos: of.At(), Type: of, Exported: open.kind == "<<|"}
	closing := kind("|>")
	if c.Exported {
		closing = "|>>"
	}
	if !p.is(closing) {
		c.Query = p.expression(0)
	}
	p.expect(closing)
	if p.is("{") {
		p.take()
		c.Ops = p.attributes("}")
		p.expect("}")
	}
	return c
}
