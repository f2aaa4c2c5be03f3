package yaml

import (
	"bytes"
	"unicode/utf8"

	"github.com/gostate/gostate/state/diag"
)

// checkCharacters refuses what YAML does not allow in a text, with the place: bytes that are no UTF-8, and control
// characters.
func checkCharacters(text []byte, o Options) *diag.Diagnostic {
	i := 0
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		i = len("\ufeff")
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return diag.Errorf(o.pos(1, 1), "the file is not UTF-8 but UTF-16").WithHint("save it as UTF-8")
	}
	for i < len(text) {
		if b := text[i]; b < utf8.RuneSelf {
			if b < ' ' && b != '\t' && b != '\n' && b != '\r' || b == 0x7f {
				return badCharacter(text, i, rune(b), o)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			line, col := place(text, i)
			return diag.Errorf(o.pos(line, col), "the byte 0x%02x is not UTF-8",
				text[i]).WithHint("save the file as UTF-8; it may be Latin-1, or binary")
		}
		if r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff {
			return badCharacter(text, i, r, o)
		}
		i += size
	}
	return nil
}

func badCharacter(text []byte, i int, r rune, o Options) *diag.Diagnostic {
	line, col := place(text, i)
	return diag.Errorf(o.pos(line, col), "special characters are not allowed: U+%04X", r).
		WithHint("remove it, or write it in double quotes as \"\\x%02x\"", r)
}

// place is the line and column of the byte at offset i.
func place(text []byte, i int) (line, col int) {
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	return bytes.Count(text[:start], []byte{'\n'}) + 1, utf8.RuneCount(text[start:i]) + 1
}

// lineOf is line n of the text, from 1, without its end; "" beyond the text.
func lineOf(text []byte, n int) string {
	for ; n > 1; n-- {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return ""
		}
		text = text[i+1:]
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return string(bytes.TrimSuffix(text, []byte{'\r'}))
}

func decodeRune(s string) (rune, int) { return utf8.DecodeRuneInString(s) }
