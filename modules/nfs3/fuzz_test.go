package nfs3

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host/hosttest"
)

// FuzzExports: a path that is exported is read again with its clients, and what is exported besides stays.
func FuzzExports(f *testing.F) {
	for _, s := range []string{
		"/srv 10.0.0.0/8(rw,sync) *(ro)\n# c\n/a /b host\n", "/long \\\n  host(rw)\n", `"/sp ace" *(ro)`, "/x ()", "/x\\",
		"x y#z",
	} {
		f.Add(s, "/srv", "10.1.0.0/16", "rw")
	}
	f.Fuzz(func(t *testing.T, text, path, who, option string) {
		word := func(s string) bool {
			return s != "" && strings.Join(strings.Fields(s), "") == s && !strings.ContainsAny(s, "#\\\"(),/")
		}
		if !strings.HasPrefix(path, "/") || !word(strings.ReplaceAll(path, "/", "x")) || !word(who) || !word(option) {
			return
		}
		m := hosttest.NewMemory()
		m.MustWrite("/etc/exports", text, 0o644)
		all, err := read(m, "/etc/exports")
		if err != nil {
			t.Fatal(err)
		}
		before := exported(all, path)
		if err := write(m, "/etc/exports", put(all, path, []client{{who, []string{option}}})); err != nil {
			t.Fatal(err)
		}
		again, err := read(m, "/etc/exports")
		got, ok := of(again, path)
		if err != nil || !ok || !same(got, []client{{who, []string{option}}}) {
			t.Fatalf("%s in %q is exported to %v (%v)", path, text, got, err)
		}
		if after := exported(again, path); !slices.Equal(before, after) {
			t.Fatalf("exporting %s in %q\nbefore %q\nafter  %q", path, text, before, after)
		}
	})
}

// exported is what the file says of all other paths.
func exported(all []entry, path string) (out []string) {
	for _, e := range all {
		for _, p := range e.paths {
			if p != path {
				out = append(out, p+spell("", e.clients))
			}
		}
	}
	return out
}
