package pyre

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Groups as CPython 3.11 gives them: "-" for None.
func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		flags   Flags
		text    string
		want    string // groups joined with "|"; "no" for no match
	}{
		{`BC(.*)`, IgnoreCase, "abcdefabcdef", "bcdefabcdef|defabcdef"},
		{`(a)(?P<n>b)(c)`, 0, "abc", "abc|a|b|c"},
		{`(?P<q>['"]).*(?P=q)`, 0, `x 'y' z`, `'y'|'`},
		{`(a)|(b)`, 0, "b", "b|-|b"},
		{`[[]x]`, 0, "[x]", "[x]"},
		{`[a-z-[aeiou]]`, 0, "[]", "[]"},
		{`a{,2}b`, 0, "aab", "aab"},
		{`a{x}`, 0, "a{x}", "a{x}"},
		{`end\Z`, 0, "end\n", "no"},
		{`end$`, 0, "end\n", "end"},
		{`^b`, Multiline, "a\nb", "b"},
		{`a.b`, DotAll, "a\nb", "a\nb"},
		{`(?i)ABC`, 0, "abc", "abc"},
		{`(?u)\w+`, 0, "grüße", "grüße"},
		{"\\$\\{(\\w+)\\}", 0, "x${foo}", "${foo}|foo"},
	} {
		r, err := Compile(tt.pattern, tt.flags)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		m, err := r.Search(tt.text)
		got := "no"
		if m != nil {
			var parts []string
			for _, g := range m.Groups {
				if g == nil {
					parts = append(parts, "-")
				} else {
					parts = append(parts, *g)
				}
			}
			got = strings.Join(parts, "|")
		}
		if got != tt.want || err != nil {
			t.Errorf("search %q in %q: got %q (%v), want %q", tt.pattern, tt.text, got, err, tt.want)
		}
	}
}

func TestMatchIsAnchored(t *testing.T) {
	r, _ := Compile(`b|ab`, Multiline)
	if m, _ := r.Match("xb"); m != nil {
		t.Error("match found something behind the start")
	}
	if m, _ := r.Match("abb"); m == nil || *m.Groups[0] != "ab" {
		t.Error("match did not find ab")
	}
}

func TestSub(t *testing.T) {
	for _, tt := range []struct{ pattern, repl, text, want string }{
		{` ([a-z])`, `__\1`, "yes, this is", "yes,__this__is"},
		{`(?P<a>x)(y)`, `\g<2>\g<a>\g<0>`, "-xy-", "-yxxy-"},
		{`\.`, `\\.`, "a.b", `a\.b`},
		{`x*`, "-", "abxd", "-a-b--d-"},
		{`(a)|b`, `[\1]`, "ab", "[a][]"},
		{`a`, `\n`, "bab", "b\nb"},
	} {
		r, err := Compile(tt.pattern, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Sub(tt.repl, tt.text)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s -> %s: %v (-want +got)\n%s", tt.pattern, tt.repl, err, d)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, p := range []string{`(`, `[a`, `a\`, `\e`, `(?P<a>x)(?P<a>y)`, `*a`} {
		if _, err := Compile(p, 0); err == nil {
			t.Errorf("%q compiles", p)
		}
	}
	r, _ := Compile(`(a)`, 0)
	if _, err := r.Sub(`\2`, "b"); err == nil {
		t.Error(`\2 is no error though nothing matches`)
	}
	slow, _ := Compile(`(a*)*b`, 0)
	slow.search.MatchTimeout = 50 * time.Millisecond
	if _, err := slow.Search(strings.Repeat("a", 40)); err == nil {
		t.Skip("the engine is clever")
	}
}
