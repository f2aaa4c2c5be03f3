package ini

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

const before = "; top\nglobal = 1\n\n[server]\n# the port\nport=80\nhost = a b\n\n[client]\nport = 1\n"

func TestStates(t *testing.T) {
	m := value.DictOf
	s := func(text string) value.Value { return value.Str(text) }
	tests := []struct {
		name, fun string
		args      []any
		changes   string // "" when nothing changes
		after     string
	}{
		{"there", "options_present", []any{"sections", m("global", value.Int(1), "server", m("port", value.Int(80), "host", s("a b")))}, "", before},
		{"change", "options_present", []any{"sections", m("server", m("port", value.Int(81)))}, "{'server': {'port': {'before': '80', 'after': '81'}}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport = 81\nhost = a b\n\n[client]\nport = 1\n"},
		{"add to a section", "options_present", []any{"sections", m("server", m("new", s("x"))), "no_spaces", value.Bool(true)}, "{'server': {'new': {'before': None, 'after': 'x'}}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport=80\nhost = a b\nnew=x\n\n[client]\nport = 1\n"},
		{"new section", "options_present", []any{"sections", m("x", m("y", value.Bool(true)))}, "{'x': {'y': {'before': None, 'after': 'True'}}}", before + "\n[x]\ny = True\n"},
		{"strict", "options_present", []any{"sections", m("server", m("port", s("80"))), "strict", value.Bool(true)}, "{'server': {'host': {'before': 'a b', 'after': None}}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport=80\n\n[client]\nport = 1\n"},
		{"outside of sections", "options_present", []any{"sections", m("global", s("2"))}, "{'': {'global': {'before': '1', 'after': '2'}}}",
			"; top\nglobal = 2\n\n[server]\n# the port\nport=80\nhost = a b\n\n[client]\nport = 1\n"},
		{"absent", "options_absent", []any{"sections", m("server", value.NewList(s("host"), s("nope")))}, "{'server': {'host': 'a b'}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport=80\n\n[client]\nport = 1\n"},
		{"section absent", "sections_absent", []any{"sections", value.NewList(s("server"), s("nope"))}, "{'server': {'port': '80', 'host': 'a b'}}",
			"; top\nglobal = 1\n\n[client]\nport = 1\n"},
		{"section present", "sections_present", []any{"sections", m("empty", m())}, "{'empty': {}}", before + "\n[empty]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/etc/app.ini", before, 0o600)
			var spec modules.StateSpec
			for _, one := range Family().States {
				if one.Name == "ini."+tt.fun {
					spec = one
				}
			}
			fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "/etc/app.ini", Args: value.DictOf(tt.args...)})
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
			data, _ := h.ReadFile("/etc/app.ini")
			if d := cmp.Diff([]string{tt.changes, tt.after}, []string{got, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if i, _ := h.Stat("/etc/app.ini"); i.Perm() != 0o600 {
				t.Errorf("mode is %o", i.Perm())
			}
		})
	}
}
