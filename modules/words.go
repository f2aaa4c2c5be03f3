package modules

import (
	"errors"
	"strings"
)

// Words splits a command line as Python's shlex.split does with its defaults: quotes and backslashes as in a POSIX
// shell, no comments.
func Words(text string) ([]string, error) {
	var words []string
	var b strings.Builder
	in := false // within a word
	var quote rune
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote == '\'' && r != '\'', quote == '"' && r != '"' && r != '\\':
			b.WriteRune(r)
		case quote == '"' && r == '\\':
			if i++; i == len(runes) {
				return nil, errors.New("No escaped character") //nolint:staticcheck // Python's words
			}
			if runes[i] != '"' && runes[i] != '\\' {
				b.WriteRune('\\')
			}
			b.WriteRune(runes[i])
		case quote != 0:
			quote = 0
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == '\\':
			if i++; i == len(runes) {
				return nil, errors.New("No escaped character") //nolint:staticcheck // Python's words
			}
			b.WriteRune(runes[i])
			in = true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if in {
				words, in = append(words, b.String()), false
				b.Reset()
			}
		default:
			b.WriteRune(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, errors.New("No closing quotation") //nolint:staticcheck // Python's words
	}
	if in {
		words = append(words, b.String())
	}
	return words, nil
}
