package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScreen(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"lines", "a\r\nb\r\n\r\n", "a\nb"},
		{"a line that is taken back", "running x\r\x1b[Kdone\n", "done"},
		{"a shorter one over it", "longer\rab\n", "abnger"},
		{"up and all below", "a\r\nb\r\nc\r\n\x1b[2A\x1b[Jd\n", "a\nd"},
		{"a line that is too long", "abcdefghijkl", "abcdefghij\nkl"},
		{"one that just fits", "abcdefghij\r\nk", "abcdefghij\nk"},
		{"colours are no text", "\x1b[1;32mgo\x1b[0m ü→\n", "go ü→"},
		{"titles are no text", "\x1b]0;title\x07x\x1b[?25l", "x"},
	} {
		if d := cmp.Diff(c.want, Show(c.text, 10).Text()); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestSVG(t *testing.T) {
	got := Show("\x1b[32m+ a\x1b[0m  <b>\r\n  \x1b[1;31mbad\x1b[22m  x\x1b[39m\r\n", 20).SVG("$ gostate & co")
	for _, want := range []string{`<title>$ gostate &amp; co</title>`, ` fill="#7ee787">+ a</text>`,
		`x="54" y="44" textLength="24" fill="#d8dee9">&lt;b&gt;</text>`, `x="30" y="62"`, `font-weight="bold">bad</text>`,
		`fill="#ff7b72">x</text>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
