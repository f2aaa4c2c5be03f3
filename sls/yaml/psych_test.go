package yaml

import (
	"testing"

	"github.com/gostate/gostate/state/value"
)

// TestPsych holds scalars as Ruby 3.1 wrote them.
func TestPsych(t *testing.T) {
	for text, want := range map[string]string{
		"/etc/x": `"/etc/x"`, "": "''", "yes": "'yes'", "1": "'1'", "a: b": "'a: b'", " x": `" x"`, "#c": `"#c"`, "y": `"y"`,
		"a #b": "'a #b'", `it's "q"`: `it's "q"`, "2020-01-01": "'2020-01-01'", "10:20": "'10:20'", ":x": `":x"`,
		"a\n\nb\n": "|\n  a\n\n  b", `"x"`: `'"x"'`, "- x": `"- x"`, "ü": "ü", "a,b": "a,b", "a\tb": `"a\tb"`, "e:": "'e:'",
		"a:": "'a:'", "~": `"~"`, "null": "'null'", "0755": "'0755'", "0x1f": "'0x1f'", "1e3": "1e3", "1,000": "'1,000'",
		"on": "'on'", ".5": `".5"`, "1.2.3": "1.2.3", "-1": `"-1"`, "x ": "'x '", "foo\n": "'foo\n\n  '", "=": `"="`,
		"2001-12-14 21:59:43": "'2001-12-14 21:59:43'", "?": `"?"`, "1.5": "'1.5'",
	} {
		got, err := Encode(value.DictOf("k", value.Str(text)), EncodeOptions{Psych: true, AllowUnicode: true})
		if want = "k: " + want + "\n"; err != nil || got != want {
			t.Errorf("%q: %q, not %q: %v", text, got, want, err)
		}
	}
	v := value.DictOf("a", value.None, "b", value.NewList(value.None, value.DictOf(), value.DictOf("x", value.Int(1))))
	const want = "---\na:\nb:\n-\n- {}\n- x: 1\n"
	if got, err := Encode(v, EncodeOptions{Psych: true, ExplicitStart: true}); err != nil || got != want {
		t.Errorf("%q, not %q: %v", got, want, err)
	}
}
