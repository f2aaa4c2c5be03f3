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
