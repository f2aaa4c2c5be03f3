package jinja

import (
	"strings"
	"unicode"

	"github.com/gostate/gostate/state/value"
)

func filterWordwrap(c *Call, p []value.Value) (value.Value, error) {
	s, ok := isText(p[0])
	if !ok {
		if err := used(p[0]); err != nil {
			return nil, err
		}
		return nil, raise("AttributeError", "'%s' object has no attribute 'splitlines'", typeName(p[0]))
	}
	width, err := whole(p[1], 79)
	if err != nil {
		return nil, err
	}
	w := wrapper{width: width}
	if w.breakLong, err = flag(p[2], true); err != nil {
		return nil, err
	}
	sep := c.Env.cfg.NewlineSequence
	if p[3] != nil && p[3] != value.Value(value.None) {
		if sep, err = str(p[3]); err != nil {
			return nil, err
		}
	}
	if w.hyphens, err = flag(p[4], true); err != nil {
		return nil, err
	}
	if width <= 0 && s != "" {
		return nil, raise("ValueError", "invalid width %d (must be > 0)", width)
	}
	var paragraphs []string
	for _, line := range splitLines(s) {
		paragraphs = append(paragraphs, strings.Join(w.wrap(line), sep))
	}
	return value.Str(strings.Join(paragraphs, sep)), nil
}

// wrapper wraps one paragraph as Python's textwrap does, without expanding tabs or replacing white space.
type wrapper struct {
	width     int
	breakLong bool
	hyphens   bool
}

func (w wrapper) wrap(text string) []string {
	chunks := w.chunks(text)
	var lines []string
	for len(chunks) > 0 {
		if blank(chunks[0]) && len(lines) > 0 {
			chunks = chunks[1:]
			if len(chunks) == 0 {
				break
			}
		}
		var cur []string
		n := 0
		for len(chunks) > 0 {
			l := len([]rune(chunks[0]))
			if n+l > w.width {
				break
			}
			cur, n, chunks = append(cur, chunks[0]), n+l, chunks[1:]
		}
		if len(chunks) > 0 && len([]rune(chunks[0])) > w.width {
			cur, chunks = w.long(cur, n, chunks)
		}
		if len(cur) > 0 && blank(cur[len(cur)-1]) {
			cur = cur[:len(cur)-1]
		}
		if len(cur) > 0 {
			lines = append(lines, strings.Join(cur, ""))
		}
	}
	return lines
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// long deals with a chunk that fits no line.
func (w wrapper) long(cur []string, n int, chunks []string) ([]string, []string) {
	if !w.breakLong {
		if len(cur) == 0 {
			return []string{chunks[0]}, chunks[1:]
		}
		return cur, chunks
	}
	room := w.width - n
	if w.width < 1 {
		room = 1
	}
	chunk := []rune(chunks[0])
	end := room
	if w.hyphens && len(chunk) > room {
		for i := room - 1; i > 0; i-- {
			if chunk[i] == '-' {
				if strings.Trim(string(chunk[:i]), "-") != "" {
					end = i + 1
				}
				break
			}
		}
	}
	cur = append(cur, string(chunk[:end]))
	chunks[0] = string(chunk[end:])
	return cur, chunks
}

// chunks cuts text into words and white space, words also after hyphens between letters.
func (w wrapper) chunks(text string) []string {
	var out []string
	rs := []rune(text)
	for i := 0; i < len(rs); {
		j := i
		if isWrapSpace(rs[i]) {
			for j < len(rs) && isWrapSpace(rs[j]) {
				j++
			}
		} else {
			for j < len(rs) && !isWrapSpace(rs[j]) {
				j++
				if w.hyphens && w.breaks(rs, i, j) {
					break
				}
			}
		}
		out = append(out, string(rs[i:j]))
		i = j
	}
	return out
}

func isWrapSpace(r rune) bool { return strings.ContainsRune("\t\n\x0b\x0c\r ", r) }

// breaks says whether a word that began at i may be cut at j: after a hyphen between letters, or around an em dash.
func (w wrapper) breaks(rs []rune, i, j int) bool {
	if j >= len(rs) {
		return false
	}
	letter := func(k int) bool { return k >= i && k < len(rs) && (unicode.IsLetter(rs[k]) || rs[k] == '_') }
	wordChar := func(k int) bool {
		return k >= i && k < len(rs) && (unicode.IsLetter(rs[k]) || unicode.IsNumber(rs[k]) ||
			strings.ContainsRune("_!\"'&.,?", rs[k]))
	}
	if rs[j-1] == '-' {
		if j-2 >= i && rs[j-2] == '-' && rs[j] != '-' {
			return (unicode.IsLetter(rs[j]) || unicode.IsNumber(rs[j]) || rs[j] == '_') && dashStart(rs, i, j)
		}
		return letter(j-2) && letter(j-3) && letter(j) && letter(j+1) || letter(j-2) && j-3 >= i && rs[j-3] == '-' &&
			letter(j) && letter(j+1)
	}
	return rs[j] == '-' && j+1 < len(rs) && rs[j+1] == '-' && wordChar(j-1)
}

func dashStart(rs []rune, i, j int) bool {
	for k := i; k < j; k++ {
		if rs[k] != '-' {
			return false
		}
	}
	return true
}
