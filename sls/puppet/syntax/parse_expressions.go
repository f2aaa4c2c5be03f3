package syntax

import (
	"math/big"
	"slices"
	"strings"
)

// binding is how tightly a binary operator binds, 0 for none.
func binding(k kind) int {
	switch k {
	case "or":
		return 1
	case "and":
		return 2
	case "?":
		return 3
	case "<", ">", "<=", ">=":
		return 4
	case "==", "!=":
		return 5
	case "<<", ">>":
		return 6
	case "+", "-":
		return 7
	case "*", "/", "%":
		return 8
	case "=~", "!~":
		return 9
	case "in":
		return 10
	}
	return 0
}

// expression reads operators that bind tighter than least. All are left-associative; `a in b ? { }` asks a in b.
func (p *parser) expression(least int) Node {
	defer p.deeper()()
	left := p.unary()
	for {
		op := p.tok()
		b := binding(op.kind)
		if b == 0 || b <= least {
			return left
		}
		p.take()
		if op.kind == "?" {
			left = p.selector(left)
			continue
		}
		left = &Binary{left.At(), op.text, left, p.expression(b), op.pos}
	}
}

func (p *parser) unary() Node {
	switch t := p.tok(); t.kind {
	case "-":
		p.take()
		return negated(t.pos, p.tightly())
	case "!":
		p.take()
		return &Unary{t.pos, "!", p.tightly()}
	case "*":
		p.take()
		return &Splat{t.pos, p.tightly()}
	}
	return p.postfix(p.primary())
}

// tightly is what a sign in front of it is about.
func (p *parser) tightly() Node {
	defer p.deeper()()
	return p.unary()
}

// negated is -a; of a number it is the number.
func negated(pos Pos, n Node) Node {
	if l, ok := n.(*Literal); ok {
		switch v := l.Val.(type) {
		case int64:
			return &Literal{pos, -v, false}
		case float64:
			return &Literal{pos, -v, false}
		}
	}
	return &Unary{pos, "-", n}
}

// selector is what stands behind the ? of a ? { b => c }.
func (p *parser) selector(left Node) Node {
	s := &Selector{Pos: left.At(), Of: left}
	if !p.is(tSelect) && !p.is("{") {
		s.Options = []HashEntry{p.option()}
		return s
	}
	p.take()
	for !p.is("}") {
		s.Options = append(s.Options, p.option())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return s
}

func (p *parser) option() HashEntry {
	key := p.expression(0)
	p.expect("=>")
	return HashEntry{key, p.expression(0)}
}

// postfix is what may follow: [key], .method, (arguments), a lambda.
func (p *parser) postfix(left Node) Node {
	for {
		switch t := p.tok(); t.kind {
		case "[":
			p.take()
			left = &Access{left.At(), left, p.list("]")}
		case ".":
			p.take()
			left = p.method(left, t)
		case "(":
			if !callable(left) {
				return left
			}
			p.take()
			c := &Call{Pos: left.At(), Of: left, Args: p.list(")")}
			if p.is("|") {
				c.Lambda = p.lambda()
			}
			left = c
		case "|":
			name, isName := left.(*Name)
			if !isName {
				return left
			}
			left = &Call{Pos: name.Pos, Of: name, Lambda: p.lambda()}
		default:
			return left
		}
	}
}

func callable(n Node) bool {
	switch n.(type) {
	case *Name, *TypeName, *Access:
		return true
	}
	return false
}

// method is a.f(b) |$x| { }. Messages about it are at the parenthesis, or at the dot where there is none.
func (p *parser) method(of Node, dot *token) Node {
	t := p.take()
	if t.kind != tName && t.kind != tRef && !isKeyword(t.text) {
		p.at--
		p.unexpected()
	}
	c := &Call{Pos: dot.pos, Of: &Name{t.pos, t.text}, Args: []Node{of}, Method: true}
	if p.is("(") {
		c.Pos = p.take().pos
		c.Args = append(c.Args, p.list(")")...)
	}
	if p.is("|") {
		c.Lambda = p.lambda()
	}
	return c
}

// list reads expressions with commas between them up to a token. A hash may stand without its braces: f(a => b).
func (p *parser) list(end kind) []Node {
	var out []Node
	for !p.is(end) {
		for item := p.argument(); item != nil; {
			if !p.is("=>") {
				out, item = append(out, item), nil
				continue
			}
			var h Node
			h, item = p.bareHash(item)
			out = append(out, h)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(end)
	return out
}

// bareHash reads a hash without braces from its first key on; next is an item behind it that was read already.
func (p *parser) bareHash(key Node) (h *Hash, next Node) {
	h = &Hash{Pos: key.At()}
	for {
		p.expect("=>")
		h.Entries = append(h.Entries, HashEntry{key, p.expression(0)})
		if !p.is(",") || p.peek().kind == "]" || p.peek().kind == ")" {
			return h, nil
		}
		p.take()
		if key = p.argument(); !p.is("=>") {
			return h, key
		}
	}
}

func (p *parser) primary() Node {
	t := p.tok()
	switch t.kind {
	case tVariable:
		p.take()
		return &Variable{t.pos, t.text}
	case tString:
		p.take()
		return p.text(t)
	case tNumber:
		p.take()
		return p.number(t)
	case tRegex:
		p.take()
		return &Regex{t.pos, t.text}
	case tName:
		p.take()
		return &Name{t.pos, t.text}
	case tWord:
		p.take()
		return &Literal{t.pos, t.text, true}
	case tRef:
		p.take()
		return &TypeName{t.pos, t.text}
	case "true", "false":
		p.take()
		return &Literal{t.pos, t.kind == "true", false}
	case "undef":
		p.take()
		return &Literal{t.pos, nil, false}
	case "default":
		p.take()
		return &Default{t.pos}
	case "(", tParen:
		p.take()
		n := p.assignment()
		p.expect(")")
		return n
	case "[", tList:
		p.take()
		return &List{t.pos, p.list("]")}
	case "{":
		return p.hash()
	case "if", "unless":
		return p.conditional()
	case "case":
		return p.caseOf()
	case "class":
		p.take()
		return &Name{t.pos, "class"}
	case "type":
		p.take()
		return &Name{t.pos, "type"}
	}
	p.unexpected()
	return nil
}

func (p *parser) number(t *token) Node {
	v, _ := parseNumber(t.text)
	if n, big := v.(*big.Int); big {
		p.fail(t.pos, "A Literal Integer resulted in a value outside of Puppet Integer max range, got '"+hex(n)+"'")
	}
	return &Literal{t.pos, v, false}
}

func hex(n *big.Int) string {
	if n.Sign() < 0 {
		return "-0x" + new(big.Int).Neg(n).Text(16)
	}
	return "+0x" + n.Text(16)
}

func (p *parser) hash() Node {
	h := &Hash{Pos: p.expect("{").pos}
	for !p.is("}") {
		var key Node
		if t := p.tok(); isKeyword(t.text) && p.peek().kind == "=>" && t.kind != tString && t.kind != "true" &&
			t.kind != "false" && t.kind != "undef" && t.kind != "default" {
			p.take()
			key = &Literal{t.pos, t.text, false}
		} else {
			key = p.expression(0)
		}
		p.expect("=>")
		h.Entries = append(h.Entries, HashEntry{key, p.expression(0)})
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return h
}

// text is a string: a literal, or one that expressions are put into.
func (p *parser) text(t *token) Node {
	if !slices.ContainsFunc(t.parts, func(x part) bool { return x.tokens != nil }) {
		return (&Interp{Pos: t.pos, Parts: []Node{&Literal{t.pos, t.text, true}}, Syntax: t.syntax}).plain()
	}
	s := &Interp{Pos: t.pos, Syntax: t.syntax}
	for i := range t.parts {
		part := &t.parts[i]
		if part.tokens == nil {
			s.Parts = append(s.Parts, &Literal{part.pos, part.text, true})
			continue
		}
		inner := &parser{file: p.file, tokens: part.tokens, depth: p.depth}
		s.Parts = append(s.Parts, inner.inside())
	}
	return s
}

// plain is a string without expressions as a literal, unless its syntax is to be checked.
func (s *Interp) plain() Node {
	if s.Syntax == "" {
		return s.Parts[0]
	}
	return s
}

// inside is the expression of ${...}: a name, or one that is accessed or has a method called, is a variable.
func (p *parser) inside() Node {
	if p.is(tEOF) {
		return &Literal{p.tok().pos, nil, false}
	}
	if t := p.tok(); t.kind == tNumber && !strings.ContainsAny(t.text, ".xXeE") || t.kind == tName ||
		t.kind == tWord && strings.HasPrefix(t.text, "_") && !strings.Contains(t.text, "-") || isKeyword(t.text) &&
		t.kind != tString && t.kind != "true" && t.kind != "false" &&
		t.kind != "undef" && t.kind != "default" {
		switch p.peek().kind {
		case tEOF, "[", ".":
			t.kind = tVariable
		}
	}
	n := p.statements(tEOF)
	p.expect(tEOF)
	if len(n) == 1 {
		return n[0]
	}
	return &Block{n[0].At(), n}
}
