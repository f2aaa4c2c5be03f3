package jinja

import "strings"

// parseStatement reads the tag whose name is the current token.
func (p *Parser) parseStatement() []Node {
	t := *p.cur()
	if t.Kind != Name {
		p.failAt(t, "tag name expected")
	}
	if parse := statements(t.Text); parse != nil {
		p.tagStack = append(p.tagStack, t.Text)
		n := parse(p)
		p.tagStack = p.tagStack[:len(p.tagStack)-1]
		return []Node{n}
	}
	if tag := p.env.tags[t.Text]; tag != nil {
		return []Node{p.parseTag(t, tag)}
	}
	p.failNesting(t.Text, t.Line, p.endStack)
	return nil
}

func (p *Parser) parseTag(t Token, tag TagParser) Node {
	p.tagStack = append(p.tagStack, t.Text)
	n, err := tag(p)
	if err != nil {
		e, ok := err.(*Error)
		if !ok {
			e = &Error{Class: "TemplateSyntaxError", Msg: messageOf(err), Cause: err}
		}
		if e.Line == 0 {
			e.Line = t.Line
		}
		panic(parseFailure{e})
	}
	p.tagStack = p.tagStack[:len(p.tagStack)-1]
	return n
}

// statements is the parser of a tag of the language, nil for others.
func statements(tag string) func(p *Parser) Node {
	switch tag {
	case "for":
		return (*Parser).parseFor
	case "if":
		return (*Parser).parseIf
	case "block":
		return (*Parser).parseBlock
	case "extends":
		return (*Parser).parseExtends
	case "print":
		return (*Parser).parsePrint
	case "macro":
		return (*Parser).parseMacro
	case "include":
		return (*Parser).parseInclude
	case "from":
		return (*Parser).parseFrom
	case "import":
		return (*Parser).parseImport
	case "set":
		return (*Parser).parseSet
	case "with":
		return (*Parser).parseWith
	case "autoescape":
		return (*Parser).parseAutoescape
	case "call":
		return (*Parser).parseCallBlock
	case "filter":
		return (*Parser).parseFilterBlock
	case "do":
		return (*Parser).parseDo
	case "break":
		return func(p *Parser) Node { return &breakNode{at(p.Next().Line)} }
	case "continue":
		return func(p *Parser) Node { return &continueNode{at(p.Next().Line)} }
	}
	return nil
}

func (p *Parser) parseDo() Node {
	line := p.Next().Line
	return &doNode{at(line), p.parseTuple(tupleRules{condexpr: true})}
}

func (p *Parser) parseSet() Node {
	line := p.Next().Line
	target := p.parseTarget(tupleRules{namespace: true})
	if p.skip(Assign) {
		return &assignNode{at(line), target, p.parseTuple(tupleRules{condexpr: true})}
	}
	filter := p.parseFilter(nil, false)
	body := p.parseStatements(true, "endset")
	n := &assignBlockNode{at: at(line), target: target, body: body}
	n.filter, _ = filter.(*filterExpr)
	return n
}

func (p *Parser) parseFor() Node {
	line := p.ExpectName("for").Line
	n := &forNode{at: at(line)}
	n.target = p.parseTarget(tupleRules{end: "in"})
	p.ExpectName("in")
	n.iter = p.parseTuple(tupleRules{end: "recursive"})
	if p.SkipName("if") {
		n.test = p.parseExpression(true)
	}
	n.recursive = p.SkipName("recursive")
	n.body = p.parseStatements(false, "endfor", "else")
	if p.Next().Text != "endfor" {
		n.els = p.parseStatements(true, "endfor")
	}
	return n
}

func (p *Parser) parseIf() Node {
	n := &ifNode{at: at(p.ExpectName("if").Line)}
	cur := n
	for {
		cur.test = p.parseTuple(tupleRules{})
		cur.body = p.parseStatements(false, "elif", "else", "endif")
		switch p.Next().Text {
		case "elif":
			cur = &ifNode{at: at(p.Line())}
			n.elifs = append(n.elifs, cur)
			continue
		case "else":
			n.els = p.parseStatements(true, "endif")
		}
		return n
	}
}

func (p *Parser) parseWith() Node {
	n := &withNode{at: at(p.Next().Line)}
	for p.cur().Kind != BlockEnd {
		if n.targets != nil {
			p.Expect(Comma)
		}
		n.targets = append(n.targets, p.parseTarget(tupleRules{}))
		p.Expect(Assign)
		n.vals = append(n.vals, p.parseExpression(true))
	}
	n.body = p.parseStatements(true, "endwith")
	return n
}

func (p *Parser) parseAutoescape() Node {
	n := &autoescapeNode{at: at(p.Next().Line)}
	n.x = p.parseExpression(true)
	n.body = p.parseStatements(true, "endautoescape")
	p.autoescap = true
	return n
}

func (p *Parser) parseBlock() Node {
	n := &blockNode{at: at(p.Next().Line)}
	n.name = p.Expect(Name).Text
	n.scoped = p.SkipName("scoped")
	n.required = p.SkipName("required")
	if p.cur().Kind == Sub {
		p.Fail("Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore " +
			"instead.")
	}
	n.body = p.parseStatements(true, "endblock")
	if n.required && !onlySpace(n.body) {
		p.Fail("Required blocks can only contain comments or whitespace")
	}
	p.SkipName(n.name)
	return n
}

func onlySpace(body []Node) bool {
	for _, n := range body {
		out, ok := n.(*outputNode)
		if !ok {
			return false
		}
		for _, part := range out.parts {
			if d, ok := part.(*dataExpr); !ok || strings.TrimFunc(d.text, isSpace) != "" {
				return false
			}
		}
	}
	return true
}

func (p *Parser) parseExtends() Node {
	line := p.Next().Line
	return &extendsNode{at(line), p.parseExpression(true)}
}

// parseContext reads "with context" or "without context" when it is here.
func (p *Parser) parseContext(def bool) (with, found bool) {
	if !p.IsName("with") && !p.IsName("without") {
		return def, false
	}
	if next := p.look(); next.Kind != Name || next.Text != "context" {
		return def, false
	}
	with = p.Next().Text == "with"
	p.Next()
	return with, true
}

func (p *Parser) parseInclude() Node {
	n := &includeNode{at: at(p.Next().Line)}
	n.x = p.parseExpression(true)
	if next := p.look(); p.IsName("ignore") && next.Kind == Name && next.Text == "missing" {
		n.ignoreMissing = true
		p.Next()
		p.Next()
	}
	n.withContext, _ = p.parseContext(true)
	return n
}

func (p *Parser) parseImport() Node {
	n := &importNode{at: at(p.Next().Line)}
	n.x = p.parseExpression(true)
	p.ExpectName("as")
	n.target = p.Expect(Name).Text
	n.withContext, _ = p.parseContext(false)
	return n
}

func (p *Parser) parseFrom() Node {
	n := &fromNode{at: at(p.Next().Line)}
	n.x = p.parseExpression(true)
	p.ExpectName("import")
	for {
		if n.names != nil {
			p.Expect(Comma)
		}
		if p.cur().Kind != Name {
			p.Expect(Name)
		}
		var found bool
		if n.withContext, found = p.parseContext(false); found {
			return n
		}
		t := p.Expect(Name)
		if strings.HasPrefix(t.Text, "_") {
			p.failClass("TemplateAssertionError", t.Line, column(p.src, t.pos),
				"names starting with an underline can not be imported")
		}
		as := t.Text
		if p.SkipName("as") {
			as = p.Expect(Name).Text
		}
		n.names, n.as = append(n.names, t.Text), append(n.as, as)
		if n.withContext, found = p.parseContext(false); found || p.cur().Kind != Comma {
			return n
		}
	}
}

// parseSignature reads the parameters of a macro or a call block.
func (p *Parser) parseSignature(n *macroNode) {
	p.Expect(LParen)
	for p.cur().Kind != RParen {
		if n.params != nil {
			p.Expect(Comma)
		}
		t := p.Expect(Name)
		if p.skip(Assign) {
			n.defaults = append(n.defaults, p.parseExpression(true))
		} else if n.defaults != nil {
			p.Fail("non-default argument follows default argument")
		}
		n.params = append(n.params, &nameExpr{at(t.Line), t.Text})
	}
	p.Expect(RParen)
}

func (p *Parser) parseCallBlock() Node {
	n := &callBlockNode{at: at(p.Next().Line)}
	n.macroNode.at = n.at
	if p.cur().Kind == LParen {
		p.parseSignature(&n.macroNode)
	}
	call, ok := p.parseExpression(true).(*callExpr)
	if !ok {
		p.failLine(n.Line(), "expected call")
	}
	n.call = call
	n.body = p.parseStatements(true, "endcall")
	return n
}

func (p *Parser) parseFilterBlock() Node {
	n := &filterBlockNode{at: at(p.Next().Line)}
	n.filter = p.parseFilter(nil, true).(*filterExpr)
	n.body = p.parseStatements(true, "endfilter")
	return n
}

func (p *Parser) parseMacro() Node {
	n := &macroNode{at: at(p.Next().Line)}
	n.name = p.Expect(Name).Text
	p.parseSignature(n)
	n.body = p.parseStatements(true, "endmacro")
	return n
}

func (p *Parser) parsePrint() Node {
	n := &outputNode{at: at(p.Next().Line)}
	for p.cur().Kind != BlockEnd {
		if n.parts != nil {
			p.Expect(Comma)
		}
		n.parts = append(n.parts, p.parseExpression(true))
	}
	return n
}

// parseTarget reads what is assigned to: names, tuples of them, and attributes of namespaces where rules allow.
func (p *Parser) parseTarget(rules tupleRules) Expr {
	rules.simple = true
	target := p.parseTuple(rules)
	if bad := notAssignable(target); bad != "" {
		p.failLine(target.Line(), "can't assign to %s", quote(bad))
	}
	return target
}

// notAssignable is the kind of target when it cannot be assigned to, as Jinja calls it.
func notAssignable(e Expr) string {
	switch e := e.(type) {
	case *nameExpr:
		switch e.name {
		case "true", "false", "none", "True", "False", "None":
			return "name"
		}
		return ""
	case *nsRefExpr:
		return ""
	case *tupleExpr:
		for _, it := range e.items {
			if notAssignable(it) != "" {
				return "tuple"
			}
		}
		return ""
	case *listExpr:
		return "list"
	case *dictExpr:
		return "dict"
	case *constExpr:
		return "const"
	}
	return strings.TrimSuffix(strings.ToLower(typeWord(e)), "expr")
}
