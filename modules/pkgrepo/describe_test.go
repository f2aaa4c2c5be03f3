package pkgrepo

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/apt/sources.list", "# deb http://off.example.org x main\ndeb http://d.example.org/debian bookworm "+
		"main contrib # ours\n"+
		"deb cdrom:[Debian 12]/ bookworm main\n# a remark\n", 0o644)
	h.MustWrite("/etc/apt/sources.list.d/a.list", "deb [arch=amd64 signed-by=/etc/apt/keyrings/a.asc] "+
		"https://a.example.org x y\n"+
		"deb http://d.example.org/debian bookworm main non-free\n", 0o644)
	h.MustWrite("/etc/apt/sources.list.d/b.sources", "Types: deb\n", 0o644)
	h.MustWrite("/etc/apt/keyrings/a.asc", armor, 0o644)
	look := func(l *modules.Look) {
		l.Grains = modules.Whole(func() *value.Dict { return value.DictOf("os_family", value.Str("Debian")) })
		l.Exec = &fetcher{h: h}
		l.Kinds = func(_ context.Context, kind string, names []string) ([]*modules.Thing, error) {
			var out []*modules.Thing
			for _, n := range names {
				out = append(out, &modules.Thing{ID: n, Func: kind + ".managed", Args: value.NewDict(0)})
			}
			return out, nil
		}
	}
	want := []string{"file.managed /etc/apt/keyrings/a.asc", "file.managed /etc/apt/sources.list.d/b.sources",
		"pkgrepo.managed deb http://d.example.org/debian bookworm main contrib file='/etc/apt/sources.list' comments=[' " +
			"ours']",
		"pkgrepo.managed deb cdrom:[Debian 12]/ bookworm main file='/etc/apt/sources.list'",
		"pkgrepo.managed deb [arch=amd64 signed-by=/etc/apt/keyrings/a.asc] https://a.example.org x y " +
			"file='/etc/apt/sources.list.d/a.list'",
		"# /etc/apt/sources.list.d/a.list says: deb http://d.example.org/debian bookworm main non-free; another line is " +
			"about " +
			"the same source"}
	if d := cmp.Diff(want, modtest.Describe(t, Family(), h, "pkgrepo", look)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	want = []string{"pkgrepo.managed deb http://off.example.org x main file='/etc/apt/sources.list' disabled=True",
		"missing: http://none.example.org"}
	off := func(l *modules.Look) { look(l); l.Names = []string{"*off.example.org*", "http://none.example.org"} }
	if d := cmp.Diff(want, modtest.Describe(t, Family(), h, "pkgrepo", off)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
