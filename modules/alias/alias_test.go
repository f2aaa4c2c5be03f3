package alias

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestStates(t *testing.T) {
	const before = "# aliases\nroot: admin\npostmaster:    root\n"
	tests := []struct {
		name  string
		fn    modules.StateFunc
		after string
	}{
		{"there", &Present{Name: "postmaster", Target: []string{"root"}}, before},
		{"change", &Present{Name: "root", Target: []string{"a@e.org", "b@e.org"}},
			"# aliases\nroot: a@e.org, b@e.org\npostmaster: root\n"},
		{"new", &Present{Name: "new", Target: []string{"root"}}, "# aliases\nroot: admin\npostmaster: root\nnew: root\n"},
		{"absent", &Absent{Name: "root"}, "# aliases\npostmaster: root\n"},
		{"absent already", &Absent{Name: "nope"}, before},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/etc/aliases", before, 0o644)
			ctx := context.Background()
			f, err := modtest.Of(tt.fn).Check(ctx, nil, h)
			if err != nil || f.Pending != (tt.after != before) {
				t.Fatalf("%+v %v", f, err)
			}
			if f.Pending {
				if _, err := modtest.Of(tt.fn).Apply(ctx, nil, h, f); err != nil {
					t.Fatal(err)
				}
				if again, err := modtest.Of(tt.fn).Check(ctx, nil, h); err != nil || again.Pending {
					t.Errorf("does not converge: %+v %v", again, err)
				}
			}
			data, _ := h.ReadFile("/etc/aliases")
			if d := cmp.Diff(tt.after, string(data)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestOddFiles: lines that go on, comments and what is no alias stay.
func TestOddFiles(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/aliases", "list: a,\n  b,\n\tc\nteam: d,\n  e\n\n# x\nroot: admin # me\nbroken\n\"odd name\" : "+
		"|\"/bin/x "+
		"-a\"\nmany: :include:/etc/x\r\n", 0o644)
	tab, err := open(nil, h)
	if err != nil {
		t.Fatal(err)
	}
	tab.set("root", "other")
	tab.remove("list")
	if err := tab.write(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	got, _ := h.ReadFile("/etc/aliases")
	if d := cmp.Diff("team: d,\n  e\n\n# x\nroot: other # me\nbroken\n\"odd name\": |\"/bin/x -a\"\nmany: "+
		":include:/etc/x\n",
		string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if tab.get("odd name") == "" || tab.get("many") != ":include:/etc/x" {
		t.Errorf("%+v", tab)
	}
}

func TestExecs(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/opt/aliases", "root: a\n", 0o644)
	env := &modules.Env{Opts: modtest.Dict(t, `{"aliases.file": "/opt/aliases"}`)}
	modtest.Execs{Family: Family(), Host: h, Env: env}.Table(t, [][4]string{
		{"aliases.list_aliases", "[]", "", "{'root': 'a'}"}, {"aliases.get_target", `["root"]`, "", "'a'"},
		{"aliases.get_target", `["x"]`, "", "''"},
		{"aliases.has_target", `["root", ["a"]]`, "", "True"}, {"aliases.has_target", `["root", "b"]`, "", "False"},
		{"aliases.set_target", `["x", "y"]`, "", "True"},
		{"aliases.rm_alias", `["root"]`, "", "True"}, {"aliases.list_aliases", "[]", "", "{'x': 'y'}"},
		{"aliases.set_target", `["x", ""]`, "", "error: target can not be an empty string"},
		{"aliases.get_target", `["x"]`, `{"nope": 1}`, "error: get_target() got an unexpected keyword argument 'nope'"},
	})
}
