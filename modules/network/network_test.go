package network

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

const grains = `{"localhost": "web1", "fqdn": "web1.example.com", "num_cpus": 4,
		"ip_interfaces": {"lo": ["127.0.0.1", "::1"], "eth0": ["10.0.0.5", "198.18.0.9"], "eth1": []},
		"ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": ["192.168.1.7", "10.0.0.5", "8.8.8.8"], "eth1": []},
		"ip6_interfaces": {"lo": ["::1"], "eth0": ["2001:db8::10", "fe80::1"], "eth1": []},
		"hwaddr_interfaces": {"lo": "00:00:00:00:00:00", "eth0": "52:54:00:12:34:56"}}`

func functions(t *testing.T) modtest.Execs {
	return modtest.Execs{Family: Family(), Host: hosttest.NewMemory(), Env: &modules.Env{Grains: modtest.Dict(t, grains)}}
}

// TestNetwork: the answers are those of Salt's functions, which rest on Python's ipaddress.
func TestNetwork(t *testing.T) {
	functions(t).Table(t, [][4]string{
		{"network.ip_addrs", `[]`, "", "['8.8.8.8', '10.0.0.5', '192.168.1.7']"},
		{"network.ipaddrs", `["eth0"]`, "", "['8.8.8.8', '10.0.0.5', '192.168.1.7']"},
		{"network.ip_addrs", `[]`, `{"include_loopback": true}`, "['8.8.8.8', '10.0.0.5', '127.0.0.1', '192.168.1.7']"},
		{"network.ip_addrs", `[]`, `{"cidr": "10.0.0.0/8"}`, "['10.0.0.5']"},
		{"network.ip_addrs", `[]`, `{"cidr": ["10.0.0.0/8", "8.0.0.0/8"]}`, "['8.8.8.8', '10.0.0.5']"},
		{"network.ip_addrs", `[]`, `{"type": "public"}`, "['8.8.8.8']"},
		{"network.ip_addrs", `[]`, `{"type": "private"}`, "['10.0.0.5', '192.168.1.7']"},
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
		{"network.convert_cidr", `["172.31.0.0/16"]`, "", "{'network': '172.31.0.0', 'netmask': '255.255.0.0', " +
			"'broadcast': '172.31.255.255'}"},
		{"network.convert_cidr", `["2001:db8::1/112"]`, "",
			"{'network': '2001:db8::', 'netmask': 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:0', 'broadcast': '2001:db8::ffff'}"},
		{"network.convert_cidr", `["x"]`, "", "error: 'x' does not appear to be an IPv4 or IPv6 network"},
		{"network.is_loopback", `["127.0.0.9"]`, "", "True"},
		{"network.is_private", `["10.0.0.3"]`, "", "True"},
		{"network.is_private", `["1.1.1.1"]`, "", "False"},
		{"network.reverse_ip", `["127.0.0.1"]`, "", "'1.0.0.127.in-addr.arpa'"},
		{"network.reverse_ip", `["2001:db8::1"]`, "", "'1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'"},
		{"network.ifacestartswith", `["10."]`, "", "['eth0']"},
	})
}

// TestLinks asks the machine that the tests run on.
func TestLinks(t *testing.T) {
	x := functions(t)
	for _, name := range []string{"network.interfaces", "network.subnets", "network.subnets6", "network.ip_networks"} {
		if got := x.Call(t, name, "[]", ""); strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := x.Call(t, "network.ip_networks", "[]", `{"include_loopback": true, "interface": "lo"}`); got != "['127.0.0.0/8']" && got != "[]" {
		t.Errorf("got %s", got)
	}
}
