package main

import (
	"strings"
	"unicode"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/value"
)

// commandValue reads a value typed on the command line as YAML, as salt-call does: text that is no YAML is text, and so
// is a map or a list without its brackets. Salt differs: it folds lines and drops spaces of text that is not in quotes.
func commandValue(name, text string) value.Value {
	typed := strings.TrimSpace(text)
	switch digits := strings.Contains(typed, "_") && strings.Trim(typed, "0123456789_") == ""; {
	case typed == "None":
		return value.None
	case digits, typed == "---", typed == "...":
		return value.Str(text)
	}
	v, err := yaml.Decode("argument "+name, []byte(text))
	if err != nil || typed == "" {
		return value.Str(text)
	}
	asTyped := false
	switch v.(type) {
	case value.Str:
		asTyped = typed[0] != '"' && typed[0] != '\''
	case *value.Dict:
		asTyped = typed[0] != '{'
	case *value.List:
		asTyped = typed[0] != '['
	case value.NoneType:
		asTyped = typed[0] == '#' || typed[0] == '!'
	}
	if asTyped {
		return value.Str(text)
	}
	return v
}

// cutKeyword separates NAME=VALUE. What is before the = must look like a name, so that a command's text is not taken
// apart: a letter, then letters, digits, dots and dashes, and no == after it, as in Salt.
func cutKeyword(w string) (name, text string, ok bool) {
	for i, r := range w {
		switch {
		case r == '=' && i > 0:
			return w[:i], w[i+1:], !strings.HasPrefix(w[i+1:], "=")
		case r == '_' || unicode.IsLetter(r), i > 0 && (r == '-' || r == '.' || unicode.IsDigit(r)):
		default:
			return "", "", false
		}
	}
	return "", "", false
}
