package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// run reads template text and hands what it finds there to the readers of code, comments and raw sections.
func (lx *lexer) run() {
	for lx.pos < len(lx.src) {
		at, open := lx.nextOpening()
		if open == nil {
			lx.data(lx.src[lx.pos:])
			lx.advance(len(lx.src) - lx.pos)
			return
		}
		lx.text(at, open)
		open.read(lx)
	}
}

// An opening is a delimiter found in the text, with its white space control.
type opening struct {
	n        int  // bytes
	sign     byte // '-', '+' or 0
	variable bool // never stripped by lstrip_blocks
	kind     Kind
	read     func(lx *lexer)
}

// nextOpening finds the first delimiter from here.
func (lx *lexer) nextOpening() (int, *opening) {
	if lx.cfg.LineStatementPrefix != "" || lx.cfg.LineCommentPrefix != "" {
		for i := lx.pos; i < len(lx.src); i++ {
			if o := lx.openingAt(i); o != nil {
				return i, o
			}
			if o := lx.lineOpeningAt(i); o != nil {
				return i, o
			}
		}
		return 0, nil
	}
	first := string([]byte{lx.cfg.BlockStart[0], lx.cfg.VariableStart[0], lx.cfg.CommentStart[0]})
	same := first[0] == first[1] && first[1] == first[2]
	for i := lx.pos; i < len(lx.src); i++ {
		var n int
		if same {
			n = strings.IndexByte(lx.src[i:], first[0])
		} else {
			n = strings.IndexAny(lx.src[i:], first)
		}
		if n < 0 {
			return 0, nil
		}
		i += n
		if o := lx.openingAt(i); o != nil {
			return i, o
		}
	}
	return 0, nil
}

// openingAt is the delimiter at i, nil when there is none.
func (lx *lexer) openingAt(i int) *opening {
	s := lx.src[i:]
	if n, sign := rawBegin(lx.cfg, s); n > 0 {
		return &opening{n: n, sign: sign, kind: Data, read: (*lexer).raw}
	}
	for _, d := range lx.starts {
		if !strings.HasPrefix(s, d.text) {
			continue
		}
		n := len(d.text)
		o := &opening{kind: d.kind, sign: signAt(s, n)}
		if o.sign != 0 {
			n++
		}
		o.n = n
		switch d.kind {
		case BlockBegin:
			o.read = func(lx *lexer) { lx.code(BlockEnd, false) }
		case VariableBegin:
			o.variable = true
			o.read = func(lx *lexer) { lx.code(VariableEnd, false) }
		default:
			o.read = (*lexer).comment
		}
		return o
	}
	return nil
}

func signAt(s string, i int) byte {
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		return s[i]
	}
	return 0
}

// lineOpeningAt is the line statement or line comment that begins at i.
func (lx *lexer) lineOpeningAt(i int) *opening {
	s := lx.src[i:]
	atStart := i == 0 || lx.src[i-1] == '\n'
	if p := lx.cfg.LineStatementPrefix; p != "" && atStart {
		blank := len(s) - len(strings.TrimLeft(s, " \t\v"))
		if c := lx.cfg.LineCommentPrefix; c != "" && len(c) > len(p) && strings.HasPrefix(s[blank:], c) {
			return lx.lineComment(blank + len(c))
		}
		if strings.HasPrefix(s[blank:], p) {
			n := blank + len(p)
			o := &opening{kind: BlockBegin, sign: signAt(s, n)}
			if o.sign != 0 {
				n++
			}
			o.n = n
			o.read = func(lx *lexer) { lx.code(BlockEnd, true) }
			return o
		}
	}
	if p := lx.cfg.LineCommentPrefix; p != "" && (atStart || !spaceBefore(lx.src, i)) {
		blank := 0
		for blank < len(s) {
			r, n := utf8.DecodeRuneInString(s[blank:])
			if r == '\n' || r == '\r' || !isSpace(r) {
				break
			}
			blank += n
		}
		if strings.HasPrefix(s[blank:], p) {
			return lx.lineComment(blank + len(p))
		}
	}
	return nil
}

func (lx *lexer) lineComment(n int) *opening {
	o := &opening{n: n, kind: Data}
	o.read = func(lx *lexer) {
		end := strings.IndexByte(lx.src[lx.pos:], '\n')
		if end < 0 {
			end = len(lx.src) - lx.pos
		}
		lx.advance(end)
	}
	return o
}

func spaceBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return isSpace(r)
}

// text emits the template text before an opening at position at, stripped as its sign or lstrip_blocks asks, and the
// token of the opening.
func (lx *lexer) text(at int, o *opening) {
	lx.data(lx.strip(lx.src[lx.pos:at], o))
	if at > lx.pos {
		lx.advance(at - lx.pos)
	}
	if o.kind == BlockBegin || o.kind == VariableBegin {
		lx.emit(o.kind, lx.line, "")
	}
	lx.advance(o.n)
}

func (lx *lexer) strip(text string, o *opening) string {
	switch {
	case o.sign == '-':
		return strings.TrimRightFunc(text, isSpace)
	case o.sign == '+' || o.variable || !lx.cfg.LstripBlocks:
		return text
	}
	start := strings.LastIndexByte(text, '\n') + 1
	if start == 0 && !lx.lineStart {
		return text
	}
	if spaces(text, start) == len(text)-start {
		return text[:start]
	}
	return text
}

func (lx *lexer) data(text string) {
	if text == "" {
		return
	}
	if seq := lx.cfg.NewlineSequence; seq != "\n" {
		text = strings.ReplaceAll(text, "\n", seq)
	}
	lx.emit(Data, lx.line, text)
}

// comment skips to the end of a comment.
func (lx *lexer) comment() {
	if lx.pos >= len(lx.src) {
		return
	}
	rest := lx.src[lx.pos:]
	i := strings.Index(rest, lx.cfg.CommentEnd)
	if i < 0 {
		lx.fail("Missing end of comment tag")
	}
	if i > 0 && (rest[i-1] == '-' || rest[i-1] == '+') {
		i--
	}
	lx.advance(i + closing(rest[i:], lx.cfg.CommentEnd, true, lx.cfg.TrimBlocks))
}

// rawBegin is the length of {% raw %} at the start of s with its sign, 0 when it is not here.
func rawBegin(cfg *Config, s string) (int, byte) {
	if !strings.HasPrefix(s, cfg.BlockStart) {
		return 0, 0
	}
	n := len(cfg.BlockStart)
	sign := signAt(s, n)
	if sign != 0 {
		n++
	}
	n += spaces(s, n)
	if !strings.HasPrefix(s[n:], "raw") {
		return 0, 0
	}
	n += len("raw")
	n += spaces(s, n)
	end := closing(s[n:], cfg.BlockEnd, false, false)
	if end == 0 {
		return 0, 0
	}
	return n + end, sign
}

// raw emits the text up to {% endraw %} as it is.
func (lx *lexer) raw() {
	if lx.pos >= len(lx.src) {
		return
	}
	for i := lx.pos; ; i++ {
		n := strings.Index(lx.src[i:], lx.cfg.BlockStart)
		if n < 0 {
			lx.fail("Missing end of raw directive")
		}
		i += n
		end, sign := lx.rawEnd(lx.src[i:])
		if end == 0 {
			continue
		}
		lx.data(lx.strip(lx.src[lx.pos:i], &opening{sign: sign}))
		lx.advance(i + end - lx.pos)
		return
	}
}

func (lx *lexer) rawEnd(s string) (int, byte) {
	n := len(lx.cfg.BlockStart)
	sign := signAt(s, n)
	if sign != 0 {
		n++
	}
	n += spaces(s, n)
	if !strings.HasPrefix(s[n:], "endraw") {
		return 0, 0
	}
	n += len("endraw")
	n += spaces(s, n)
	end := closing(s[n:], lx.cfg.BlockEnd, true, lx.cfg.TrimBlocks)
	if end == 0 {
		return 0, 0
	}
	return n + end, sign
}

// isSpace is Python's str.isspace of one character.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// nameLen is the length of the name at the start of s.
func nameLen(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
			break
		}
		i += n
	}
	return i
}

func isIdentifier(s string) bool {
	for i, r := range s {
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r):
		case i > 0 && (unicode.IsDigit(r) || unicode.IsMark(r)):
		default:
			return false
		}
	}
	return s != ""
}
