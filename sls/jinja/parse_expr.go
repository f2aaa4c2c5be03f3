package jinja

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/value"
)

func typeWord(e Expr) string { return strings.TrimPrefix(fmt.Sprintf("%T", e), "*jinja.") }

func (p *Parser) parseExpression(condexpr bool) Expr {
	if condexpr {
		return p.parseCond()
	}
	return p.parseOr()
}

func (p *Parser) parseCond() Expr {
	line := p.Line()
	x := p.parseOr()
	for n := 0; p.SkipName("if"); p.chain(&n) {
		test := p.parseOr()
		var els Expr
		if p.SkipName("else") {
			p.deeper()
			els = p.parseCond()
			p.shallower()
		}
		x = &condExpr{at(line), test, x, els}
		line = p.Line()
	}
	return x
}

func (p *Parser) parseOr() Expr {
	line := p.Line()
	x := p.parseAnd()
	for n := 0; p.SkipName("or"); p.chain(&n) {
		x = &boolExpr{at(line), true, x, p.parseAnd()}
		line = p.Line()
	}
	return x
}

func (p *Parser) parseAnd() Expr {
	line := p.Line()
	x := p.parseNot()
	for n := 0; p.SkipName("and"); p.chain(&n) {
		x = &boolExpr{at(line), false, x, p.parseNot()}
		line = p.Line()
	}
	return x
}

func (p *Parser) parseNot() Expr {
	if p.IsName("not") {
		p.deeper()
		defer p.shallower()
		line := p.Next().Line
		return &notExpr{at(line), p.parseNot()}
	}
	return p.parseCompare()
}

func (p *Parser) parseCompare() Expr {
	line := p.Line()
	first := p.parseSum()
	var ops []compareOp
	for {
		op, ok := p.compareOp()
		if !ok {
			break
		}
		ops = append(ops, compareOp{op, p.parseSum()})
		line = p.Line()
	}
	if ops == nil {
		return first
	}
	return &compareExpr{at(line), first, ops}
}

// compareOp moves over a comparison if the current token is one.
func (p *Parser) compareOp() (compareKind, bool) {
	ops := map[Kind]compareKind{Eq: opEq, Ne: opNe, Lt: opLt, LtEq: opLe, Gt: opGt, GtEq: opGe}
	switch t := p.cur(); t.Kind {
	case Eq, Ne, Lt, LtEq, Gt, GtEq:
		return ops[p.Next().Kind], true
	case Name:
		if t.Text == "in" {
			p.Next()
			return opIn, true
		}
		if t.Text != "not" {
			return 0, false
		}
		if next := p.look(); next.Kind == Name && next.Text == "in" {
			p.Next()
			p.Next()
			return opNotIn, true
		}
	}
	return 0, false
}

// binary reads operators of one precedence, left to right.
func (p *Parser) binary(next func(*Parser) Expr, kinds ...Kind) Expr {
	line := p.Line()
	x := next(p)
	for n := 0; ; p.chain(&n) {
		k := p.cur().Kind
		found := false
		for _, want := range kinds {
			found = found || k == want
		}
		if !found {
			return x
		}
		p.Next()
		x = &binExpr{at(line), k, x, next(p)}
		line = p.Line()
	}
}

func (p *Parser) parseSum() Expr { return p.binary((*Parser).parseConcat, Add, Sub) }

func (p *Parser) parseConcat() Expr {
	line := p.Line()
	parts := []Expr{p.parseProduct()}
	for p.skip(Tilde) {
		parts = append(parts, p.parseProduct())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &concatExpr{at(line), parts}
}

func (p *Parser) parseProduct() Expr { return p.binary((*Parser).parsePow, Mul, Div, FloorDiv, Mod) }

func (p *Parser) parsePow() Expr {
	return p.binary(func(p *Parser) Expr { return p.parseUnary(true) }, Pow)
}

func (p *Parser) parseUnary(withFilter bool) Expr {
	p.deeper()
	defer p.shallower()
	t := *p.cur()
	var x Expr
	switch t.Kind {
	case Sub, Add:
		p.Next()
		x = &unaryExpr{at(t.Line), t.Kind, p.parseUnary(false)}
	default:
		x = p.parsePrimary(false)
	}
	x = p.parsePostfix(x)
	if withFilter {
		x = p.parseFilterExpr(x)
	}
	return x
}

func (p *Parser) parsePrimary(namespace bool) Expr {
	t := *p.cur()
	switch t.Kind {
	case Name:
		p.Next()
		return p.parseNameExpr(t, namespace)
	case String:
		p.Next()
		text := t.Text
		for p.cur().Kind == String {
			text += p.Next().Text
		}
		return &constExpr{at(t.Line), value.Str(text)}
	case Integer, Float:
		p.Next()
		return &constExpr{at(t.Line), t.Num}
	case LParen:
		p.Next()
		x := p.parseTuple(tupleRules{condexpr: true, parens: true})
		p.Expect(RParen)
		return x
	case LBracket:
		return p.parseList()
	case LBrace:
		return p.parseDict()
	}
	p.failAt(t, "unexpected %s", quote(t.describe()))
	return nil
}

func (p *Parser) parseNameExpr(t Token, namespace bool) Expr {
	switch t.Text {
	case "true", "True":
		return &constExpr{at(t.Line), value.Bool(true)}
	case "false", "False":
		return &constExpr{at(t.Line), value.Bool(false)}
	case "none", "None":
		return &constExpr{at(t.Line), value.None}
	}
	if namespace && p.skip(Dot) {
		return &nsRefExpr{at(t.Line), t.Text, p.Expect(Name).Text}
	}
	return &nameExpr{at(t.Line), t.Text}
}

// tupleRules say what a list of expressions without brackets may hold and where it ends.
type tupleRules struct {
	simple    bool   // names and literals only
	condexpr  bool   // x if y else z is an expression here
	parens    bool   // within parentheses: may be empty
	namespace bool   // ns.x is a target
	end       string // a word that ends it
}

func (p *Parser) parseTuple(rules tupleRules) Expr {
	line := p.Line()
	var items []Expr
	isTuple := false
	for {
		if items != nil {
			p.Expect(Comma)
		}
		if p.tupleEnds(rules.end) {
			break
		}
		if rules.simple {
			items = append(items, p.parsePrimary(rules.namespace))
		} else {
			items = append(items, p.parseExpression(rules.condexpr))
		}
		if p.cur().Kind != Comma {
			break
		}
		isTuple = true
		line = p.Line()
	}
	if !isTuple {
		if items != nil {
			return items[0]
		}
		if !rules.parens {
			p.Fail("Expected an expression, got %s", quote(p.cur().describe()))
		}
	}
	return &tupleExpr{at(line), items}
}

func (p *Parser) tupleEnds(word string) bool {
	switch p.cur().Kind {
	case VariableEnd, BlockEnd, RParen:
		return true
	}
	return word != "" && p.IsName(word)
}

func (p *Parser) parseList() Expr {
	line := p.Expect(LBracket).Line
	var items []Expr
	for p.cur().Kind != RBracket {
		if items != nil {
			p.Expect(Comma)
		}
		if p.cur().Kind == RBracket {
			break
		}
		items = append(items, p.parseExpression(true))
	}
	p.Expect(RBracket)
	return &listExpr{at(line), items}
}

func (p *Parser) parseDict() Expr {
	n := &dictExpr{at: at(p.Expect(LBrace).Line)}
	for p.cur().Kind != RBrace {
		if n.keys != nil {
			p.Expect(Comma)
		}
		if p.cur().Kind == RBrace {
			break
		}
		n.keys = append(n.keys, p.parseExpression(true))
		p.Expect(Colon)
		n.vals = append(n.vals, p.parseExpression(true))
	}
	p.Expect(RBrace)
	return n
}

func (p *Parser) parsePostfix(x Expr) Expr {
	for n := 0; ; p.chain(&n) {
		switch p.cur().Kind {
		case Dot, LBracket:
			x = p.parseSubscript(x)
		case LParen:
			x = p.parseCall(x)
		default:
			return x
		}
	}
}

func (p *Parser) parseFilterExpr(x Expr) Expr {
	for n := 0; ; p.chain(&n) {
		switch {
		case p.cur().Kind == Pipe:
			x = p.parseFilter(x, false)
		case p.IsName("is"):
			x = p.parseTest(x)
		case p.cur().Kind == LParen:
			x = p.parseCall(x)
		default:
			return x
		}
	}
}

func (p *Parser) parseSubscript(x Expr) Expr {
	t := p.Next()
	if t.Kind == Dot {
		a := *p.cur()
		p.Next()
		switch a.Kind {
		case Name:
			return &attrExpr{at(t.Line), x, a.Text}
		case Integer:
			return &itemExpr{at(t.Line), x, &constExpr{at(a.Line), a.Num}}
		}
		p.failAt(a, "expected name or number")
	}
	var keys []Expr
	for p.cur().Kind != RBracket {
		if keys != nil {
			p.Expect(Comma)
		}
		keys = append(keys, p.parseSubscribed())
	}
	p.Expect(RBracket)
	if len(keys) == 1 {
		return &itemExpr{at(t.Line), x, keys[0]}
	}
	return &itemExpr{at(t.Line), x, &tupleExpr{at(t.Line), keys}}
}

func (p *Parser) parseSubscribed() Expr {
	s := &sliceExpr{at: at(p.Line())}
	if !p.skip(Colon) {
		x := p.parseExpression(true)
		if !p.skip(Colon) {
			return x
		}
		s.start = x
	}
	optional := func() Expr {
		switch p.cur().Kind {
		case Colon, RBracket, Comma:
			return nil
		}
		return p.parseExpression(true)
	}
	s.stop = optional()
	if p.skip(Colon) {
		if k := p.cur().Kind; k != RBracket && k != Comma {
			s.step = p.parseExpression(true)
		}
	}
	return s
}
