package file

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
)

// FuzzPatch: a patch that applies can be taken back, and no name of it leads out of the directory.
func FuzzPatch(f *testing.F) {
	for _, s := range []string{
		"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
		"--- /dev/null\t1970\n+++ b/../x\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n",
		"--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n", "@@ -1 +1 @@", "--- a\n+++ b\n@@ -99999999999999999999 +1 @@\n\n",
		"--- a\n+++ b\n@@ -1,9 +1,9 @@\n",
	} {
		f.Add(s, "a\nb\n")
	}
	f.Fuzz(func(t *testing.T, diff, text string) {
		all, err := parseUnified(diff)
		if err != nil {
			return
		}
		for _, p := range all {
			for strip := range 3 {
				if name, err := p.target(strip); err == nil && (strings.HasPrefix(name, "/") ||
					strings.Contains("/"+name+"/", "/../")) {
					t.Fatalf("the patch %q leads to %q", diff, name)
				}
			}
			p.applied(text)
			if made, err := p.apply(text); err == nil {
				p.applied(made)
			}
		}
	})
}

// FuzzDiff: the patch that is made of two texts makes the one of the other.
func FuzzDiff(f *testing.F) {
	for _, s := range [][2]string{{"a\nb\n", "a\nc\n"}, {"", "x\n"}, {"x\n", ""},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\nx\n5\n6\n7\n8\n"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		clean := func(s string) bool {
			return (s == "" || strings.HasSuffix(s, "\n")) && !strings.ContainsAny(s, "\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029\x00")
		}
		if a == b || !clean(a) || !clean(b) {
			return
		}
		diff := strings.Join(modules.UnifiedDiff(modules.SplitKeep(a), modules.SplitKeep(b)), "")
		all, err := parseUnified(diff)
		if err != nil || len(all) != 1 {
			t.Fatalf("the diff of %q and %q is %q: %v", a, b, diff, err)
		}
		if got, err := all[0].apply(a); err != nil || got != b {
			t.Fatalf("%q makes %q of %q, not %q (%v)", diff, got, a, b, err)
		}
		if got, err := all[0].reversed().apply(b); err != nil || got != a {
			t.Fatalf("%q, taken back, makes %q of %q, not %q (%v)", diff, got, b, a, err)
		}
	})
}
