package sysctl

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	for name, val := range map[string]string{"net/ipv4/ip_forward": "1", "net/ipv4/tcp_rmem": "1\t2\t3",
		"vm/swappiness": "60",
		"kernel/panic":  "5"} {
		h.MustWrite("/proc/sys/"+name, val+"\n", 0o644)
	}
	h.MustWrite("/etc/sysctl.conf", "# mine\nnet.ipv4.ip_forward=1\nnet.ipv4.tcp_rmem = 1 2 3\n;vm.x=1\n", 0o644)
	h.MustWrite("/etc/sysctl.d/50-a.conf", "vm.swappiness = 10\n-no.such = yes\nnet/ipv4/ip_forward = 1\n"+
		"kernel.panic=4\nkernel.panic=5\n", 0o644)
	h.MustWrite("/etc/sysctl.d/60-b.conf", "net.ipv4.ip_forward=1\n", 0o644)
	if err := h.Symlink("../sysctl.conf", "/etc/sysctl.d/99-sysctl.conf"); err != nil {
		t.Fatal(err)
	}
	named := func(names ...string) func(*modules.Look) { return func(l *modules.Look) { l.Names = names } }
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"all", nil, []string{
			"sysctl.present net.ipv4.ip_forward value='1' config='/etc/sysctl.conf'",
			"sysctl.present net.ipv4.tcp_rmem value='1 2 3' config='/etc/sysctl.conf'",
			"# /etc/sysctl.d/50-a.conf sets vm.swappiness to 10 at boot, and the kernel has 60 now",
			"sysctl.present no.such value='yes' config='/etc/sysctl.d/50-a.conf' ignore=True",
			"sysctl.present net/ipv4/ip_forward value='1' config='/etc/sysctl.d/50-a.conf'",
			"# /etc/sysctl.d/50-a.conf sets kernel.panic to 4 at boot, and the kernel has 5 now",
			"# /etc/sysctl.d/50-a.conf sets kernel.panic to 5, and to something else in another line",
			"sysctl.present net.ipv4.ip_forward in 60-b.conf (net.ipv4.ip_forward) value='1' config='/etc/sysctl.d/60-b.conf'"}},
		{"by name", named("net.ipv4.tcp_*", "no.nothing"), []string{
			"sysctl.present net.ipv4.tcp_rmem value='1 2 3' config='/etc/sysctl.conf'", "missing: no.nothing"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "sysctl", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
