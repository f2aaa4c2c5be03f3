package cmd

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// FuzzShlex: words put back in quotes are the same words.
func FuzzShlex(f *testing.F) {
	for _, s := range []string{"a b", `'a b' "c \"d\""`, `a\ b''`, "changed=yes comment='it moved'", "'", "\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := modules.Words(text)
		if err != nil {
			return
		}
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, value.ShellQuote(w))
		}
		again, err := modules.Words(strings.Join(quoted, " "))
		if err != nil || strings.Join(again, "\x00") != strings.Join(words, "\x00") || len(again) != len(words) {
			t.Errorf("%q gives %q, and those in quotes %q, %v", text, words, again, err)
		}
	})
}

// FuzzStateful: whatever a command says of itself, reading it ends.
func FuzzStateful(f *testing.F) {
	for _, s := range []string{"changed=yes", "x\nchanged=no comment='a b'", `{"changed": true, "comment": "c"}`, "[]",
		"a=b=c", "changed=perhaps"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		changes, _, err := reinterpret(outcome{stdout: text})
		if err == nil && changes != nil && changes.Len() == 0 {
			t.Error("a change without changes")
		}
	})
}
