package main

import (
	"testing"

	"github.com/gostate/gostate/state/value"
)

// TestCommandValue has words as they are typed, and what functions are given.
func TestCommandValue(t *testing.T) {
	for text, want := range map[string]string{
		"": "''", " ": "' '", "a": "'a'", "1": "1", "true": "True", "1.5": "1.5", "None": "None", "null": "None", "~": "None",
		`"1"`: "'1'", "'a b'": "'a b'", `"a\nb"`: `'a\nb'`, "'a' b": `"'a' b"`, " a ": "' a '", "a\nb": `'a\nb'`,
		"{a: 1}": "{'a': 1}", "[1, a]": "[1, 'a']", "echo a: b": "'echo a: b'", "- a": "'- a'", "# a": "'# a'", "!": "'!'",
		"a # b": "'a # b'",
		"{a":    "'{a'", `"{'a': 1}"`: `"{'a': 1}"`,
	} {
		if got := value.Repr(commandValue("x", text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestCutKeyword(t *testing.T) {
	for word, want := range map[string][2]string{
		"a=b": {"a", "b"}, "block-soft-limit=100": {"block-soft-limit", "100"}, "x.y=": {"x.y", ""}, "über=1": {"über", "1"},
		"n1=a=b": {"n1", "a=b"}, "text=one\ntwo": {"text", "one\ntwo"},
		"a==b": {}, "-o=1": {}, "1a=b": {}, "echo a=b": {}, "/etc/x=y": {}, "=b": {}, "word": {},
	} {
		name, text, ok := cutKeyword(word)
		if ok != (want[0] != "") || ok && (name != want[0] || text != want[1]) {
			t.Errorf("%q: %q %q %v, want %q", word, name, text, ok, want)
		}
	}
}
