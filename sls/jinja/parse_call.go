package jinja

func (p *Parser) parseCallArgs() callArgs {
	var a callArgs
	open := p.Expect(LParen)
	ensure := func(ok bool) {
		if !ok {
			p.failLine(open.Line, "invalid syntax for function call expression")
		}
	}
	for comma := false; p.cur().Kind != RParen; comma = true {
		if comma {
			p.Expect(Comma)
			if p.cur().Kind == RParen {
				break
			}
		}
		switch {
		case p.cur().Kind == Mul:
			ensure(a.dyn == nil && a.dkw == nil)
			p.Next()
			a.dyn = p.parseExpression(true)
		case p.cur().Kind == Pow:
			ensure(a.dkw == nil)
			p.Next()
			a.dkw = p.parseExpression(true)
		case p.cur().Kind == Name && p.look().Kind == Assign:
			ensure(a.dkw == nil)
			name := p.Next().Text
			p.Next()
			a.kwNames, a.kwVals = append(a.kwNames, name), append(a.kwVals, p.parseExpression(true))
		default:
			ensure(a.dyn == nil && a.dkw == nil && a.kwNames == nil)
			a.args = append(a.args, p.parseExpression(true))
		}
	}
	p.Expect(RParen)
	return a
}

func (p *Parser) parseCall(fn Expr) Expr {
	line := p.Line()
	return &callExpr{at(line), fn, p.parseCallArgs()}
}

// parseFilter reads filters after a pipe; with inline the first has none.
func (p *Parser) parseFilter(x Expr, inline bool) Expr {
	for n := 0; p.cur().Kind == Pipe || inline; p.chain(&n) {
		if !inline {
			p.Next()
		}
		inline = false
		t := p.Expect(Name)
		f := &filterExpr{at: at(t.Line), x: x, name: p.dotted(t.Text)}
		if p.cur().Kind == LParen {
			f.callArgs = p.parseCallArgs()
		}
		x = f
	}
	return x
}

// dotted reads the rest of a name with dots in it.
func (p *Parser) dotted(name string) string {
	for p.skip(Dot) {
		name += "." + p.Expect(Name).Text
	}
	return name
}

func (p *Parser) parseTest(x Expr) Expr {
	t := p.Next()
	negated := p.SkipName("not")
	f := &filterExpr{at: at(t.Line), x: x, test: true}
	f.name = p.dotted(p.Expect(Name).Text)
	switch k := p.cur(); k.Kind {
	case LParen:
		f.callArgs = p.parseCallArgs()
	case Name, String, Integer, Float, LBracket, LBrace:
		if k.Kind == Name && (k.Text == "else" || k.Text == "or" || k.Text == "and") {
			break
		}
		if p.IsName("is") {
			p.Fail("You cannot chain multiple tests with is")
		}
		f.args = []Expr{p.parsePostfix(p.parsePrimary(false))}
	}
	if negated {
		return &notExpr{at(t.Line), f}
	}
	return f
}
