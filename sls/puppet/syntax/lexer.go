package syntax

import (
	"strings"
	"unicode/utf8"
)

// A lexer cuts a text into tokens. What a character means depends on the token before it: / may begin a regular
// expression, [ a list or an access.
type lexer struct {
	file   string
	src    string
	at     int
	line   int
	begin  int // offset of the line's first character
	tokens []token
	// heredocs are those announced in this line, whose text begins in the next one.
	heredocs []*heredoc
	// counted is the offset whose column is col.
	counted, col int
	// epp says that the text is a template: it begins outside of <% %>.
	epp bool
}

// bail carries an *Error out of the depth of the lexer and parser.
type bail struct{ err *Error }

func (l *lexer) fail(pos Pos, msg string) { panic(bail{&Error{l.file, pos, msg}}) }

// pos is the place of an offset in the current line. It counts on from the last one that was asked for.
func (l *lexer) pos(offset int) Pos {
	if l.col == 0 || l.counted < l.begin || l.counted > offset {
		l.counted, l.col = l.begin, 1
	}
	l.col += utf8.RuneCountInString(l.src[l.counted:offset])
	l.counted = offset
	return Pos{l.line, l.col}
}

// run takes tokens until the end of the text, or until the brace that closes an interpolation when nested.
func (l *lexer) run(nested bool) {
	depth := 0
	for {
		l.space()
		if l.at >= len(l.src) {
			if nested {
				l.fail(l.pos(l.at), "Syntax error at end of input")
			}
			l.add(tEOF, "", l.at)
			return
		}
		switch c := l.src[l.at]; {
		case c == '{':
			depth++
		case c == '}' && nested && depth == 0:
			l.add(tEOF, "}", l.at)
			l.at++
			return
		case c == '}':
			depth--
		}
		l.next()
	}
}

// add appends a token that begins at an offset.
func (l *lexer) add(k kind, text string, start int) *token {
	l.tokens = append(l.tokens, token{kind: k, text: text, pos: l.pos(start)})
	return &l.tokens[len(l.tokens)-1]
}

// newline notes that the character before offset ended a line; heredocs take their text from there.
func (l *lexer) newline() {
	l.line++
	l.begin = l.at
	if len(l.heredocs) > 0 {
		docs := l.heredocs
		l.heredocs = nil
		for _, h := range docs {
			l.heredocText(h)
		}
	}
}

// space passes over white space and comments.
func (l *lexer) space() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n':
			l.at++
			l.newline()
		case c == ' ', c == '\t', c == '\r':
			l.at++
		case c == '#':
			for l.at < len(l.src) && l.src[l.at] != '\n' {
				l.at++
			}
		case strings.HasPrefix(l.src[l.at:], "/*"):
			l.comment()
		default:
			return
		}
	}
}

func (l *lexer) comment() {
	start := l.pos(l.at)
	n := strings.Index(l.src[l.at+2:], "*/")
	if n < 0 {
		l.fail(start, "Unclosed comment")
	}
	for stop := l.at + n + 4; l.at < stop; {
		l.at++
		if l.src[l.at-1] == '\n' {
			l.newline()
		}
	}
}

// operators are the tokens of punctuation, the longest first.
func operators() []string {
	return []string{"<<|", "|>>", "<|", "|>", "<<", ">>", "->", "~>", "<-", "<~", "=>", "+>", "==", "!=", "=~", "!~", "<=",
		">=", "+=", "-=", "@@", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ",", ".", ";", "(", ")", "[", "]", "{",
		"}", "|", "@", "~"}
}

// punctuation is operators, made once; nobody writes it.
var punctuation = operators()

// next takes one token.
func (l *lexer) next() {
	start, c := l.at, l.src[l.at]
	switch {
	case l.epp && strings.HasPrefix(l.src[l.at:], "-%>"), l.epp && strings.HasPrefix(l.src[l.at:], "%>"):
		l.templateText()
	case c == '$':
		l.variable()
	case c == '"':
		l.doubleQuoted()
	case c == '\'':
		l.singleQuoted()
	case c >= '0' && c <= '9':
		l.number()
	case isLetter(c) || strings.HasPrefix(l.src[l.at:], "::") && l.at+2 < len(l.src) && isLetter(l.src[l.at+2]):
		l.word()
	case c == '@' && l.isHeredoc():
		l.announce()
	case c == '/' && l.regexMayStand() && l.regex():
	default:
		for _, op := range punctuation {
			if strings.HasPrefix(l.src[l.at:], op) {
				l.at += len(op)
				l.add(l.operator(op, start), op, start)
				return
			}
		}
		r, _ := utf8.DecodeRuneInString(l.src[l.at:])
		l.fail(l.pos(start), "Illegal character '"+string(r)+"'")
	}
}

// operator tells apart what is written with one character: [ of a list and of an access, ( of a call and at the
// beginning of a line, { behind ?.
func (l *lexer) operator(op string, start int) kind {
	switch op {
	case "[":
		if start == 0 || strings.ContainsRune(" \t\r\n", rune(l.src[start-1])) {
			return tList
		}
	case "(":
		if strings.TrimSpace(l.src[l.begin:start]) == "" {
			return tParen
		}
	case "{":
		if n := len(l.tokens); n > 0 && l.tokens[n-1].kind == "?" {
			return tSelect
		}
	}
	return kind(op)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isWord(c byte) bool   { return isLetter(c) || c >= '0' && c <= '9' }

// wordEnd is the offset behind the word characters from an offset on.
func (l *lexer) wordEnd(from int) int {
	for from < len(l.src) && isWord(l.src[from]) {
		from++
	}
	return from
}

func (l *lexer) variable() {
	start := l.at
	end := l.variableEnd(start + 1)
	if end == start+1 {
		l.fail(l.pos(start), "Illegal variable name")
	}
	l.at = end
	l.add(tVariable, l.src[start+1:end], start)
}

// variableEnd is the offset behind a variable's name: (::)?(word::)*word.
func (l *lexer) variableEnd(from int) int {
	at, end := from, from
	if strings.HasPrefix(l.src[at:], "::") {
		at += 2
	}
	for {
		next := l.wordEnd(at)
		if next == at {
			return end
		}
		end = next
		if !strings.HasPrefix(l.src[end:], "::") {
			return end
		}
		at = end + 2
	}
}

// word takes a name, a reference to a type, or a keyword. Names may hold dashes inside, `a-b`; those are words.
func (l *lexer) word() {
	start, at, dashed := l.at, l.at, false
	upper := false
	for {
		if strings.HasPrefix(l.src[at:], "::") {
			at += 2
		}
		if at >= len(l.src) || !isLetter(l.src[at]) {
			at -= 2 // the :: belongs to what follows
			break
		}
		upper = l.src[at] >= 'A' && l.src[at] <= 'Z'
		at = l.wordEnd(at)
		for !upper && at+1 < len(l.src) && l.src[at] == '-' && l.dashed(at) {
			dashed = true
			for l.src[at] == '-' {
				at++
			}
			at = l.wordEnd(at)
		}
		if !strings.HasPrefix(l.src[at:], "::") || !l.sameCase(at+2, upper) {
			break
		}
	}
	l.at = at
	text := l.src[start:at]
	switch {
	case isKeyword(text):
		l.add(kind(text), text, start)
	case upper:
		l.add(tRef, text, start)
	case dashed || strings.Contains("::"+text, "::_"):
		l.add(tWord, text, start)
	default:
		l.add(tName, text, start)
	}
}

// dashed says whether dashes at an offset are inside a word.
func (l *lexer) dashed(at int) bool {
	for at < len(l.src) && l.src[at] == '-' {
		at++
	}
	return at < len(l.src) && isWord(l.src[at])
}

// sameCase says whether what follows :: goes on a name or a reference.
func (l *lexer) sameCase(at int, upper bool) bool {
	return at < len(l.src) && isLetter(l.src[at]) && (l.src[at] >= 'A' && l.src[at] <= 'Z') == upper
}

// number takes 12, 0x1F, 017, 1.5, 2e-3.
func (l *lexer) number() {
	start := l.at
	end := l.wordEnd(start)
	text := l.src[start:end]
	isHex := strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")
	exponent := func() {
		if e := l.src[end-1]; !isHex && (e == 'e' || e == 'E') && end < len(l.src) && l.src[end] == '-' {
			end = l.wordEnd(end + 1)
		}
	}
	if end+1 < len(l.src) && l.src[end] == '.' && l.src[end+1] >= '0' && l.src[end+1] <= '9' && !isHex {
		end = l.wordEnd(end + 1)
	}
	exponent()
	text = l.src[start:end]
	if _, ok := parseNumber(text); !ok {
		l.fail(l.pos(start), "Illegal number '"+text+"'")
	}
	l.at = end
	l.add(tNumber, text, start)
}

// regexMayStand says whether / may begin a regular expression: not behind what can be divided.
func (l *lexer) regexMayStand() bool {
	if len(l.tokens) == 0 {
		return true
	}
	switch l.tokens[len(l.tokens)-1].kind {
	case ")", "]", "|>", "|>>", tName, tRef, tString, "true", "false", tWord, tNumber, tVariable:
		return false
	}
	return true
}

// regex takes a regular expression, which ends in its line.
func (l *lexer) regex() bool {
	start := l.at
	for at := start + 1; at < len(l.src) && l.src[at] != '\n'; at++ {
		switch l.src[at] {
		case '\\':
			at++
		case '/':
			l.at = at + 1
			l.add(tRegex, strings.ReplaceAll(l.src[start+1:at], `\/`, "/"), start)
			return true
		}
	}
	return false
}
