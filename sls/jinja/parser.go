package jinja

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A Parser reads the tokens of a template. TagParsers get it with the tag's name as the current token, and leave it at
// the end of the tag.
type Parser struct {
	env       *Environment
	name      string
	file      string
	src       string
	tokens    []Token
	i         int
	lexErr    *Error
	tagStack  []string
	endStack  [][]string
	depth     int
	autoescap bool
}

// A TagParser reads a tag: the current token is its name, and the tag's end is left for the caller.
type TagParser func(p *Parser) (Node, error)

// parseFailure carries a syntax error out of the parser.
type parseFailure struct{ err *Error }

// parse reads a whole template.
func parse(env *Environment, name, file, text string) (body []Node, err error) {
	p := &Parser{env: env, name: name, file: file}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case parseFailure:
			r.err.Name, r.err.File = name, file
			err = r.err
		default:
			panic(r)
		}
	}()
	p.tokens, p.src, p.lexErr = lex(&env.cfg, text)
	p.meetBroken()
	body = p.subparse(nil)
	return body, nil
}

// Current is the token at hand.
func (p *Parser) Current() Token { return p.tokens[p.i] }

func (p *Parser) cur() *Token { return &p.tokens[p.i] }

// Next moves one token on and gives the one it left.
func (p *Parser) Next() Token {
	t := p.tokens[p.i]
	if p.i+1 < len(p.tokens) {
		p.i++
		p.meetBroken()
	}
	return t
}

// meetBroken fails where the lexer failed.
func (p *Parser) meetBroken() {
	if p.tokens[p.i].Kind == broken {
		panic(parseFailure{p.lexErr})
	}
}

// look is the token after the current one.
func (p *Parser) look() Token {
	if p.i+1 < len(p.tokens) {
		if p.tokens[p.i+1].Kind == broken {
			panic(parseFailure{p.lexErr})
		}
		return p.tokens[p.i+1]
	}
	return p.tokens[p.i]
}

// Line is the line of the current token.
func (p *Parser) Line() int { return p.cur().Line }

// Pos is the name and the file of the template that is parsed.
func (p *Parser) Pos() (name, file string) { return p.name, p.file }

// IsName says whether the current token is that word.
func (p *Parser) IsName(word string) bool { return p.cur().Kind == Name && p.cur().Text == word }

// SkipName moves over that word if it is the current token.
func (p *Parser) SkipName(word string) bool {
	if p.IsName(word) {
		p.Next()
		return true
	}
	return false
}

func (p *Parser) skip(k Kind) bool {
	if p.cur().Kind == k {
		p.Next()
		return true
	}
	return false
}

// Fail ends the parse with a syntax error at the current token.
func (p *Parser) Fail(format string, args ...any) { p.failAt(*p.cur(), format, args...) }

func (p *Parser) failAt(t Token, format string, args ...any) {
	p.failClass("TemplateSyntaxError", t.Line, column(p.src, t.pos), format, args...)
}

func (p *Parser) failLine(line int, format string, args ...any) {
	p.failClass("TemplateSyntaxError", line, 0, format, args...)
}

func (p *Parser) failClass(class string, line, col int, format string, args ...any) {
	panic(parseFailure{&Error{Class: class, Msg: fmt.Sprintf(format, args...), Line: line, Col: col}})
}

// Expect moves over a token of the kind, or fails.
func (p *Parser) Expect(k Kind) Token {
	if p.cur().Kind != k {
		p.unexpected(k.String())
	}
	return p.Next()
}

// ExpectName moves over that word, or fails.
func (p *Parser) ExpectName(word string) Token {
	if !p.IsName(word) {
		p.unexpected(word)
	}
	return p.Next()
}

func (p *Parser) unexpected(want string) {
	if p.cur().Kind == EOF {
		p.Fail("unexpected end of template, expected %s.", quote(want))
	}
	p.Fail("expected token %s, got %s", quote(want), quote(p.cur().describe()))
}

func quote(s string) string { return value.Repr(value.Str(s)) }

// failNesting is the error for a tag that does not belong here, or for the end of the template (name is "").
func (p *Parser) failNesting(name string, line int, ends [][]string) {
	msg := []string{"Unexpected end of template."}
	if name != "" {
		msg[0] = "Encountered unknown tag " + quote(name) + "."
	}
	if len(ends) > 0 {
		looking := make([]string, 0, 3)
		for _, w := range ends[len(ends)-1] {
			looking = append(looking, quote(w))
		}
		expected := slices.ContainsFunc(ends, func(e []string) bool { return slices.Contains(e, name) })
		if name != "" && expected {
			msg = append(msg, "You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for "+
				strings.Join(looking, " or ")+".")
		} else {
			msg = append(msg, "Jinja was looking for the following tags: "+strings.Join(looking, " or ")+".")
		}
	}
	if n := len(p.tagStack); n > 0 {
		msg = append(msg, "The innermost block that needs to be closed is "+quote(p.tagStack[n-1])+".")
	}
	p.failLine(line, "%s", strings.Join(msg, " "))
}

// subparse reads statements and text up to a tag that is one of ends, which becomes the current token, or to the end of
// the template.
func (p *Parser) subparse(ends []string) []Node {
	p.deeper()
	defer p.shallower()
	var body []Node
	var parts []Expr
	flush := func() {
		if len(parts) > 0 {
			body = append(body, &outputNode{at(parts[0].Line()), parts})
			parts = nil
		}
	}
	if ends != nil {
		p.endStack = append(p.endStack, ends)
		defer func() { p.endStack = p.endStack[:len(p.endStack)-1] }()
	}
	for p.cur().Kind != EOF {
		t := *p.cur()
		switch t.Kind {
		case Data:
			parts = append(parts, &dataExpr{at(t.Line), t.Text})
			p.Next()
		case VariableBegin:
			p.Next()
			parts = append(parts, p.parseTuple(tupleRules{condexpr: true}))
			p.Expect(VariableEnd)
		case BlockBegin:
			flush()
			p.Next()
			if p.cur().Kind == Name && slices.Contains(ends, p.cur().Text) {
				return body
			}
			body = append(body, p.parseStatement()...)
			p.Expect(BlockEnd)
		default:
			p.Fail("unexpected %s", quote(t.describe()))
		}
	}
	flush()
	return body
}

// ParseStatementsUntil reads the body of a tag: the current token is at the tag's end. It stops at one of the end tags,
// whose name is the current token then, or with drop after it.
func (p *Parser) parseStatements(drop bool, ends ...string) []Node {
	p.skip(Colon)
	p.Expect(BlockEnd)
	body := p.subparse(ends)
	if p.cur().Kind == EOF {
		p.failNesting("", p.Line(), append(slices.Clone(p.endStack), ends))
	}
	if drop {
		p.Next()
	}
	return body
}

// ParseStatementsUntil reads the body of a tag up to one of the end tags and moves over its name. The current token
// must be the end of the opening tag. It gives the end tag that it met.
func (p *Parser) ParseStatementsUntil(ends ...string) (body []Node, end string) {
	body = p.parseStatements(false, ends...)
	return body, p.Next().Text
}

// ParseExpression reads an expression.
func (p *Parser) ParseExpression() Expr { return p.parseExpression(true) }

// ParseTuple reads an expression, or several separated by commas as a tuple.
func (p *Parser) ParseTuple() Expr { return p.parseTuple(tupleRules{condexpr: true}) }

// ParseName reads a name that is to be assigned.
func (p *Parser) ParseName() string { return p.Expect(Name).Text }

// maxNesting bounds expressions and blocks within each other.
const maxNesting = 400

func (p *Parser) deeper() {
	if p.depth++; p.depth > maxNesting {
		p.failClass("RecursionError", p.Line(), 0, "the template is nested too deeply (more than %d levels)", maxNesting)
	}
}

func (p *Parser) shallower() { p.depth-- }

// maxChain bounds operators, filters and subscripts one after the other, each of which holds what is before it.
const maxChain = 20000

func (p *Parser) chain(n *int) {
	if *n++; *n > maxChain {
		p.failClass("RecursionError", p.Line(), 0, "the expression is too long (more than %d operations)", maxChain)
	}
}
