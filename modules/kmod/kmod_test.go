package kmod

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
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
		{"loaded", "br-netfilter", Family().States[0], false, "", "", "loop\n#dummy2\n"},
		{"load", "dummy", Family().States[0], false, "{'dummy': 'loaded'}", "modprobe dummy", "loop\n#dummy2\n"},
		{"load and note", "dummy", Family().States[0], true, "{'dummy': 'loaded'}", "modprobe dummy",
			"loop\n#dummy2\ndummy\n"},
		{"only note", "br_netfilter", Family().States[0], true, "{'br_netfilter': 'loaded'}", "",
			"loop\n#dummy2\nbr_netfilter\n"},
		{"remove", "br_netfilter", Family().States[1], false, "{'br_netfilter': 'removed'}", "modprobe -r br_netfilter",
			"loop\n#dummy2\n"},
		{"removed", "dummy", Family().States[1], false, "", "", "loop\n#dummy2\n"},
		{"forget", "loop", Family().States[1], true, "{'loop': 'removed'}", "", "#loop\n#dummy2\n"},
		{"a comment comes back", "dummy2", Family().States[0], true, "{'dummy2': 'loaded'}", "modprobe dummy2",
			"loop\ndummy2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/usr/sbin/modprobe", "", 0o755)
			h.MustWrite("/proc/modules", "br_netfilter 32768 0 - Live 0x0\n", 0o444)
			h.MustWrite("/etc/modules", "loop\n#dummy2\n", 0o644)
			ran := ""
			h.Script = func(c host.Cmd) (*host.Output, error) {
				switch {
				case slices.Contains(c.Args, "-n"):
				case c.Args[1] == "-r":
					ran = strings.Join(c.Args, " ")
					h.MustWrite("/proc/modules", "", 0o444)
				default:
					ran = strings.Join(c.Args, " ")
					h.MustWrite("/proc/modules", c.Args[1]+" 1 0 - Live 0x0\n", 0o444)
				}
				return &host.Output{}, nil
			}
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.mod,
				Args: value.DictOf("persist", value.Bool(tt.persist))})
			if fn == nil {
				t.Fatal(diags[0])
			}
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil {
				t.Fatal(err)
			}
			changes := ""
			if f.Pending {
				changes = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
					t.Fatal(err)
				}
				if again, err := modtest.Of(fn).Check(context.Background(), nil, h); err != nil || again.Pending {
					t.Errorf("does not converge: %+v %v", again, err)
				}
			}
			data, _ := h.ReadFile("/etc/modules")
			if d := cmp.Diff([]string{tt.changes, tt.ran, tt.boot}, []string{changes, ran, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestUnknown: a preview fails as modprobe would.
func TestUnknown(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/usr/sbin/modprobe", "", 0o755)
	h.Script = func(c host.Cmd) (*host.Output, error) {
		return &host.Output{Code: 1, Stderr: []byte("modprobe: FATAL: Module nope not found in directory /lib/modules/6.1\n")}, nil
	}
	fn := Family().States[0].New().(*Modules)
	fn.Name = "nope"
	_, err := modtest.Of(fn).Check(context.Background(), nil, h)
	if err == nil || err.Error() != "modprobe: FATAL: Module nope not found in directory /lib/modules/6.1" {
		t.Errorf("error %v", err)
	}
}

func TestBootFile(t *testing.T) {
	h := hosttest.NewMemory()
	if got := bootFile(h); got != "/etc/modules" {
		t.Error(got)
	}
	h.MustMkdir("/run/systemd/system")
	if got := bootFile(h); got != "/etc/modules-load.d/salt_managed.conf" {
		t.Error(got)
	}
}
