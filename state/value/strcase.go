package value

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// caseMethod is the change of case that a method of str makes.
func caseMethod(name string) func(string) string {
	switch name {
	case "upper":
		return upper
	case "lower":
		return lower
	case "casefold":
		return casefold
	case "swapcase":
		return swapcase
	case "title":
		return title
	case "capitalize":
		return capitalize
	}
	return nil
}

// specialUpper are characters whose upper case is more than one, in groups: the character, then what it becomes. Most
// Greek ones with two accents are left out.
const specialUpper = "ßSS|ŉ\u02bcN|ǰJ\u030c|\u0390\u0399\u0308\u0301|\u03b0\u03a5\u0308\u0301|ևԵՒ|\u1e96H\u0331|\u1e97T\u0308|\u1e98W\u030a|\u1e99Y\u030a|\u1e9aA\u02be|\ufb00FF|ﬁFI|ﬂFL|ﬃFFI|ﬄFFL|ﬅST|ﬆST|ﬓՄՆ|ﬔՄԵ|ﬕՄԻ|ﬖՎՆ|ﬗՄԽ|"

func upperOf(r rune) (special string, simple rune) {
	if r >= 0xdf && unicode.IsLower(r) {
		if at := strings.Index("|"+specialUpper, "|"+string(r)); at >= 0 {
			rest := specialUpper[at+utf8.RuneLen(r):]
			return rest[:strings.IndexByte(rest, '|')], 0
		}
	}
	return "", unicode.ToUpper(r)
}

func upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	var b strings.Builder
	for _, r := range s {
		writeUpper(&b, r)
	}
	return b.String()
}

func writeUpper(b *strings.Builder, r rune) {
	special, simple := upperOf(r)
	if special != "" {
		b.WriteString(special)
		return
	}
	b.WriteRune(simple)
}

func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i, r := range s {
		writeLower(&b, s, i, r)
	}
	return b.String()
}

// writeLower writes the lower case of the character at byte i of s.
func writeLower(b *strings.Builder, s string, i int, r rune) {
	switch r {
	case 'İ':
		b.WriteString("i̇")
	case 'Σ':
		b.WriteRune(lowerSigma(s, i))
	default:
		b.WriteRune(unicode.ToLower(r))
	}
}

// lowerSigma is ς at the end of a word, else σ.
func lowerSigma(s string, i int) rune {
	ignorable := func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’", r)
	}
	before := strings.TrimRightFunc(s[:i], ignorable)
	after := strings.TrimLeftFunc(s[i+len("Σ"):], ignorable)
	prev, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	if before != "" && isCased(prev) && (after == "" || !isCased(next)) {
		return 'ς'
	}
	return 'σ'
}

func casefold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range s {
		special, simple := upperOf(r)
		switch {
		case r == 'ẞ':
			b.WriteString("ss")
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'ı':
			b.WriteRune(r)
		case special != "":
			for _, u := range special {
				b.WriteRune(unicode.ToLower(u))
			}
		case r >= 0x13a0 && r <= 0x13f5 || r >= 0xab70 && r <= 0xabbf || r >= 0x13f8 && r <= 0x13fd:
			b.WriteRune(simple) // Cherokee folds to upper case
		default:
			b.WriteRune(unicode.ToLower(simple))
		}
	}
	return b.String()
}

func swapcase(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case isUpper(r):
			writeLower(&b, s, i, r)
		case isLower(r):
			writeUpper(&b, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func title(s string) string {
	var b strings.Builder
	inWord := false
	for i, r := range s {
		if inWord {
			writeLower(&b, s, i, r)
		} else {
			writeTitle(&b, r)
		}
		inWord = isCased(r)
	}
	return b.String()
}

func writeTitle(b *strings.Builder, r rune) {
	special, _ := upperOf(r)
	if special == "" {
		b.WriteRune(unicode.ToTitle(r))
		return
	}
	first, n := utf8.DecodeRuneInString(special)
	b.WriteRune(first)
	b.WriteString(lower(special[n:]))
}

func capitalize(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i == 0 {
			writeTitle(&b, r)
		} else {
			writeLower(&b, s, i, r)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
