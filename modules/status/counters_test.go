package status

import (
	"errors"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// machine has files below /proc and answers ps, w, who and stat.
func machine() *hosttest.Memory {
	m := hosttest.NewMemory()
	for name, text := range map[string]string{
		"cpuinfo":   "processor\t: 0\nmodel name\t: A: B\nflags\t\t: fpu vme\n\nprocessor\t: 1\npower management:\n",
		"stat":      "cpu  1 2 3 4 5 6 7 8 9 0\ncpu0 1 2 3\nintr 9 1 0\nctxt 77\nsoftirq 5 1\n",
		"vmstat":    "nr_free_pages 12\n",
		"diskstats": "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n",
		"net/dev": "Inter-|   Receive\n face |bytes\n  lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\neth0:9 2 3 4 5 6 7 " +
			"8 9 10 11 12 13 14 15 16\n",
		"net/netstat": "TcpExt: A B\nTcpExt: 1 -2\nIpExt: C\nIpExt: 3\n",
		"mounts":      "/dev/a / ext4 rw 0 0\ntmpfs /with\\040space tmpfs rw 0 0\nproc /proc proc rw 0 0\n",
	} {
		m.MustWrite("/proc/"+name, text, 0o444)
	}
	m.Script = func(c host.Cmd) (*host.Output, error) {
		answers := map[string]string{
			"ps -efHww": "UID          PID    PPID  C STIME TTY          TIME CMD\nroot           1       0  0 04:05 ?        " +
				"00:00:01 /sbin/init splash\n" +
				"root          77       1  0 04:05 ?        00:00:01   gostate call status.pid init\nwww           80       1  0 " +
				"04:05 ?        00:00:01   nginx: init\n",
			"w -fh":  "root     pts/0    10:00    1.00s  0.01s  0.00s w -fh\n",
			"who -s": "root pts/0 x\nroot pts/1 y\n",
			"stat -f -c %s %a %b %n -- / /proc /with space": "4096 10 20 /\n4096 0 0 /proc\n1024 1 2 /with space\n",
			"stat -f -c %s %a %b %n -- /srv /with space":    "4096 10 20 /srv\n1024 1 2 /with space\n",
		}
		if text, ok := answers[strings.Join(c.Args, " ")]; ok {
			return &host.Output{Stdout: []byte(text)}, nil
		}
		return nil, errors.New("no such command: " + strings.Join(c.Args, " "))
	}
	return m
}

func TestCounters(t *testing.T) {
	modtest.Execs{Family: Family(), Host: machine(), Env: &modules.Env{Grains: modtest.Dict(t,
		`{"ps": "ps -efHww"}`)}}.Table(t, [][4]string{
		{"status.cpuinfo", `[]`, "", "{'processor': '1', 'model name': 'A: B', 'flags': ['fpu', 'vme'], 'power " +
			"management': ''}"},
		{"status.cpustats", `[]`, "", "{'cpu': {'user': 1, 'nice': 2, 'system': 3, 'idle': 4, 'iowait': 5, 'irq': 6, " +
			"'softirq': 7, 'steal': 8}, 'cpu0': 1, " +
			"'intr': {'total': 9, 'irqs': [1, 0]}, 'ctxt': 77, 'softirq': {'total': 5, 'softirqs': [1]}}"},
		{"status.vmstats", `[]`, "", "{'nr_free_pages': 12}"},
		{"status.diskstats", `[]`, "", "{'sda': {'major': 8, 'minor': 0, 'device': 'sda', 'reads_issued': 1, " +
			"'reads_merged': 2, 'sectors_read': 3, 'ms_spent_reading': 4, " +
			"'writes_completed': 5, 'writes_merged': 6, 'sectors_written': 7, 'ms_spent_writing': 8, 'io_in_progress': 9, " +
			"'ms_spent_in_io': 10, 'weighted_ms_spent_in_io': 11}}"},
		{"status.netstats", `[]`, "", "{'TcpExt': {'A': 1, 'B': -2}, 'IpExt': {'C': 3}}"},
		{"status.pid", `["init"]`, "", `'1\n80'`},
		{"status.pid", `["^nothing$"]`, "", "''"},
		{"status.procs", `[]`, "", "{'1': {'user': 'root', 'cmd': '/sbin/init splash'}, '77': {'user': 'root', 'cmd': " +
			"'gostate call status.pid init'}, " +
			"'80': {'user': 'www', 'cmd': 'nginx: init'}}"},
		{"status.w", `[]`, "", "[{'user': 'root', 'tty': 'pts/0', 'login': '10:00', 'idle': '1.00s', 'jcpu': '0.01s', " +
			"'pcpu': '0.00s', 'what': 'w -fh'}]"},
		{"status.diskusage", `[]`, "", "{'/': {'available': 40960, 'total': 81920}, '/proc': {'available': 0, 'total': 0}, " +
			"'/with space': {'available': 1024, 'total': 2048}}"},
		{"status.diskusage", `["/srv", "tmp*"]`, "", "{'/srv': {'available': 40960, 'total': 81920}, '/with space': " +
			"{'available': 1024, 'total': 2048}}"},
		{"status.diskusage", `["nofs"]`, "", "{}"},
	})
}

func TestNetdev(t *testing.T) {
	got := modtest.Execs{Family: Family(), Host: machine()}.Call(t, "status.netdev", `[]`, "")
	for _, want := range []string{"{'lo': {'iface': 'lo', 'rx_bytes': 1, 'rx_packets': 2,",
		"'rx_multicast': 8, 'tx_bytes': 9,", "'eth0': {'iface': 'eth0', 'rx_bytes': 9,",
		"'tx_compressed': 16}}"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestWithoutProc: what the machine has not, is empty.
func TestWithoutProc(t *testing.T) {
	x := modtest.Execs{Family: Family(), Host: hosttest.NewMemory()}
	for _, f := range []string{"cpuinfo", "cpustats", "vmstats", "diskstats", "netdev", "netstats"} {
		if got := x.Call(t, "status."+f, `[]`, ""); got != "{}" {
			t.Errorf("%s: %s", f, got)
		}
	}
}
