package report

import (
	"strings"
	"testing"
)

// TestVisible: what steers a terminal is shown, all else stays.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a\tb\n": "a\tb\n", "größe 日本 \u00a0😀": "größe 日本 \u00a0😀",
		"\x1b]0;x\a": `\x1b]0;x\x07`, "a\rb\bc\x00": `a\x0db\x08c\x00`, "\u009b2J\u0085": `\u009b2J\u0085`, "\x7f": `\u007f`,
		"\u202egnp.\u2066\u2069\u200e\u200f\u061c": `\u202egnp.\u2066\u2069\u200e\u200f\u061c`, "\x9b2J\xff": `\x9b2J\xff`,
		"\u2028\u2029": `\u2028\u2029`, "\ufffd": "\ufffd",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// TestScreen: letters that two writes bring are one; colours are let through only where the program paints.
func TestScreen(t *testing.T) {
	var b strings.Builder
	s := NewScreen(&b)
	for _, text := range []string{"\x1b[31mred", "gr\xc3", "\xb6\xc3", "\x9fe\xc2", "\x9b\n"} {
		if n, err := s.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	s.Paint()
	_, _ = s.Write([]byte("\x1b[0;31mred\x1b[0m\x1b[2J\x1b]0;t\a\n"))
	want := `\x1b[31mredgröße\u009b` + "\n\x1b[0;31mred\x1b[0m" + `\x1b[2J\x1b]0;t\x07` + "\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
