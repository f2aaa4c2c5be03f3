package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// singleQuoted takes 'text', in which only \\ and \' are escapes.
func (l *lexer) singleQuoted() {
	start := l.at
	var b strings.Builder
	for at := start + 1; at < len(l.src); at++ {
		switch c := l.src[at]; {
		case c == '\\' && at+1 < len(l.src) && (l.src[at+1] == '\\' || l.src[at+1] == '\''):
			at++
			b.WriteByte(l.src[at])
		case c == '\'':
			l.at = at + 1
			t := l.add(tString, b.String(), start)
			t.parts = []part{{text: b.String(), pos: t.pos}}
			l.lines(start)
			return
		default:
			b.WriteByte(c)
		}
	}
	l.fail(l.pos(start), "Unclosed quote after \"'\" followed by '"+excerpt(l.src[start+1:])+"'")
}

func excerpt(s string) string {
	if len(s) > 10 {
		return s[:10] + "..."
	}
	return s
}

// lines counts the lines between an offset and where the lexer stands.
func (l *lexer) lines(from int) {
	for i := from; i < l.at; i++ {
		if l.src[i] == '\n' {
			l.line++
			l.begin = i + 1
		}
	}
}

// doubleQuoted takes "text", with escapes and interpolation.
func (l *lexer) doubleQuoted() {
	start := l.at
	startPos := l.pos(start)
	l.at++
	parts := l.pieces(func(at int) bool { return l.src[at] == '"' }, `nrts$"\'u`, func() {
		l.fail(startPos, `Unclosed quote after '"' followed by '`+excerpt(l.src[start+1:])+"'")
	})
	l.at++
	l.tokens = append(l.tokens, token{kind: tString, text: plainText(parts), pos: startPos,
		parts: parts})
}

// plainText is the text of a string without interpolation, and of one with it what stands between.
func plainText(parts []part) string {
	text := ""
	for _, p := range parts {
		text += p.text
	}
	return text
}

// pieces takes the parts of an interpolated text until end says so; escapes are the letters that mean something behind
// a backslash.
func (l *lexer) pieces(end func(at int) bool, escapes string, unclosed func()) []part {
	var parts []part
	var b strings.Builder
	from := l.pos(l.at)
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, part{text: b.String(), pos: from})
			b.Reset()
		}
	}
	for {
		if l.at >= len(l.src) {
			unclosed()
		}
		if end(l.at) {
			break
		}
		switch c := l.src[l.at]; {
		case c == '\n':
			b.WriteByte(c)
			l.at++
			l.newline()
		case c == '\\' && escapes != "":
			l.escape(&b, escapes)
		case c == '$':
			if p, ok := l.interpolation(); ok {
				flush()
				parts = append(parts, p)
				from = l.pos(l.at)
				continue
			}
			b.WriteByte(c)
			l.at++
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	flush()
	return parts
}

// interpolation takes ${expression} or $variable.
func (l *lexer) interpolation() (part, bool) {
	start := l.at
	pos := l.pos(start)
	if strings.HasPrefix(l.src[start:], "${") {
		inner := &lexer{file: l.file, src: l.src, at: start + 2, line: l.line, begin: l.begin}
		inner.run(true)
		l.at, l.line, l.begin = inner.at, inner.line, inner.begin
		return part{tokens: inner.tokens, pos: pos}, true
	}
	end := l.variableEnd(start + 1)
	if end == start+1 {
		return part{}, false
	}
	l.at = end
	return part{tokens: []token{{kind: tVariable, text: l.src[start+1 : end], pos: pos},
		{kind: tEOF, pos: l.pos(end)}}, pos: pos}, true
}

// escape takes a backslash and what follows; where that means nothing both stay.
func (l *lexer) escape(b *strings.Builder, escapes string) {
	if l.at+1 >= len(l.src) {
		b.WriteByte('\\')
		l.at++
		return
	}
	c := l.src[l.at+1]
	if c == '\n' && strings.Contains(escapes, "L") {
		l.at += 2
		l.newline()
		return
	}
	if !strings.ContainsRune(escapes, rune(c)) || c == 'L' {
		b.WriteByte('\\')
		l.at++
		return
	}
	if c == 'u' {
		l.unicode(b)
		return
	}
	l.at += 2
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 's':
		b.WriteByte(' ')
	default:
		b.WriteByte(c)
	}
}

// unicode takes \u00e9 or \u{1f600}.
func (l *lexer) unicode(b *strings.Builder) {
	rest := l.src[l.at+2:]
	digits, size := "", 0
	if strings.HasPrefix(rest, "{") {
		if end := strings.IndexByte(rest, '}'); end > 1 && end <= 7 {
			digits, size = rest[1:end], end+1
		}
	} else if len(rest) >= 4 {
		digits, size = rest[:4], 4
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		b.WriteString(`\u`)
		l.at += 2
		return
	}
	b.WriteString(string(rune(n)))
	l.at += 2 + size
}

// A heredoc is one that was announced, @("END":json/nt): its token waits for its text.
type heredoc struct {
	token   int // place in tokens
	tag     string
	escapes string
	interp  bool
}

// isHeredoc says whether @ begins a heredoc.
func (l *lexer) isHeredoc() bool {
	rest := strings.TrimLeft(l.src[l.at+1:], " \t")
	return strings.HasPrefix(rest, "(")
}

// announce takes @(TAG), @("TAG"), @(TAG:syntax/escapes).
func (l *lexer) announce() {
	start := l.at
	end := strings.IndexAny(l.src[start:], ")\n")
	if end < 0 || l.src[start+end] == '\n' {
		l.fail(l.pos(start), "Heredoc without endtagged text")
	}
	inside := l.src[start : start+end]
	inside = strings.TrimSpace(inside[strings.IndexByte(inside, '(')+1:])
	h := &heredoc{token: len(l.tokens)}
	if i := strings.LastIndexByte(inside, '/'); i >= 0 {
		h.escapes = strings.TrimSpace(inside[i+1:])
		if inside = strings.TrimSpace(inside[:i]); h.escapes == "" {
			h.escapes = `nrts$uL`
		}
		h.escapes += `\`
	}
	syntax := ""
	if i := strings.IndexByte(inside, ':'); i >= 0 {
		inside, syntax = strings.TrimSpace(inside[:i]), strings.TrimSpace(inside[i+1:])
	}
	if strings.HasPrefix(inside, `"`) && strings.HasSuffix(inside, `"`) && len(inside) > 1 {
		h.interp, inside = true, inside[1:len(inside)-1]
	}
	if h.tag = strings.TrimSpace(inside); h.tag == "" {
		l.fail(l.pos(start), "Heredoc without endtagged text")
	}
	l.at = start + end + 1
	l.add(tString, "", start).syntax = syntax
	l.heredocs = append(l.heredocs, h)
}

// heredocText takes the text of a heredoc from the beginning of a line, up to the line with its end.
func (l *lexer) heredocText(h *heredoc) {
	start := l.at
	margin, trim, stop, after := -1, false, 0, 0
	for at := start; at < len(l.src); {
		end := strings.IndexByte(l.src[at:], '\n')
		if end < 0 {
			end = len(l.src) - at
		}
		if m, t, ok := endsHeredoc(l.src[at:at+end], h.tag); ok {
			margin, trim, stop, after = m, t, at, min(at+end+1, len(l.src))
			break
		}
		at += end + 1
		stop = at
	}
	if after == 0 {
		l.fail(l.tokens[h.token].pos, "Heredoc without end-tag: '"+h.tag+"'")
	}
	text := unindent(l.src[start:stop], margin)
	if trim {
		text = strings.TrimSuffix(text, "\n")
	}
	t := &l.tokens[h.token]
	t.parts = h.parts(l, text)
	t.text = plainText(t.parts)
	l.line += strings.Count(l.src[start:after], "\n")
	l.at, l.begin = after, after
}

// endsHeredoc says whether a line is `  |- TAG`: how wide the margin is, and whether the last line break goes.
func endsHeredoc(line, tag string) (margin int, trim, ok bool) {
	rest := strings.TrimSpace(line)
	margin = -1
	if r, has := strings.CutPrefix(rest, "|"); has {
		margin = utf8.RuneCountInString(line[:strings.IndexByte(line, '|')])
		rest = strings.TrimSpace(r)
	}
	if r, has := strings.CutPrefix(rest, "-"); has {
		trim, rest = true, strings.TrimSpace(r)
	}
	return margin, trim, rest == tag
}

// unindent takes a margin off each line, as far as that is blank.
func unindent(text string, margin int) string {
	if margin <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		cut := 0
		for cut < len(line) && cut < margin && (line[cut] == ' ' || line[cut] == '\t') {
			cut++
		}
		b.WriteString(line[cut:])
	}
	return b.String()
}

// parts are those of the text of a heredoc.
func (h *heredoc) parts(l *lexer, text string) []part {
	if !h.interp && h.escapes == "" {
		return []part{{text: text}}
	}
	inner := &lexer{file: l.file, src: text, line: l.line}
	if !h.interp {
		var b strings.Builder
		for inner.at < len(text) {
			if text[inner.at] == '\\' {
				inner.escape(&b, h.escapes)
				continue
			}
			b.WriteByte(text[inner.at])
			inner.at++
		}
		return []part{{text: b.String()}}
	}
	inner.src += "\x00"
	return inner.pieces(func(at int) bool { return at == len(text) }, h.escapes, func() {})
}
