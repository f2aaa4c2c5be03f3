package main

import (
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/value"
)

// commandValue reads a value typed on the command line as YAML, as salt-call does. Text that is no YAML is text.
func commandValue(name, text string) value.Value {
	v, err := yaml.Decode("argument "+name, []byte(text))
	if err != nil {
		return value.Str(text)
	}
	switch v.(type) {
	case value.Str:
		return value.Str(text) // spaces and the like as typed
	case value.NoneType:
		if text == "" {
			return value.Str("")
		}
	}
	return v
}

// cutKeyword separates NAME=VALUE. What is before the = must look like a name, so that a command's text is not taken apart.
func cutKeyword(w string) (name, text string, ok bool) {
	for i, r := range w {
		switch {
		case r == '=' && i > 0:
			return w[:i], w[i+1:], true
		case r == '_' || (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (i > 0 && r >= '0' && r <= '9'):
		default:
			return "", "", false
		}
	}
	return "", "", false
}
