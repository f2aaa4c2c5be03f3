package secret

import "strings"

// Lines finds the lines of a YAML file that hold secrets, by the keys that they stand under (named is given the path),
// whether or not the file can be parsed, and registers what stands there. It gives the lines as they may be shown. What
// a template makes of an expression is not there yet, and the expression is none.
func (s *Store) Lines(lines []string, named func(path []string) bool) []string {
	var out []string
	var open []opened
	for i, line := range lines {
		text := strings.TrimLeft(line, " \t")
		indent := len(line) - len(text)
		for strings.HasPrefix(text, "- ") {
			rest := strings.TrimLeft(text[2:], " ")
			indent += len(text) - len(rest)
			text = rest
		}
		if text == "" || text[0] == '#' {
			continue
		}
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		secret := len(open) > 0 && open[len(open)-1].secret
		word := text
		if key, rest, ok := cutKey(text); ok && !secret {
			open = append(open, opened{indent, key, false})
			if named(path(open)) {
				open[len(open)-1].secret, secret, word = true, true, rest
			}
		}
		if word = strings.TrimSpace(word); !secret || plainWord(word) {
			continue
		}
		if out == nil {
			out = append([]string{}, lines...)
		}
		out[i] = line[:strings.LastIndex(line, word)] + Shown
		s.MarkText(unquoted(word))
	}
	if out == nil {
		return lines
	}
	return out
}

// An opened key is one that the line at hand stands below.
type opened struct {
	indent int
	key    string
	secret bool
}

func path(open []opened) (out []string) {
	for _, o := range open {
		out = append(out, o.key)
	}
	return out
}

// cutKey takes "key: rest" apart.
func cutKey(text string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(text, ":")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' || strings.ContainsAny(key, "{%") {
		return "", "", false
	}
	return unquoted(strings.TrimSpace(key)), rest, true
}

// plainWord says whether what stands behind a key is none of its value: the sign of a block, or an expression of a
// template.
func plainWord(word string) bool {
	return word == "" || strings.Contains(word, "{{") || strings.Contains(word, "{%") ||
		strings.Trim(word, "|>+-0123456789") == "" && strings.ContainsAny(word[:1], "|>")
}

func unquoted(word string) string {
	if n := len(word); n > 1 && (word[0] == '"' || word[0] == '\'') {
		return strings.TrimSuffix(word[1:], word[:1])
	}
	return word
}
