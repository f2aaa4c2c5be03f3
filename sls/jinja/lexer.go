package jinja

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// A lexer cuts a template into tokens. It makes all of them at once; a failure becomes a broken token at its place, so
// that the parser meets it when Jinja would.
type lexer struct {
	cfg       *Config
	src       string // newlines are \n
	pos, line int
	tokens    []Token
	lineStart bool // what was read last ended with a newline
	starts    []delimiter
	err       *Error
}

// A delimiter opens something in template text.
type delimiter struct {
	text string
	kind Kind // BlockBegin, VariableBegin, or Data for a comment
}

// lex cuts src into tokens, the last of which is EOF or broken (then err says why).
func lex(cfg *Config, src string) (tokens []Token, normal string, err *Error) {
	lx := &lexer{cfg: cfg, src: normalize(cfg, src), line: 1, lineStart: true, starts: delimiters(cfg)}
	lx.tokens = make([]Token, 0, len(src)/6+8)
	func() {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case lexFailure:
				lx.err = r.err
				lx.emit(broken, lx.line, "")
			default:
				panic(r)
			}
		}()
		lx.run()
		last := 1
		if n := len(lx.tokens); n > 0 {
			last = lx.tokens[n-1].Line
		}
		lx.emit(EOF, last, "")
	}()
	return lx.tokens, lx.src, lx.err
}

// lexFailure carries a syntax error out of the lexer.
type lexFailure struct{ err *Error }

// normalize makes every newline \n and drops the last one unless it is to be kept.
func normalize(cfg *Config, src string) string {
	if strings.IndexByte(src, '\r') >= 0 {
		src = strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
	}
	if !cfg.KeepTrailingNewline {
		src = strings.TrimSuffix(src, "\n")
	}
	return src
}

// delimiters are the openings, longest first as Jinja tries them.
func delimiters(cfg *Config) []delimiter {
	ds := []delimiter{{cfg.VariableStart, VariableBegin}, {cfg.CommentStart, Data}, {cfg.BlockStart, BlockBegin}}
	for i := 1; i < len(ds); i++ {
		for j := i; j > 0 && len(ds[j].text) > len(ds[j-1].text); j-- {
			ds[j], ds[j-1] = ds[j-1], ds[j]
		}
	}
	return ds
}

func (lx *lexer) emit(kind Kind, line int, text string) {
	lx.tokens = append(lx.tokens, Token{Kind: kind, Line: line, Text: text, pos: lx.pos})
}

func (lx *lexer) fail(format string, args ...any) {
	panic(lexFailure{&Error{Class: "TemplateSyntaxError", Msg: fmt.Sprintf(format, args...), Line: lx.line,
		Col: column(lx.src, lx.pos)}})
}

// advance moves past text that was consumed.
func (lx *lexer) advance(n int) {
	part := lx.src[lx.pos : lx.pos+n]
	lx.line += strings.Count(part, "\n")
	lx.pos += n
	if n > 0 {
		lx.lineStart = part[n-1] == '\n'
	}
}

// spaces is the length of the white space at i.
func spaces(s string, i int) int {
	start := i
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f {
				i++
				continue
			}
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isSpace(r) {
			break
		}
		i += n
	}
	return i - start
}

// code reads the words up to the end of a block, a variable or a line statement.
func (lx *lexer) code(end Kind, lineStatement bool) {
	var open []byte
	for {
		if len(open) == 0 && lx.closeCode(end, lineStatement) {
			return
		}
		if lx.pos >= len(lx.src) {
			return
		}
		if n := spaces(lx.src, lx.pos); n > 0 {
			lx.advance(n)
			continue
		}
		open = lx.word(open)
	}
}

// closeCode reads the end of the code when it is here.
func (lx *lexer) closeCode(end Kind, lineStatement bool) bool {
	rest := lx.src[lx.pos:]
	line := lx.line
	n := 0
	switch {
	case lineStatement:
		n = lineEnd(rest)
		if n < 0 {
			return false
		}
	case end == BlockEnd:
		n = closing(rest, lx.cfg.BlockEnd, true, lx.cfg.TrimBlocks)
	default:
		n = closing(rest, lx.cfg.VariableEnd, false, false)
	}
	if n == 0 && !lineStatement {
		return false
	}
	lx.emit(end, line, "")
	lx.advance(n)
	return true
}

// lineEnd is the length of white space up to and with a newline, or up to the end; -1 when there is something else.
func lineEnd(s string) int {
	n := spaces(s, 0)
	if n == len(s) {
		return n
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i >= 0 {
		return i + 1
	}
	return -1
}

// closing is the length of a closing delimiter at the start of s with its white space control, 0 when it is not here.
func closing(s, delim string, plus, trim bool) int {
	switch {
	case strings.HasPrefix(s, "-"+delim):
		n := 1 + len(delim)
		return n + spaces(s, n)
	case plus && strings.HasPrefix(s, "+"+delim):
		return 1 + len(delim)
	case strings.HasPrefix(s, delim):
		n := len(delim)
		if trim && n < len(s) && s[n] == '\n' {
			n++
		}
		return n
	}
	return 0
}

// word reads one name, number, string or operator and gives the brackets that are open then.
func (lx *lexer) word(open []byte) []byte {
	s := lx.src[lx.pos:]
	c := s[0]
	switch {
	case c >= '0' && c <= '9':
		lx.number(s)
		return open
	case c == '\'' || c == '"':
		if n := quoted(s); n > 0 {
			text := lx.unescape(s[1 : n-1])
			lx.emit(String, lx.line, text)
			lx.advance(n)
			return open
		}
	}
	if n := nameLen(s); n > 0 {
		if !isIdentifier(s[:n]) {
			lx.fail("Invalid character in identifier")
		}
		lx.emit(Name, lx.line, s[:n])
		lx.advance(n)
		return open
	}
	kind, n := operator(s)
	if n == 0 {
		r, _ := utf8.DecodeRuneInString(s)
		lx.fail("unexpected char %s at %d", value.Repr(value.Str(string(r))), utf8.RuneCountInString(lx.src[:lx.pos]))
	}
	open = lx.balance(open, kind, s[:n])
	lx.emit(kind, lx.line, "")
	lx.advance(n)
	return open
}

// balance checks a bracket against those that are open.
func (lx *lexer) balance(open []byte, kind Kind, text string) []byte {
	switch kind {
	case LBrace:
		return append(open, '}')
	case LParen:
		return append(open, ')')
	case LBracket:
		return append(open, ']')
	case RBrace, RParen, RBracket:
		if len(open) == 0 {
			lx.fail("unexpected '%s'", text)
		}
		want := open[len(open)-1]
		if want != text[0] {
			lx.fail("unexpected '%s', expected '%c'", text, want)
		}
		return open[:len(open)-1]
	}
	return open
}

// quoted is the length of the string literal at the start of s, 0 when it has no end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}
