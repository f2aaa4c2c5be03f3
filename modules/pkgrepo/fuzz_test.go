package pkgrepo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzSource: a line of apt's that is written is read as the same source.
func FuzzSource(f *testing.F) {
	for _, s := range []string{
		"deb http://deb.debian.org/debian bookworm main contrib", "# deb-src [trusted=yes arch=amd64] file:/x ./ # note",
		"deb cdrom:[Debian 12 - amd64]/ bookworm main", "deb [ signed-by=/k ] https://a b", "deb [x http://a b",
		"##deb a:b c #", "deb :[ ]x y", "deb [][:] 0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, ok := parse(line)
		if !ok || strings.ContainsAny(line, "\n\r\v\f") { // those are no lines
			return
		}
		again, ok := parse(s.String())
		if d := cmp.Diff(s.String(), again.String()); d != "" || !ok {
			t.Fatalf("%q is %+v, which is written as %q and read as %+v\n%s", line, s, s.String(), again, d)
		}
		if again.uri != s.uri || again.dist != s.dist || again.disabled != s.disabled ||
			!cmp.Equal(append([]string{}, again.comps...), append([]string{}, s.comps...)) {
			t.Fatalf("%q is %+v, and written again %+v", line, s, again)
		}
	})
}
