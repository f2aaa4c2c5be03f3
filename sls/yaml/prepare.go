package yaml

import (
	"bytes"
	"strings"
)

// The parser differs from Salt's in two places: it does not know the escape \/ of double quotes, and it ends plain text
// in a flow collection at a question mark ([http://host/?q=1]). Both are hidden from it behind characters of the
// private use area that the text does not hold itself, and put back in the values. Columns stay, for one character
// stands for one.

// prepared is a text as the parser gets it.
type prepared struct {
	text []byte
	// slash stands for the backslash of \/, question for a question mark inside a word; "" when none was replaced.
	slash, question string
	bangs, quotes   bool              // see mayHoldBangs and mayHoldQuotes
	back            *strings.Replacer // puts both back where the text is not double-quoted
	backDouble      *strings.Replacer // drops the backslash
}

func prepare(text []byte) prepared {
	text = oldVersion(text)
	p := prepared{text: text, bangs: mayHoldBangs(text), quotes: mayHoldQuotes(text)}
	hasSlash := bytes.Contains(text, []byte(`\/`)) && bytes.IndexByte(text, '"') >= 0
	hasQuestion := bytes.IndexByte(text, '?') >= 0 && bytes.ContainsAny(text, "[{")
	if !hasSlash && !hasQuestion {
		return p
	}
	marks := unusedMarks(text)
	if marks == nil {
		return p
	}
	p.slash, p.question = marks[0], marks[1]
	p.back = strings.NewReplacer(p.slash, `\`, p.question, "?")
	p.backDouble = strings.NewReplacer(p.slash, "", p.question, "?")
	out := make([]byte, 0, len(text)+len(text)/16)
	for i, b := range text {
		switch {
		case b == '\\' && i+1 < len(text) && text[i+1] == '/' && hasSlash && backslashes(text[:i])%2 == 0:
			out = append(out, p.slash...)
		case b == '?' && i > 0 && bytes.IndexByte([]byte(" \t\r\n,[]{}"), text[i-1]) < 0:
			out = append(out, p.question...)
		default:
			out = append(out, b)
		}
	}
	p.text = out
	return p
}

// oldVersion makes %YAML 1.2 of a directive 1.1, the only version that the parser takes. Salt's reads both alike.
func oldVersion(text []byte) []byte {
	directive := []byte("%YAML 1.2")
	if !bytes.HasPrefix(text, directive) && !bytes.Contains(text, append([]byte("\n"), directive...)) {
		return text
	}
	out := append([]byte("\n"), text...)
	return bytes.ReplaceAll(out, append([]byte("\n"), directive...), []byte("\n%YAML 1.1"))[1:]
}

// backslashes counts those at the end of the text.
func backslashes(text []byte) int {
	return len(text) - len(bytes.TrimRight(text, `\`))
}

// unusedMarks are two characters of the private use area that are not in the text.
func unusedMarks(text []byte) []string {
	var free []string
	for r := rune(0xf8ff); r >= 0xe000 && len(free) < 2; r-- {
		if !bytes.ContainsRune(text, r) {
			free = append(free, string(r))
		}
	}
	if len(free) < 2 {
		return nil
	}
	return free
}

// restore puts back what was hidden in a scalar.
func (p prepared) restore(s string, double bool) string {
	switch {
	case p.back == nil:
		return s
	case double:
		return p.backDouble.Replace(s)
	}
	return p.back.Replace(s)
}
