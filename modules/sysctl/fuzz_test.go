package sysctl

import (
	"strings"
	"testing"
)

// FuzzConfig: a setting that is noted is read again, and all other lines stay.
func FuzzConfig(f *testing.F) {
	for _, s := range []string{"#\nkernel.x = 1\n-net.y=2 3\n; c\n", "a=b=c", "=", "  x  =\t1  2 ", "-x=1\nx=2"} {
		f.Add(s, "kernel.x", "5 6")
	}
	f.Fuzz(func(t *testing.T, text, name, val string) {
		if name == "" || strings.TrimSpace(name) != name || strings.ContainsAny(name, "=\n") ||
			strings.ContainsAny(name[:1], "-#;") ||
			strings.TrimSpace(val) != val || strings.Contains(val, "\n") {
			return
		}
		c := &config{lines: strings.Split(text, "\n")}
		before := strings.Split(text, "\n")
		c.set(name, val)
		if c.set(name, val) {
			t.Fatalf("%q = %q is set again and again in %q", name, val, c.lines)
		}
		found := false
		for i, l := range c.lines {
			key, got, ok := setting(l)
			its := ok && key == name
			if its && fields(got) != fields(val) {
				t.Fatalf("%q is %q, not %q", name, got, val)
			}
			found = found || its
			if !its && (i >= len(before) || before[i] != l) {
				t.Fatalf("line %d became %q in %q", i+1, l, text)
			}
		}
		if !found {
			t.Fatalf("%q is not in %q", name, c.lines)
		}
	})
}
