package hosts

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestStates(t *testing.T) {
	const before = "# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2 db web\n"
	list := func(words ...string) value.Value {
		l := value.NewList()
		for _, w := range words {
			l.Items = append(l.Items, value.Str(w))
		}
		return l
	}
	tests := []struct {
		name, host string
		spec       modules.StateSpec
		args       []any
		changes    string // "" when nothing changes
		after      string
	}{
		{"there", "db", presentSpec(), []any{"ip", list("10.0.0.1", "10.0.0.2")}, "", before},
		{"to an address that is there", "new", presentSpec(), []any{"ip", value.Str("10.0.0.1")}, "{'added': {'10.0.0.1': ['new']}}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1\tdb db.example.org new # the database\n10.0.0.2 db web\n"},
		{"new address", "new", presentSpec(), []any{"ip", value.Str("::1")}, "{'added': {'::1': ['new']}}", before + "::1\tnew\n"},
		{"moved", "web", presentSpec(), []any{"ip", value.Str("10.0.0.3"), "clean", value.Bool(true)}, "{'added': {'10.0.0.3': ['web']}, 'removed': {'10.0.0.2': ['web']}}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2\tdb\n10.0.0.3\tweb\n"},
		{"absent", "db", absentSpec(), nil, "{'host': 'db'}", "# hosts\n127.0.0.1\tlocalhost\n10.0.0.1\tdb.example.org # the database\n10.0.0.2\tweb\n"},
		{"absent of one", "db", absentSpec(), []any{"ip", value.Str("10.0.0.2")}, "{'host': 'db'}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2\tweb\n"},
		{"absent already", "nope", absentSpec(), nil, "", before},
		{"only", "10.0.0.2", onlySpec(), []any{"hostnames", list("a", "b")}, "{'10.0.0.2': {'old': 'db web', 'new': 'a b'}}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2\ta b\n"},
		{"only already", "10.0.0.2", onlySpec(), []any{"hostnames", list("db", "web")}, "", before},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite(file, before, 0o644)
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.host, Args: value.DictOf(tt.args...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			ctx := context.Background()
			f, err := modtest.Of(fn).Check(ctx, nil, h)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if f.Pending {
				got = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(ctx, nil, h, f); err != nil {
					t.Fatal(err)
				}
				if again, err := modtest.Of(fn).Check(ctx, nil, h); err != nil || again.Pending {
					t.Errorf("does not converge: %v %v", value.Repr(again.Changes), err)
				}
			}
			data, _ := h.ReadFile(file)
			if d := cmp.Diff([]string{tt.changes, tt.after}, []string{got, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	spec := presentSpec()
	if fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "x", Args: value.DictOf("ip", value.Str("10.0.0"))}); fn != nil {
		t.Error("an address of three numbers was taken")
	}
}
