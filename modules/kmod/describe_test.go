package kmod

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustMkdir("/run/systemd/system")
	h.MustMkdir("/sys/module/built_in")
	h.MustWrite("/proc/modules", "br_netfilter 1 0 - Live\nloop 1 0 - Live\nxfs 1 0 - Live\n", 0o444)
	h.MustWrite("/etc/modules", "# mine\nloop max_loop=8\nmissing\n", 0o644)
	h.MustWrite("/etc/modules-load.d/salt_managed.conf", "br-netfilter\n", 0o644)
	named := func(names ...string) func(*modules.Look) { return func(l *modules.Look) { l.Names = names } }
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"of files", nil, []string{"# /etc/modules has it loaded at boot", "kmod.present loop",
			"# /etc/modules has missing loaded at boot, and it is not loaded now", "kmod.present br_netfilter persist=True"}},
		{"by name", named("br-netfilter", "xfs", "built-in", "nope"), []string{"kmod.present br_netfilter persist=True",
			"kmod.present xfs", "# it is built into the kernel", "kmod.present built-in", "kmod.absent nope", "missing: nope"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "kmod", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
