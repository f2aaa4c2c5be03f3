package status

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestStatus(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/proc/uptime", "93784.12 1.0\n", 0o644)
	m.MustWrite("/proc/loadavg", "0.10 0.20 0.30 1/2 3\n", 0o644)
	m.MustWrite("/proc/meminfo", "MemTotal:  100 kB\nHugePages_Total: 0\n", 0o644)
	x := modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{Grains: modtest.Dict(t, `{"num_cpus": 4}`)}}
	x.Table(t, [][4]string{
		{"status.time", `["%%"]`, "", "'%'"},
		{"status.loadavg", `[]`, "", "{'1-min': 0.1, '5-min': 0.2, '15-min': 0.3}"},
		{"status.meminfo", `[]`, "", "{'MemTotal': {'value': '100', 'unit': 'kB'}, 'HugePages_Total': {'value': '0'}}"},
		{"status.nproc", `[]`, "", "4"},
		{"status.version", `[]`, "", "error: File /proc/version not found."},
	})
	if got := x.Call(t, "status.uptime", "[]", ""); !strings.Contains(got, "'seconds': 93784") ||
		!strings.Contains(got, "'days': 1, 'time': '2:3'") {
		t.Errorf("got %s", got)
	}
	if got := x.Call(t, "status.time", `["%s"]`, ""); len(got) != 12 {
		t.Errorf("got %s, want the seconds since 1970", got)
	}
}
