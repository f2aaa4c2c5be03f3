package draw

import (
	"strings"
	"unicode"
)

// advance is how wide a letter is, in thousandths of the size of its font. The figures are those of DejaVu Sans, which
// is among the widest of the fonts that a picture may be shown with: what fits in it fits in others.
func advance(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 &&
		r <= 0xfaff ||
		r >= 0xff00 && r <= 0xff60 || r >= 0x1f300):
		return 1000
	case strings.ContainsRune("ijlI.,:;!|'` ()[]/-tfrJ", r):
		return 412
	case strings.ContainsRune("mwMWOQ@%&+=<>~", r):
		return 990
	case unicode.IsUpper(r):
		return 770
	case r < 0x80:
		return 640
	}
	return 800
}

// textWidth is how wide a text of a size is at most.
func textWidth(text string, size float64) float64 {
	n := 0
	for _, r := range text {
		n += advance(r)
	}
	return float64(n) * size / 1000
}

// fit shortens a text in the middle, where names differ least, until it is no wider than that.
func fit(text string, size, width float64) string {
	text = strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	r := []rune(text)
	if textWidth(text, size) <= width {
		return text
	}
	for n := len(r) - 1; n > 0; n-- {
		short := string(r[:(n+1)/2]) + "…" + string(r[len(r)-n/2:])
		if textWidth(short, size) <= width {
			return short
		}
	}
	return "…"
}
