package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// scalar writes a scalar in the style that was wished for, or the next one that can hold it.
func (e *emitter) scalar(n *node, at spot) {
	a := analyze(n.text, e.o.AllowUnicode)
	style := n.style
	if style == 0 && e.o.Blocks && n.quoted && a.multiline && !at.key && e.flow == 0 && blockable(n.text) {
		style, a.asBlock = '|', true
	}
	if style == 0 && n.plain && e.plainFits(n, a, at) {
		e.tag(e.tagOf(n))
		e.plain(n.text, !at.key)
		return
	}
	if style == 0 {
		style = '\''
	}
	if e.o.Canonical || at.key && a.multiline || style == '\'' && !a.single ||
		(style == '|' || style == '>') && (!a.asBlock || e.flow > 0 || at.key) {
		style = '"'
	}
	tag := e.tagOf(n)
	if tag == "" && !n.quoted {
		tag = "!"
	}
	e.tag(tag)
	old := e.indent
	e.deeper(true, false)
	switch style {
	case '\'':
		e.single(n.text, !at.key)
	case '"':
		e.double(n.text, !at.key)
	case '|':
		e.literal(n.text)
	case '>':
		e.folded(n.text)
	}
	e.indent = old
}

func (e *emitter) plainFits(n *node, a analysis, at spot) bool {
	switch {
	case e.o.Canonical, at.key && a.multiline, e.flow > 0 && !a.flowPlain, e.flow == 0 && !a.blockPlain:
		return false
	case n.text == "" && (e.flow > 0 || at.key):
		return false
	}
	return true
}

func (e *emitter) plain(s string, fold bool) {
	if !e.whitespace && (s != "" || e.flow > 0) {
		e.put(' ')
	}
	old := e.indent
	e.deeper(true, false)
	spaces := false
	for i, r := range s {
		if r != ' ' {
			e.rune(r)
			spaces, e.indention = false, false
			continue
		}
		e.space(fold && !spaces && e.column > e.width && !spaceAt(s, i+1))
		spaces = true
	}
	e.indent = old
	e.whitespace, e.indention = false, false
}

// space writes a blank, or a new line in its place.
func (e *emitter) space(fold bool) {
	if fold {
		e.newline()
	} else {
		e.put(' ')
	}
}

func spaceAt(s string, i int) bool { return i < len(s) && s[i] == ' ' }

func (e *emitter) single(s string, fold bool) {
	e.indicator("'", true, false, false)
	spaces, breaks := false, false
	for i, r := range s {
		switch {
		case r == ' ':
			e.space(fold && !spaces && e.column > e.width && i != 0 && i != len(s)-1 && !spaceAt(s, i+1))
			spaces = true
			continue
		case isBreak(r):
			if !breaks && r == '\n' {
				e.lineBreak()
			}
			e.writeBreak(r)
			e.indention, breaks = true, true
			continue
		}
		if breaks {
			e.newline()
		}
		if r == '\'' {
			e.put('\'')
		}
		e.rune(r)
		e.indention, spaces, breaks = false, false, false
	}
	if breaks {
		e.newline()
	}
	e.indicator("'", false, false, false)
	e.whitespace, e.indention = false, false
}

// writeBreak writes a break of the text: a line end, or one of Unicode's as it is.
func (e *emitter) writeBreak(r rune) {
	if r == '\n' {
		e.lineBreak()
		return
	}
	e.out = utf8.AppendRune(e.out, r)
	e.column = 0
}

func (e *emitter) double(s string, fold bool) {
	e.indicator("\"", true, false, false)
	spaces := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case !printable(r) || r > '~' && !e.o.AllowUnicode || isBreak(r) || r == '"' || r == '\\' || r == utf8.RuneError &&
			size == 1:
			e.rawKeep(escape(r))
			spaces = false
		case r == ' ':
			folded := fold && !spaces && e.column > e.width && i != 0 && i != len(s)-1
			e.space(folded)
			if folded && spaceAt(s, i+1) {
				e.put('\\')
			}
			spaces = true
		default:
			e.rune(r)
			spaces = false
		}
		i += size
	}
	e.indicator("\"", false, false, false)
	e.whitespace, e.indention = false, false
}

func (e *emitter) rawKeep(s string) {
	e.out = append(e.out, s...)
	e.column += len(s)
}

func escape(r rune) string {
	switch r {
	case 0:
		return `\0`
	case 7:
		return `\a`
	case 8:
		return `\b`
	case 9:
		return `\t`
	case 10:
		return `\n`
	case 11:
		return `\v`
	case 12:
		return `\f`
	case 13:
		return `\r`
	case 27:
		return `\e`
	case '"', '\\':
		return `\` + string(r)
	case 0x85:
		return `\N`
	case 0xa0:
		return `\_`
	case 0x2028:
		return `\L`
	case 0x2029:
		return `\P`
	}
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02X`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	}
	return fmt.Sprintf(`\U%08X`, r)
}

// header writes what stands behind | or >: the indent when the text begins with a blank, and what becomes of its end.
func (e *emitter) header(s string) {
	first, _ := utf8.DecodeRuneInString(s)
	if s != "" && (first == ' ' || first == '\t' || isBreak(first)) {
		e.indicator(string(rune('0'+e.step)), false, false, false)
	}
	e.open = false
	chomp := "-"
	if last, size := utf8.DecodeLastRuneInString(s); s != "" && isBreak(last) {
		chomp = ""
		if rest := s[:len(s)-size]; rest == "" {
			chomp = "+"
		} else if last, _ := utf8.DecodeLastRuneInString(rest); isBreak(last) {
			chomp = "+"
		}
	}
	if chomp != "" {
		e.indicator(chomp, false, false, false)
	}
	e.open = chomp == "+"
	e.lineBreak()
	e.indention, e.whitespace = true, true
}

// blockable says whether a literal block holds a text as it is: every character can be written, and no other line end
// than \n is among them.
func blockable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && (isBreak(r) || !printable(r))
	})
}

func (e *emitter) literal(s string) {
	e.indicator("|", true, false, false)
	e.header(s)
	breaks := true
	for _, r := range s {
		if isBreak(r) {
			e.writeBreak(r)
			e.indention, breaks = true, true
			continue
		}
		if breaks {
			e.newline()
		}
		e.rune(r)
		e.indention, breaks = false, false
	}
}

func (e *emitter) folded(s string) {
	e.indicator(">", true, false, false)
	e.header(s)
	breaks, leading := true, true
	for i, r := range s {
		if isBreak(r) {
			if !breaks && !leading && r == '\n' && !ends(afterBreaks(s[i:])) {
				e.lineBreak()
			}
			e.writeBreak(r)
			e.indention, breaks = true, true
			continue
		}
		if breaks {
			e.newline()
			leading = r == ' ' || r == '\t'
		}
		if !breaks && r == ' ' && !spaceAt(s, i+1) && e.column > e.width {
			e.newline()
		} else {
			e.rune(r)
		}
		e.indention, breaks = false, false
	}
}

// afterBreaks is the first character that is no break, -1 at the end.
func afterBreaks(s string) rune {
	for _, r := range s {
		if !isBreak(r) {
			return r
		}
	}
	return -1
}
