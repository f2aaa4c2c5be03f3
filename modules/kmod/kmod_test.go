package kmod

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func TestStates(t *testing.T) {
	tests := []struct {
		name, mod string
		spec      modules.StateSpec
		persist   bool
		changes   string // "" when nothing changes
		ran, boot string
	}{
		{"loaded", "br-netfilter", presentSpec(), false, "", "", "loop\n"},
		{"load", "dummy", presentSpec(), false, "{'dummy': 'loaded'}", "modprobe dummy", "loop\n"},
		{"load and note", "dummy", presentSpec(), true, "{'dummy': 'loaded'}", "modprobe dummy", "loop\ndummy\n"},
		{"only note", "br_netfilter", presentSpec(), true, "{'br_netfilter': 'loaded'}", "", "loop\nbr_netfilter\n"},
		{"remove", "br_netfilter", absentSpec(), false, "{'br_netfilter': 'removed'}", "modprobe -r br_netfilter", "loop\n"},
		{"removed", "dummy", absentSpec(), false, "", "", "loop\n"},
		{"forget", "loop", absentSpec(), true, "{'loop': 'removed'}", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := host.NewMemory()
			h.MustWrite("/proc/modules", "br_netfilter 32768 0 - Live 0x0\n", 0o444)
			h.MustWrite(bootFile, "loop\n", 0o644)
			h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.mod, Args: value.DictOf("persist", value.Bool(tt.persist))})
			if fn == nil {
				t.Fatal(diags[0])
			}
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil {
				t.Fatal(err)
			}
			changes, ran := "", ""
			if f.Pending {
				changes = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
					t.Fatal(err)
				}
				h.Promise(f.Effects...)
				if again, err := modtest.Of(fn).Check(context.Background(), nil, h); err != nil || again.Pending {
					t.Errorf("what is promised is pending: %+v %v", again, err)
				}
			}
			for _, c := range h.Ran {
				ran += strings.Join(c.Args, " ")
			}
			data, _ := h.ReadFile(bootFile)
			if d := cmp.Diff([]string{tt.changes, tt.ran, tt.boot}, []string{changes, ran, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
