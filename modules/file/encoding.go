package file

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// encode writes text in an encoding of Python's name. errors is what happens to a character that it has not: strict,
// ignore, replace, xmlcharrefreplace or backslashreplace.
func encode(text, encoding, errors string) ([]byte, error) {
	switch normalized(encoding) {
	case "", "utf8":
		return []byte(text), nil
	case "utf8sig":
		return []byte("\ufeff" + text), nil
	case "ascii", "usascii":
		return encodeNarrow(text, encoding, errors, 0x80)
	case "latin1", "iso88591", "l1", "iso8859":
		return encodeNarrow(text, encoding, errors, 0x100)
	case "utf16":
		return encodeUTF16("\ufeff"+text, false), nil
	case "utf16le":
		return encodeUTF16(text, false), nil
	case "utf16be":
		return encodeUTF16(text, true), nil
	}
	return nil, fmt.Errorf("unknown encoding: %s", encoding)
}

func normalized(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

func encodeNarrow(text, encoding, errors string, limit rune) ([]byte, error) {
	out := make([]byte, 0, len(text))
	for i, r := range []rune(text) {
		if r < limit {
			out = append(out, byte(r))
			continue
		}
		switch errors {
		case "ignore":
		case "replace":
			out = append(out, '?')
		case "xmlcharrefreplace":
			out = fmt.Appendf(out, "&#%d;", r)
		case "backslashreplace":
			out = append(out, backslashed(r)...)
		default:
			return nil, fmt.Errorf("'%s' codec can't encode character '%s' in position %d: ordinal not in range(%d)", encoding,
				backslashed(r), i, limit)
		}
	}
	return out, nil
}

func backslashed(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func encodeUTF16(text string, big bool) []byte {
	units := utf16.Encode([]rune(text))
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}
