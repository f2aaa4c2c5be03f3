package erb

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A token is a word of Ruby, or text between tags.
type token struct {
	kind  string // of keywords and operators the word itself
	text  string
	parts []part // of texts with interpolation
	line  int
	space bool // blank before it
}

// A part of a text in quotes is text or code.
type part struct {
	text string
	code []token
}

type lexer struct {
	src  string
	at   int
	line int
	toks []token
	deep int
	// behind is where the line after the texts of `<<-END` on this line begins, 0 without any.
	behind int
}

const keywords = " if elsif else unless end case when then do and or not nil true false def return next break " +
	"while until for begin rescue ensure class module yield in redo retry self super alias undef loop lambda proc "

const operators = "**= <=> === ... ||= &&= <<= ** << >> <= >= == != =~ !~ && || += -= *= /= %= => -> .. :: &. " +
	"+ - * / % < > = ! & | ^ ~ ? : , . ; ( ) [ ] { }"

func (l *lexer) put(kind, text string) {
	l.toks = append(l.toks, token{kind: kind, text: text, line: l.line})
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

// code cuts Ruby code into tokens.
func (l *lexer) code(src string) {
	l.src, l.at = src, 0
	for l.at < len(l.src) {
		space, from := false, len(l.toks)
		for l.at < len(l.src) && strings.IndexByte(" \t\r", l.src[l.at]) >= 0 || l.peek(0) == '\\' && l.peek(1) == '\n' {
			if l.src[l.at] == '\\' {
				l.at, l.line = l.at+1, l.line+1
			}
			l.at, space = l.at+1, true
		}
		if l.at < len(l.src) {
			l.next(space)
		}
		if len(l.toks) > from {
			l.toks[from].space = space
		}
	}
}

func (l *lexer) next(space bool) {
	switch c := l.src[l.at]; {
	case c == '\n':
		l.newline()
	case c == '<' && l.heredoc():
	case c == '#':
		for l.at < len(l.src) && l.src[l.at] != '\n' {
			l.at++
		}
	case c == '\'' || c == '"':
		l.at++
		l.quoted(c, 0, c == '"', "str")
	case c >= '0' && c <= '9':
		l.number()
	case isWord(c):
		l.word()
	case c == '@' && isWord(l.peek(1)):
		l.at++
		l.put("ivar", l.name())
	case c == '$' && isWord(l.peek(1)):
		l.at++
		l.put("gvar", l.name())
	case c == ':' && (!l.ended() || space && l.command()) && (isWord(l.peek(1)) || l.peek(1) == '"' || l.peek(1) == '\''):
		l.symbol()
	case c == '/' && l.literal(space):
		l.at++
		l.regexp('/', 0)
	case c == '%' && l.literal(space) && l.percent():
	default:
		l.operator()
	}
}

// newline ends a statement, but not where the next line begins with a dot.
func (l *lexer) newline() {
	rest := strings.TrimLeft(l.src[l.at:], " \t\r\n")
	if !(strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "..") || strings.HasPrefix(rest, "&.")) {
		l.put("nl", "")
	}
	l.at, l.line = l.at+1, l.line+1
	if l.behind > 0 {
		l.line += strings.Count(l.src[l.at:l.behind], "\n")
		l.at, l.behind = l.behind, 0
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// ended says that the token before ends a value: what follows is an operator.
func (l *lexer) ended() bool {
	if len(l.toks) == 0 {
		return false
	}
	switch k := l.toks[len(l.toks)-1].kind; k {
	case "ident", "const", "ivar", "gvar", "str", "int", "float", "regexp", "words", "sym", ")", "]", "}", "end", "nil",
		"true", "false":
		return true
	}
	return false
}

// command says that the token before is a word that begins a statement: what follows is its argument, `dispatch :x`.
func (l *lexer) command() bool {
	n := len(l.toks)
	return l.toks[n-1].kind == "ident" && (n == 1 || slices.Contains([]string{"nl", "do", ";"}, l.toks[n-2].kind))
}

// literal says that / or % begins a literal, as behind the name of a method and a blank.
func (l *lexer) literal(space bool) bool {
	n := len(l.toks)
	if space && n > 1 && l.toks[n-1].kind == "ident" && l.toks[n-2].kind == "." && l.peek(1) != ' ' && l.peek(1) != '=' {
		return true
	}
	return !l.ended()
}

func (l *lexer) name() string {
	from := l.at
	for isWord(l.peek(0)) {
		l.at++
	}
	return l.src[from:l.at]
}

func (l *lexer) word() {
	w := l.name()
	if c := l.peek(0); (c == '?' || c == '!') && l.peek(1) != '=' {
		w += string(c)
		l.at++
	}
	last := ""
	if len(l.toks) > 0 {
		last = l.toks[len(l.toks)-1].kind
	}
	switch {
	case l.peek(0) == ':' && l.peek(1) != ':' && slices.Contains([]string{"{", ",", "(", "|", "nl"}, last):
		l.at++
		l.put("label", w)
	case last == "." || last == "&.":
		l.put("ident", w)
	case strings.Contains(keywords, " "+w+" "):
		l.put(w, w)
	case w[0] >= 'A' && w[0] <= 'Z':
		l.put("const", w)
	default:
		l.put("ident", w)
	}
}

func (l *lexer) number() {
	from, kind := l.at, "int"
	l.name()
	if c := l.peek(1); l.peek(0) == '.' && c >= '0' && c <= '9' {
		l.at, kind = l.at+1, "float"
		l.name()
	}
	l.put(kind, strings.ReplaceAll(l.src[from:l.at], "_", ""))
}

func (l *lexer) symbol() {
	l.at++
	if q := l.peek(0); q == '"' || q == '\'' {
		l.at++
		l.quoted(q, 0, q == '"', "dsym")
		return
	}
	w := l.name()
	if c := l.peek(0); c == '?' || c == '!' {
		w += string(c)
		l.at++
	}
	l.put("sym", w)
}

func (l *lexer) operator() {
	for _, op := range strings.Fields(operators) {
		if strings.HasPrefix(l.src[l.at:], op) {
			l.at += len(op)
			l.put(op, op)
			return
		}
	}
	fail(l.line, "%q is not known", l.src[l.at:min(l.at+1, len(l.src))])
}

// heredoc reads <<-END and <<~END, whose text is in the lines below; it says whether that is what there is.
func (l *lexer) heredoc() bool {
	m := heredocMark().FindStringSubmatch(l.src[l.at:])
	if m == nil || l.ended() && len(l.toks) > 0 && l.toks[len(l.toks)-1].kind != "ident" {
		return false
	}
	from := l.behind
	if n := strings.IndexByte(l.src[l.at:], '\n'); from == 0 && n >= 0 {
		from = l.at + n + 1
	}
	var lines []string
	at, closed := from, false
	for line := range strings.Lines(l.src[from:]) {
		at += len(line)
		if closed = strings.TrimSpace(line) == m[3]; closed {
			break
		}
		lines = append(lines, line)
	}
	if from == 0 || !closed {
		fail(l.line, "the text %s is never closed", m[0])
	}
	if m[1] == "~" {
		outdent(lines)
	}
	in := &lexer{src: strings.Join(lines, "") + "\x00", line: l.line + 1, deep: l.deep}
	in.quoted(0, 0, m[2] != "'", "str")
	l.toks = append(l.toks, in.toks...)
	l.at, l.behind = l.at+len(m[0]), at
	return true
}

var heredocMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<<([-~])(['"]?)([A-Za-z_]\w*)['"]?`)
})

// outdent takes the blanks away that all lines begin with.
func outdent(lines []string) {
	least := 1 << 20
	for _, l := range lines {
		if text := strings.TrimLeft(l, " \t"); text != "\n" && text != "" {
			least = min(least, len(l)-len(text))
		}
	}
	for i, l := range lines {
		lines[i] = l[min(least, len(l)-len(strings.TrimLeft(l, " \t"))):]
	}
}

// percent reads %w(a b), %i, %q, %Q and %(...); it says whether that is what there is.
func (l *lexer) percent() bool {
	kind, open := byte('Q'), l.peek(1)
	skip := 2
	if strings.IndexByte("wiqQr", open) >= 0 && open != 0 {
		kind, open, skip = open, l.peek(2), 3
	}
	i := strings.IndexByte("([{<|!/", open)
	if open == 0 || i < 0 {
		return false
	}
	closing := ")]}>|!/"[i]
	nest := open
	if open == closing {
		nest = 0
	}
	l.at += skip
	switch kind {
	case 'r':
		l.regexp(closing, nest)
	case 'w', 'i':
		l.quoted(closing, nest, false, map[byte]string{'w': "words", 'i': "syms"}[kind])
	default:
		l.quoted(closing, nest, kind == 'Q', "str")
	}
	return true
}

func (l *lexer) regexp(closing, nest byte) {
	l.quoted(closing, nest, true, "regexp")
	t := &l.toks[len(l.toks)-1]
	for l.at < len(l.src) && strings.IndexByte("imxou", l.src[l.at]) >= 0 {
		t.text += string(l.src[l.at])
		l.at++
	}
}

// quoted reads up to the closing quote.
func (l *lexer) quoted(closing, nest byte, double bool, kind string) {
	t := token{kind: kind, line: l.line}
	var b strings.Builder
	for depth := 0; ; {
		if l.at >= len(l.src) {
			fail(t.line, "a text is never closed by %c", closing)
		}
		c := l.src[l.at]
		l.at++
		switch {
		case c == closing && depth == 0:
			t.parts = append(t.parts, part{text: b.String()})
			l.toks = append(l.toks, t)
			return
		case c == '\\':
			b.WriteString(l.escape(closing, double, kind == "regexp"))
		case double && c == '#' && l.peek(0) == '{':
			t.parts = append(t.parts, part{text: b.String()}, part{code: l.interpolation()})
			b.Reset()
		default:
			if c == '\n' {
				l.line++
			}
			if nest != 0 && c == nest {
				depth++
			} else if nest != 0 && c == closing {
				depth--
			}
			b.WriteByte(c)
		}
	}
}

// escape is what a backslash and the next letter stand for.
func (l *lexer) escape(closing byte, double, re bool) string {
	c := l.peek(0)
	l.at++
	if c == '\n' {
		l.line++
	}
	switch {
	case re && c == '/':
		return "/"
	case re:
		return `\` + string(c)
	case c == closing || c == '\\':
		return string(c)
	case !double:
		return `\` + string(c)
	case c == '\n':
		return ""
	}
	if strings.IndexByte("uxcCM01234567", c) >= 0 {
		fail(l.line, `the escape \%c is not known`, c)
	}
	if i := strings.IndexByte("ntrse0abfv", c); i >= 0 {
		return "\n\t\r \x1b\x00\a\b\f\v"[i : i+1]
	}
	return string(c)
}

// interpolation reads #{...}, whose code may hold texts with braces.
func (l *lexer) interpolation() []token {
	if l.deep++; l.deep > 20 {
		fail(l.line, "texts are nested too deep")
	}
	in := &lexer{line: l.line, deep: l.deep}
	in.src, in.at = l.src, l.at+1
	for depth := 0; ; {
		start := in.at
		for in.at < len(in.src) && strings.IndexByte(" \t\r", in.src[in.at]) >= 0 {
			in.at++
		}
		if in.at >= len(in.src) {
			fail(l.line, "#{ is never closed by }")
		}
		if in.src[in.at] == '}' && depth == 0 {
			break
		}
		from, space := len(in.toks), in.at > start
		in.next(space)
		if len(in.toks) > from {
			in.toks[from].space = space
			switch in.toks[from].kind {
			case "{":
				depth++
			case "}":
				depth--
			}
		}
	}
	in.put("eof", "")
	l.at, l.line = in.at+1, in.line
	l.deep--
	return in.toks
}
