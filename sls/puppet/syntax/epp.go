package syntax

import "strings"

// ParseEPP reads a template: text with <% statements %>, <%= expressions %> and <%# comments %>. What it prints are
// Print nodes.
func ParseEPP(path, text string) (f *File, err error) {
	defer caught(&err)
	l := &lexer{file: path, src: text, line: 1, epp: true}
	l.templateText()
	l.run(false)
	p := &parser{file: path, tokens: l.tokens}
	f = &File{Path: path}
	if p.is(tText) && strings.TrimSpace(p.tok().text) == "" && p.peek().kind == "|" {
		p.take()
	}
	if p.accept("|") {
		f.HasParams, f.Params = true, p.params("|")
		p.expect("|")
	}
	f.Body = p.statements(tEOF)
	p.expect(tEOF)
	return f, validate(f)
}

// templateText takes the text between two tags, with the closing and the opening one.
func (l *lexer) templateText() {
	start := l.at
	trimLeft := false
	if len(l.tokens) > 0 {
		trimLeft = strings.HasPrefix(l.src[l.at:], "-%>")
		l.at += 2
		if trimLeft {
			l.at++
		}
	}
	begin := l.pos(start)
	var b strings.Builder
	from := l.at
	for {
		n := strings.Index(l.src[l.at:], "<%")
		if n < 0 {
			b.WriteString(l.src[l.at:])
			l.at = len(l.src)
			break
		}
		b.WriteString(l.src[l.at : l.at+n])
		l.at += n + 2
		rest := l.src[l.at:]
		switch {
		case strings.HasPrefix(rest, "%"):
			b.WriteString("<%")
			l.at++
			continue
		case strings.HasPrefix(rest, "#"):
			if !l.eppComment(&b) {
				l.fail(begin, "Unbalanced epp comment, reached end of input without finding '%>'")
			}
			continue
		}
		break
	}
	l.emitText(strings.ReplaceAll(b.String(), "%%>", "%>"), trimLeft, from, begin)
}

// eppComment passes over <%# ... %>; with -%> the line break behind it goes, too.
func (l *lexer) eppComment(b *strings.Builder) bool {
	n := strings.Index(l.src[l.at:], "%>")
	if n < 0 {
		return false
	}
	trim := n > 0 && l.src[l.at+n-1] == '-'
	if rest := l.src[l.at : l.at+n]; strings.HasPrefix(rest, "#-") || trim &&
		strings.TrimRight(b.String(), " \t") != b.String() {
		kept := strings.TrimRight(b.String(), " \t")
		b.Reset()
		b.WriteString(kept)
	}
	l.at += n + 2
	if trim {
		l.skipLineBreak()
	}
	return true
}

func (l *lexer) skipLineBreak() {
	rest := strings.TrimLeft(l.src[l.at:], " \t")
	rest = strings.TrimPrefix(rest, "\r")
	if strings.HasPrefix(rest, "\n") {
		l.at = len(l.src) - len(rest) + 1
	}
}

// emitText adds a text and what the tag behind it means.
func (l *lexer) emitText(text string, trimLeft bool, from int, begin Pos) {
	if trimLeft {
		if t := strings.TrimPrefix(strings.TrimLeft(text, " \t"), "\r"); t == "" || t[0] == '\n' {
			text = strings.TrimPrefix(t, "\n") // blanks up to the next tag go, too
		}
	}
	rest := l.src[l.at:]
	k := kind("")
	switch {
	case l.at >= len(l.src):
	case strings.HasPrefix(rest, "-"):
		l.at++
		if i := strings.LastIndexByte(text, '\n'); strings.TrimLeft(text[i+1:], " \t") == "" {
			text = text[:i+1]
		}
	case strings.HasPrefix(rest, "="):
		l.at++
		k = tPrint
	}
	l.lines(from)
	if text != "" || len(l.tokens) == 0 {
		l.tokens = append(l.tokens, token{kind: tText, text: text, pos: begin})
	} else {
		l.tokens = append(l.tokens, token{kind: ";", text: ";", pos: begin})
	}
	if k != "" {
		l.tokens = append(l.tokens, token{kind: k, text: "<%=", pos: l.pos(l.at)})
	}
}
