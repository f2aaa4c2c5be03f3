package erb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// A node is an expression or a statement; which, says its kind.
type node struct {
	kind string
	text string
	val  any
	kids []*node
	// body are the statements of a block, a branch, a function.
	body  []*node
	block *node
	line  int
}

// names are the locals that are known at a place, and the functions of the template.
type names struct {
	set, defs map[string]bool
}

type parser struct {
	toks  []token
	at    int
	known *names
	depth int
	inDef bool
	// lazy makes an error of a word that is not known when it is reached, not when it is read: in functions.
	lazy bool
}

func (p *parser) tok() *token { return &p.toks[p.at] }

func (p *parser) is(kinds ...string) bool { return slices.Contains(kinds, p.tok().kind) }

func (p *parser) take() *token {
	t := p.tok()
	if p.at < len(p.toks)-1 {
		p.at++
	}
	return t
}

func (p *parser) accept(kind string) bool {
	if !p.is(kind) {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(kind string) *token {
	if !p.is(kind) {
		p.unknown("where '" + kind + "' should be")
	}
	return p.take()
}

// unknown refuses the token that is next.
func (p *parser) unknown(where string) {
	t := p.tok()
	what := "'" + t.text + "'"
	switch t.kind {
	case "nl", "eof":
		what = "the end of a line"
	case "text":
		what = "text between tags"
	case "str", "regexp", "words":
		what = "a text in quotes"
	}
	fail(t.line, "%s is not known %s", what, where)
}

// refuse is what stands for a word that is not known.
func (p *parser) refuse(line int, format string, args ...any) *node {
	if !p.lazy {
		fail(line, format, args...)
	}
	return &node{kind: "unknown", text: fmt.Sprintf(format, args...), line: line}
}

func (p *parser) lines() {
	for p.is("nl", ";") {
		p.take()
	}
}

// deeper guards against expressions in expressions without end.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > 400 {
		fail(p.tok().line, "the template is nested too deep")
	}
	return func() { p.depth-- }
}

func (p *parser) new(kind, text string, kids ...*node) *node {
	return &node{kind: kind, text: text, kids: kids, line: p.tok().line}
}

// statements reads up to one of the words that end them, which stays.
func (p *parser) statements(ends ...string) (out []*node) {
	defer p.deeper()()
	for {
		p.lines()
		if p.is(ends...) {
			return out
		}
		switch {
		case p.is("text"):
			n := p.new("text", p.tok().text)
			p.take()
			out = append(out, n)
			continue
		case p.is("print"):
			n := p.new("print", "")
			p.take()
			if p.lines(); p.is("text", "eof") {
				continue
			}
			n.kids = []*node{p.statement()}
			out = append(out, n)
		default:
			out = append(out, p.statement())
		}
		if !p.is("nl", ";", "text") && !p.is(ends...) {
			p.unknown("here")
		}
	}
}

// statement is an expression with what stands behind it: if, unless.
func (p *parser) statement() *node {
	n := p.several()
	if n == nil {
		n = p.notAndOr()
	}
	for p.is("if", "unless") {
		kind := p.take().kind
		cond := p.notAndOr()
		n = p.new("if", "", p.negated(cond, kind == "unless"), p.branch([]*node{n}), p.branch(nil))
	}
	return n
}

func (p *parser) negated(n *node, yes bool) *node {
	if yes {
		return p.new("!", "", n)
	}
	return n
}

func (p *parser) branch(body []*node) *node {
	return &node{kind: "body", body: body, line: p.tok().line}
}

func (p *parser) notAndOr() *node {
	n := p.not()
	for p.is("and", "or") {
		op := p.take().kind
		p.lines()
		n = p.new(map[string]string{"and": "&&", "or": "||"}[op], "", n, p.not())
	}
	return n
}

func (p *parser) not() *node {
	defer p.deeper()()
	if p.accept("not") {
		return p.new("!", "", p.not())
	}
	return p.expression()
}

// expression is an assignment or what can stand on its right side.
func (p *parser) expression() *node {
	defer p.deeper()()
	if p.is("ident") && p.toks[p.at+1].kind == "=" || p.is("ident") && p.toks[p.at+1].kind == "||=" {
		p.known.set[p.tok().text] = true
	}
	n := p.ternary()
	op := p.tok().kind
	if !strings.HasSuffix(op, "=") || slices.Contains([]string{"==", "!=", ">=", "<=", "==="}, op) {
		return n
	}
	if !slices.Contains([]string{"local", "ivar", "index", "constant"}, n.kind) {
		p.unknown("behind what takes no value")
	}
	p.take()
	p.lines()
	return p.new("=", strings.TrimSuffix(op, "="), n, p.expression())
}

func (p *parser) ternary() *node {
	n := p.binary(0)
	if !p.accept("?") {
		return n
	}
	p.lines()
	yes := p.ternaryPart()
	p.lines()
	if !p.accept(":") {
		p.unknown("where ':' should be")
	}
	p.lines()
	return p.new("if", "", n, p.branch([]*node{yes}), p.branch([]*node{p.ternaryPart()}))
}

func (p *parser) ternaryPart() *node {
	defer p.deeper()()
	return p.expression()
}

// levels are the operators with two sides, from the loosest.
func levels() [][]string {
	return [][]string{{"..", "..."}, {"||"}, {"&&"}, {"<=>", "==", "===", "!=", "=~", "!~"}, {"<", "<=", ">", ">="},
		{"|"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}
}

func (p *parser) binary(level int) *node {
	all := levels()
	if level == len(all) {
		return p.unary()
	}
	n := p.binary(level + 1)
	for p.is(all[level]...) {
		op := p.take().kind
		if strings.HasPrefix(op, "..") && p.is("]", ")", "nl") {
			return p.new(op, "", n, p.literal(nil))
		}
		p.lines()
		right := p.binary(level + 1)
		kind := "op"
		switch op {
		case "||", "&&", "..", "...":
			kind = op
		case "!=":
			n = p.new("!", "", p.new("op", "==", n, right))
			continue
		case "!~":
			n = p.new("!", "", p.new("op", "=~", n, right))
			continue
		}
		n = p.new(kind, op, n, right)
	}
	return n
}

func (p *parser) unary() *node {
	defer p.deeper()()
	switch {
	case p.accept("!"):
		return p.new("!", "", p.unary())
	case p.accept("-"):
		return p.new("-", "", p.unary())
	case p.is("ident") && p.tok().text == "defined?":
		p.take()
		return p.postfix(p.defined())
	}
	n := p.postfix(p.primary())
	if p.accept("**") {
		return p.new("op", "**", n, p.unary())
	}
	return n
}

// defined is `defined? @x`: its name counts, not its value.
func (p *parser) defined() *node {
	paren := p.accept("(")
	n := p.new("defined", "")
	switch {
	case p.is("ident") && !p.known.set[p.tok().text]:
		n.val = false
		p.take()
	default:
		n.kids = []*node{p.postfix(p.primary())}
	}
	if paren {
		p.expect(")")
	}
	return n
}

func (p *parser) literal(v any) *node { return &node{kind: "literal", val: v, line: p.tok().line} }

func (p *parser) primary() *node {
	t := p.take()
	switch t.kind {
	case "int":
		v, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil || len(t.text) > 1 && t.text[0] == '0' {
			fail(t.line, "the number %s is not known", t.text)
		}
		return p.literal(v)
	case "float":
		v, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			fail(t.line, "the number %s is not known", t.text)
		}
		return p.literal(v)
	case "nil", "true", "false":
		return p.literal(map[string]any{"true": true, "false": false}[t.kind])
	case "sym":
		return p.literal(symbol(t.text))
	case "str", "regexp", "dsym":
		return p.text(t)
	case "words", "syms":
		n := p.new("list", "")
		for _, w := range strings.Fields(t.parts[0].text) {
			v := any(w)
			if t.kind == "syms" {
				v = symbol(w)
			}
			n.kids = append(n.kids, p.literal(v))
		}
		return n
	case "ivar", "gvar":
		return &node{kind: t.kind, text: t.text, line: t.line}
	case "(":
		return p.parens()
	case "[":
		return p.new("list", "", p.list("]")...)
	case "{":
		return p.hash("}")
	case "ident":
		return p.ident(t)
	case "const":
		return p.constant(t)
	case "if", "unless":
		return p.ifs(t.kind == "unless")
	case "case":
		return p.cases()
	case "def":
		return p.function()
	case "begin":
		return p.rescued("end")
	case "while", "until":
		return p.loop(t.kind == "until")
	case "next", "break", "return":
		n := &node{kind: t.kind, line: t.line}
		if !p.is("nl", ";", "if", "unless", "}", "end", "text", "eof") {
			n.kids = []*node{p.expression()}
		}
		return n
	}
	p.at--
	if t.kind == "eof" {
		p.at = len(p.toks) - 1
	}
	p.unknown("here")
	return nil
}

// text is one in quotes; what stands in #{} is read with the same locals.
func (p *parser) text(t *token) *node {
	n := &node{kind: t.kind, text: t.text, line: t.line}
	for _, part := range t.parts {
		if part.code == nil {
			n.kids = append(n.kids, p.literal(part.text))
			continue
		}
		in := &parser{toks: part.code, known: p.known, depth: p.depth, inDef: p.inDef, lazy: p.lazy}
		n.kids = append(n.kids, in.branch(in.statements("eof")))
	}
	if t.kind == "regexp" && len(t.parts) == 1 {
		if _, err := types.Compile(t.parts[0].text); err != nil {
			fail(t.line, "the regular expression /%s/ is not known: %v", t.parts[0].text, err)
		}
	}
	if t.kind == "str" && len(t.parts) == 1 {
		if n = n.kids[0]; p.is("str") { // 'a' 'b' are one text
			return p.new("op", "+", n, p.text(p.take()))
		}
	}
	return n
}

func (p *parser) parens() *node {
	body := p.statements(")")
	p.take()
	return p.branch(body)
}

// list reads expressions up to a closing bracket. `a => b` at its end is a hash.
func (p *parser) list(end string) (out []*node) {
	defer p.deeper()()
	for p.lines(); !p.accept(end); p.lines() {
		n := p.argument()
		out = append(out, n)
		p.lines()
		if !p.is(end) {
			p.expect(",")
		}
	}
	return out
}

func (p *parser) argument() *node {
	if p.is("label") {
		return p.hash("")
	}
	if p.is("*") {
		p.take()
		return p.new("splat", "", p.ternary())
	}
	n := p.not()
	if p.is("=>") {
		h := p.hashFrom(n)
		return h
	}
	return n
}

func (p *parser) hash(end string) *node {
	defer p.deeper()()
	n := p.new("hash", "")
	for p.lines(); end == "" || !p.accept(end); p.lines() {
		p.pair(n, nil)
		if p.lines(); end == "" && !p.is(",") || end == "" && !p.pairFollows() {
			return n
		}
		if !p.is(end) {
			p.expect(",")
		}
	}
	return n
}

// pairFollows says that the hash without braces goes on behind the comma.
func (p *parser) pairFollows() bool {
	at := p.at + 1
	for p.toks[at].kind == "nl" {
		at++
	}
	return p.toks[at].kind == "label"
}

func (p *parser) hashFrom(key *node) *node {
	n := p.new("hash", "")
	p.pair(n, key)
	return n
}

func (p *parser) pair(n, key *node) {
	if p.is("label") {
		n.kids = append(n.kids, p.literal(symbol(p.take().text)))
	} else {
		if key == nil {
			key = p.not()
		}
		n.kids = append(n.kids, key)
		p.lines()
		p.expect("=>")
	}
	if p.lines(); key == nil && p.is(",", ")", "}") { // `a:` is `a: a`
		last := n.kids[len(n.kids)-1]
		n.kids = append(n.kids, &node{kind: "local", text: fmt.Sprint(last.val)[1:], line: last.line})
		return
	}
	n.kids = append(n.kids, p.not())
}
