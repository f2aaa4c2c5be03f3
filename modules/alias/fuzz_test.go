package alias

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host/hosttest"
)

// FuzzAliases: a target that is set is what is read again, and the lines of other names stay.
func FuzzAliases(f *testing.F) {
	for _, s := range []string{
		"root: alice\n# c\nbob: carol, dave # note\n", "\"odd name\" : |/bin/x\n  , more\n", "a:\nb : c#d\n :x", "x\r\n:",
	} {
		f.Add(s, "root", "bob@example.com")
	}
	f.Fuzz(func(t *testing.T, text, name, target string) {
		if strings.ContainsAny(name, "\":#\n\r") || strings.TrimSpace(name) != name || name == "" ||
			strings.ContainsAny(target, "#\n\r") || strings.TrimSpace(target) != target || target == "" {
			return
		}
		m := hosttest.NewMemory()
		m.MustWrite("/etc/aliases", text, 0o644)
		tab, err := open(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		before := others(tab, name)
		tab.set(name, target)
		if got := tab.get(name); got != target {
			t.Fatalf("%q of %q is %q, not %q", name, text, got, target)
		}
		if err := tab.write(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		again, err := open(nil, m)
		if err != nil || again.get(name) != target {
			t.Fatalf("%q of %q is %q when read again, not %q (%v)", name, text, again.get(name), target, err)
		}
		if after := others(again, name); !slices.Equal(before, after) {
			t.Fatalf("setting %q in %q\nbefore %q\nafter  %q", name, text, before, after)
		}
	})
}

// others are the lines that belong to other names.
func others(t *table, name string) (out []string) {
	its := false
	for _, l := range t.lines {
		goesOn := l.name == "" && strings.TrimLeft(l.raw, " \t") != l.raw && strings.TrimSpace(l.raw) != ""
		if its = l.is(name) || its && goesOn; !its {
			out = append(out, strings.TrimRight(l.String(), " \t\r"))
		}
	}
	return out
}
