package system

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func call(t *testing.T, m *hosttest.Memory, name, args, kwargs string) string {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	grains, err := value.ParseJSON(`{"localhost": "web1", "fqdn": "web1.example.com", "num_cpus": 4,
		"ip_interfaces": {"lo": ["127.0.0.1", "::1"], "eth0": ["10.0.0.5", "198.18.0.9"], "eth1": []},
		"ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": ["192.168.1.7", "10.0.0.5", "8.8.8.8"], "eth1": []},
		"ip6_interfaces": {"lo": ["::1"], "eth0": ["2001:db8::10", "fe80::1"], "eth1": []},
		"hwaddr_interfaces": {"lo": "00:00:00:00:00:00", "eth0": "52:54:00:12:34:56"}}`)
	if err != nil {
		t.Fatal(err)
	}
	a, err := value.ParseJSON(args)
	if err != nil {
		t.Fatal(err)
	}
	kw, err := value.ParseJSON("{" + kwargs + "}")
	if err != nil {
		t.Fatal(err)
	}
	w := &modules.World{Host: m, Grains: func() *value.Dict { return grains.(*value.Dict) }}
	v, err := reg.Call(context.Background(), w, name, a.(*value.List).Items, kw.(*value.Dict))
	if err != nil {
		return "error: " + err.Error()
	}
	return value.Repr(v)
}

// TestNetwork: the answers are those of Salt's functions, which rest on Python's ipaddress.
func TestNetwork(t *testing.T) {
	m := hosttest.NewMemory()
	for _, c := range [][4]string{
		{"network.ip_addrs", `[]`, "", "['8.8.8.8', '10.0.0.5', '192.168.1.7']"},
		{"network.ipaddrs", `["eth0"]`, "", "['8.8.8.8', '10.0.0.5', '192.168.1.7']"},
		{"network.ip_addrs", `[]`, `"include_loopback": true`, "['8.8.8.8', '10.0.0.5', '127.0.0.1', '192.168.1.7']"},
		{"network.ip_addrs", `[]`, `"cidr": "10.0.0.0/8"`, "['10.0.0.5']"},
		{"network.ip_addrs", `[]`, `"cidr": ["10.0.0.0/8", "8.0.0.0/8"]`, "['8.8.8.8', '10.0.0.5']"},
		{"network.ip_addrs", `[]`, `"type": "public"`, "['8.8.8.8']"},
		{"network.ip_addrs", `[]`, `"type": "private"`, "['10.0.0.5', '192.168.1.7']"},
		{"network.ip_addrs", `["nope"]`, "", "[]"},
		{"network.ip_addrs6", `[]`, "", "['2001:db8::10', 'fe80::1']"},
		{"network.interface_ip", `["eth0"]`, "", "'192.168.1.7'"},
		{"network.interface_ip", `["eth1"]`, "", "''"},
		{"network.interface_ip", `["x"]`, "", `'Interface "x" not in available interfaces: "lo", "eth0", "eth1"'`},
		{"network.hw_addr", `["eth0"]`, "", "'52:54:00:12:34:56'"},
		{"network.hwaddr", `["lo"]`, "", "'00:00:00:00:00:00'"},
		{"network.get_hostname", `[]`, "", "'web1'"},
		{"network.get_fqdn", `[]`, "", "'web1.example.com'"},
		{"network.in_subnet", `["10.0.0.0/24"]`, "", "True"},
		{"network.in_subnet", `["10.1.0.0/24"]`, "", "False"},
		{"network.in_subnet", `["rubbish"]`, "", "False"},
		{"network.ip_in_subnet", `["172.17.0.4", "172.16.0.0/12"]`, "", "True"},
		{"network.ip_in_subnet", `["172.33.0.4", "172.16.0.0/12"]`, "", "False"},
		{"network.ip_in_subnet", `["fd00::1", "fd00::/8"]`, "", "True"},
		{"network.calc_net", `["172.17.0.5", "255.255.255.240"]`, "", "'172.17.0.0/28'"},
		{"network.calc_net", `["2a02:f6e:a000:80:84d8:8332:7866:4e07/64"]`, "", "'2a02:f6e:a000:80::/64'"},
		{"network.calc_net", `["192.0.2.9", 24]`, "", "'192.0.2.0/24'"},
		{"network.calc_net", `["192.0.2.9"]`, "", "'192.0.2.9/32'"},
		{"network.calc_net", `["x"]`, "", "error: 'x' does not appear to be an IPv4 or IPv6 network"},
		{"network.convert_cidr", `["172.31.0.0/16"]`, "", "{'network': '172.31.0.0', 'netmask': '255.255.0.0', 'broadcast': '172.31.255.255'}"},
		{"network.convert_cidr", `["2001:db8::1/112"]`, "", "{'network': '2001:db8::', 'netmask': 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:0', 'broadcast': '2001:db8::ffff'}"},
		{"network.convert_cidr", `["x"]`, "", "error: 'x' does not appear to be an IPv4 or IPv6 network"},
		{"network.is_loopback", `["127.0.0.9"]`, "", "True"},
		{"network.is_private", `["10.0.0.3"]`, "", "True"},
		{"network.is_private", `["1.1.1.1"]`, "", "False"},
		{"network.reverse_ip", `["127.0.0.1"]`, "", "'1.0.0.127.in-addr.arpa'"},
		{"network.reverse_ip", `["2001:db8::1"]`, "", "'1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'"},
		{"network.ifacestartswith", `["10."]`, "", "['eth0']"},
	} {
		if diff := cmp.Diff(c[3], call(t, m, c[0], c[1], c[2])); diff != "" {
			t.Errorf("%s %s %s (-want +got)\n%s", c[0], c[1], c[2], diff)
		}
	}
}

// TestLinks asks the machine that the tests run on.
func TestLinks(t *testing.T) {
	m := hosttest.NewMemory()
	for _, name := range []string{"network.interfaces", "network.subnets", "network.subnets6", "network.ip_networks"} {
		if got := call(t, m, name, "[]", ""); strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := call(t, m, "network.ip_networks", "[]", `"include_loopback": true, "interface": "lo"`); got != "['127.0.0.0/8']" && got != "[]" {
		t.Errorf("got %s", got)
	}
}

func TestStatus(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/proc/uptime", "93784.12 1.0\n", 0o644)
	m.MustWrite("/proc/loadavg", "0.10 0.20 0.30 1/2 3\n", 0o644)
	m.MustWrite("/proc/meminfo", "MemTotal:  100 kB\nHugePages_Total: 0\n", 0o644)
	for _, c := range [][3]string{
		{"status.time", `["%%"]`, "'%'"},
		{"status.loadavg", `[]`, "{'1-min': 0.1, '5-min': 0.2, '15-min': 0.3}"},
		{"status.meminfo", `[]`, "{'MemTotal': {'value': '100', 'unit': 'kB'}, 'HugePages_Total': {'value': '0'}}"},
		{"status.nproc", `[]`, "4"},
		{"status.version", `[]`, "error: File /proc/version not found."},
		{"saltutil.is_running", `["state.highstate"]`, "[]"},
		{"saltutil.sync_states", `[]`, "[]"},
	} {
		if diff := cmp.Diff(c[2], call(t, m, c[0], c[1], "")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c[0], diff)
		}
	}
	if got := call(t, m, "status.uptime", "[]", ""); !strings.Contains(got, "'seconds': 93784") || !strings.Contains(got, "'days': 1, 'time': '2:3'") {
		t.Errorf("got %s", got)
	}
	if got := call(t, m, "status.time", `["%s"]`, ""); len(got) != 12 {
		t.Errorf("got %s, want the seconds since 1970", got)
	}
}

func TestTimezoneAndAlternatives(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustMkdir("/etc/alternatives")
	for to, at := range map[string]string{"/usr/share/zoneinfo/Europe/Berlin": "/etc/localtime", "/usr/bin/vim.basic": "/etc/alternatives/editor"} {
		if err := m.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
	}
	m.MustWrite("/usr/share/zoneinfo/Europe/Berlin", "TZif", 0o644)
	m.MustWrite("/usr/share/zoneinfo/UTC", "other", 0o644)
	m.MustWrite("/var/lib/dpkg/alternatives/editor", "auto\n/usr/bin/editor\n", 0o644)
	m.Script = func(host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte("editor - auto mode\n/bin/nano - priority 40\n")}, nil
	}
	for _, c := range [][3]string{
		{"timezone.get_zone", `[]`, "'Europe/Berlin'"},
		{"timezone.zone_compare", `["Europe/Berlin"]`, "True"},
		{"timezone.zone_compare", `["UTC"]`, "False"},
		{"timezone.zone_compare", `["Nope"]`, "error: Can't find a local timezone file for Nope"},
		{"timezone.get_hwclock", `[]`, "'UTC'"},
		{"alternatives.show_current", `["editor"]`, "'/usr/bin/vim.basic'"},
		{"alternatives.show_current", `["nope"]`, "False"},
		{"alternatives.show_link", `["editor"]`, "'/usr/bin/editor'"},
		{"alternatives.check_installed", `["editor", "/usr/bin/vim.basic"]`, "True"},
		{"alternatives.check_exists", `["editor", "/bin/nano"]`, "True"},
		{"alternatives.check_exists", `["editor", "/bin/ed"]`, "False"},
	} {
		if diff := cmp.Diff(c[2], call(t, m, c[0], c[1], "")); diff != "" {
			t.Errorf("%s %s (-want +got)\n%s", c[0], c[1], diff)
		}
	}
}
