package erb

import "maps"

// ifs is if, elsif, else up to end.
func (p *parser) ifs(unless bool) *node {
	defer p.deeper()()
	cond := p.notAndOr()
	p.then()
	yes := p.branch(p.statements("elsif", "else", "end"))
	n := p.new("if", "", p.negated(cond, unless), yes)
	switch p.take().kind {
	case "elsif":
		n.kids = append(n.kids, p.branch([]*node{p.ifs(false)}))
	case "else":
		n.kids = append(n.kids, p.branch(p.statements("end")))
		p.take()
	default:
		n.kids = append(n.kids, p.branch(nil))
	}
	return n
}

func (p *parser) then() {
	p.lines()
	p.accept("then")
}

// cases is case x / when a, b / else / end: x, then pairs of conditions and branches.
func (p *parser) cases() *node {
	n := p.new("case", "")
	if !p.is("nl") {
		n.kids = append(n.kids, p.notAndOr())
	} else {
		n.kids = append(n.kids, nil)
	}
	p.lines()
	for p.accept("text") || p.is("nl") { // Ruby takes none here, but blanks do no harm
		p.lines()
	}
	for p.accept("when") {
		w := p.new("when", "")
		for w.kids = append(w.kids, p.ternary()); p.accept(","); w.kids = append(w.kids, p.ternary()) {
			p.lines()
		}
		p.then()
		w.body = p.statements("when", "else", "end")
		n.kids = append(n.kids, w)
	}
	if p.accept("else") {
		n.body = p.statements("end")
	}
	p.expect("end")
	return n
}

// function is def name(a, b = 1) ... end. It does not see the locals around it.
func (p *parser) function() *node {
	defer p.deeper()()
	n := p.new("def", p.expect("ident").text)
	outer, wasIn := p.known, p.inDef
	p.known, p.inDef = &names{map[string]bool{}, outer.defs}, true
	if p.accept("(") {
		n.kids = p.params(")")
	} else {
		n.kids = p.params("nl")
	}
	n.body = []*node{p.rescued("end")}
	p.known, p.inDef = outer, wasIn
	return n
}

// rescued is statements up to end, with what `rescue` says of their errors.
func (p *parser) rescued(end string) *node {
	defer p.deeper()()
	n := p.new("begin", "")
	n.body = p.statements("rescue", "else", "ensure", end)
	for p.accept("rescue") {
		w := p.new("rescue", "")
		for p.is("const", "::") {
			w.kids = append(w.kids, p.postfix(p.primary()))
			p.accept(",")
		}
		if p.accept("=>") {
			w.text = p.expect("ident").text
			p.known.set[w.text] = true
		}
		p.then()
		w.body = p.statements("rescue", "else", "ensure", end)
		n.kids = append(n.kids, w)
	}
	p.expect(end)
	return n
}

// loop is while x ... end.
func (p *parser) loop(until bool) *node {
	defer p.deeper()()
	cond := p.negated(p.notAndOr(), until)
	p.accept("do")
	n := p.new("while", "", cond)
	n.body = p.statements("end")
	p.take()
	return n
}

// several is `a, b = x`, nil where that is not next.
func (p *parser) several() *node {
	at := p.at
	var to []*node
	for p.is("ident", "ivar") {
		t := p.take()
		to = append(to, &node{kind: map[string]string{"ident": "local", "ivar": "ivar"}[t.kind], text: t.text, line: t.line})
		if !p.accept(",") {
			break
		}
	}
	if len(to) < 2 || !p.accept("=") {
		p.at = at
		return nil
	}
	for _, n := range to {
		if n.kind == "local" {
			p.known.set[n.text] = true
		}
	}
	p.lines()
	from := []*node{p.argument()}
	for p.accept(",") {
		from = append(from, p.argument())
	}
	n := p.new("several", "", from[0])
	if len(from) > 1 || from[0].kind == "splat" {
		n.kids[0] = p.new("list", "", from...)
	}
	n.body = to
	return n
}

// params are names with defaults, up to a closing token; (a, b) takes an array apart.
func (p *parser) params(end string) (out []*node) {
	for !p.accept(end) {
		n := p.new("param", "")
		n.val = p.accept("*") // the rest
		if p.accept("(") {
			n.kids = p.params(")")
		} else {
			n.text = p.expect("ident").text
			p.known.set[n.text] = true
			if p.accept("=") {
				n.block = p.ternary()
			}
		}
		out = append(out, n)
		if !p.is(end) {
			p.expect(",")
		}
	}
	return out
}

// blockOf is { |x| ... } or do |x| ... end, where one is next.
func (p *parser) blockOf(braces bool) *node {
	defer p.deeper()()
	end := "end"
	switch {
	case braces && p.is("{"):
		end = "}"
	case !p.is("do"):
		return nil
	}
	p.take()
	outer := p.known
	p.known = &names{maps.Clone(outer.set), outer.defs}
	n := p.new("block", "")
	p.lines()
	if p.accept("|") {
		n.kids = p.params("|")
	}
	n.body = []*node{p.rescued(end)}
	p.known = outer
	return n
}
