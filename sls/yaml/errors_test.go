package yaml

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/state/diag"
)

// TestErrors pins place, words and hint of what users get wrong.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, src, pos, msg, hint string }{
		{"tab indent", "a:\n\tb: 1\n", "2:1", "found character that cannot start any token", "spaces"},
		{"tab indent below list", "a:\n  - b\n\t- c\n", "3:1", "found a tab character", "spaces"},
		{"at sign", "a: 1\nv: @x\n", "2:4", "found character that cannot start any token",
			"put quotes around text that begins with @"},
		{"backtick", "v: `x`\n", "1:4", "found character that cannot start any token", "`"},
		{"percent", "v: %x\n", "1:4", "found character that cannot start any token", "%"},
		{"two colons", "a: b: c\n", "1:5", "mapping values are not allowed", "quotes"},
		{"missing space", "a: 1\nb:2\nc: 3\n", "2:1", "could not find expected ':'", "space behind the colon"},
		{"missing space at end", "a: 1\nb:2\n", "2:1", "could not find expected ':'", "put a space behind the colon"},
		{"braces", "a: 1\nv: {{ x }}\n", "2:5", "found unacceptable key", "put quotes around text that begins with {{"},
		{"braces and text", "v: {{ x }}/y\n", "1:1", "did not find expected key", "{{"},
		{"open quote", "a: 1\nv: \"un\nb: 2\n", "2:4", "found unexpected end of stream", "never closed"},
		{"open bracket", "a: 1\nv: [1, 2\nb: 3\n", "3:1", "did not find expected ',' or ']'", "bracket"},
		{"open bracket at the end", "a: 1\nv: [1, 2\n", "2:4", "did not find expected ',' or ']'", "never closed"},
		{"list in key", "v: - x\n", "1:4", "block sequence entries are not allowed", "line of its own"},
		{"list and keys", "- a\nb: c\n", "2:1", "did not find expected '-' indicator", "indentation"},
		{"bad indentation", "a:\n    b: 1\n  c: 2\n", "3:3", "did not find expected key", "indentation"},
		{"alias", "a: 1\nv: *nope\n", "2:4", "found undefined alias 'nope'", "anchor"},
		{"star", "a: *.txt\n", "1:4", "did not find expected alphabetic or numeric character", "quotes"},
		{"duplicate", "a: 1\nb: 2\na: 3\n", "3:1", "found conflicting ID 'a'", "only once"},
		{"two documents", "a: 1\n---\nb: 2\n", "2:1", "expected a single document", "one document"},
		{"escape", "v: \"a\\qb\"\n", "1:6", "found unknown escape character", "single quotes"},
		{"utf-8", "a: 1\nb: \xe9t\xe9\n", "2:4", "not UTF-8", "UTF-8"},
		{"nul", "a: 1\nb: x\x00y\n", "2:5", "special characters are not allowed", "remove"},
		{"unknown tag", "a: !foo bar\n", "1:4", "could not determine a constructor for the tag '!foo'", "remove the tag"},
		{"tag before a comma", "a: [!!str, b]\n", "1:5", "", ""},
		{"deep", strings.Repeat("[", 1500) + strings.Repeat("]", 1500), "1:1001", "nests more than 1000", ""},
		{"in a large file", strings.Repeat("- a: b\n", 20_000) + "- a: b: c\n", "20001:7", "mapping values are not allowed",
			"quotes"},
		{"very deep", strings.Repeat("[", 20000), "1:10001", "exceeded max depth", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode("f", []byte(c.src))
			d, ok := err.(*diag.Diagnostic)
			if !ok {
				t.Fatalf("got %v, want a diagnostic", err)
			}
			if got := strings.TrimPrefix(d.Pos.String(), "f:"); got != c.pos {
				t.Errorf("at %s, want %s", got, c.pos)
			}
			if !strings.Contains(d.Msg, c.msg) || !strings.Contains(d.Hint, c.hint) {
				t.Errorf("got %q, hint %q\nwant %q, hint %q", d.Msg, d.Hint, c.msg, c.hint)
			}
		})
	}
}
