package network

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// answering is a machine whose programs say these texts; one that ends in "!" fails.
func answering(answers map[string]string) *hosttest.Memory {
	m := hosttest.NewMemory()
	m.Script = func(c host.Cmd) (*host.Output, error) {
		text, ok := answers[strings.Join(c.Args, " ")]
		if !ok {
			return nil, errors.New("no such command: " + strings.Join(c.Args, " "))
		}
		if said, failed := strings.CutSuffix(text, "!"); failed {
			return &host.Output{Stderr: []byte(said), Code: 2}, nil
		}
		return &host.Output{Stdout: []byte(text)}, nil
	}
	return m
}

const ssLines = `Netid State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process
tcp   LISTEN 0      128          0.0.0.0:22        0.0.0.0:*     users:(("sshd",pid=7,fd=3)) ino:8 sk:1 <->
tcp   ESTAB  0      0           10.0.0.5:22       10.0.0.9:5000  users:(("sshd",pid=9,fd=3)) uid:33 ino:9 sk:2
udp   UNCONN 0      0            0.0.0.0:68        0.0.0.0:*     ino:5 sk:3
`

const netstatLines = `Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address Foreign Address State User Inode PID/Program name
tcp        0      0 0.0.0.0:22    0.0.0.0:*     LISTEN   0    8   7/sshd
udp        0      0 0.0.0.0:68    0.0.0.0:*              0    5   3/dhclient
`

func TestAsk(t *testing.T) {
	m := answering(map[string]string{
		"ping -c 4 localhost":      "PING localhost\n4 packets\n",
		"ping -W 3 -c 4 localhost": "PING localhost\n",
		"ping -c 4 nope":           "ping: nope: Name or service not known\n!",
		"dig a.example":            "; answer\n",
		"arp -an":                  "? (192.0.2.7) at 52:54:00:12:34:56 [ether] on eth0\nx\n",
		"traceroute a": "traceroute to a (192.0.2.1), 30 hops max\n 1  gw (192.0.2.1)  0.310 ms  0.2 ms  0.1 " +
			"ms\n 2  * * *\n 3  x  y\n",
		"ss -tulpnea":            ssLines,
		"ip route get 192.0.2.9": "192.0.2.9 via 10.0.0.1 dev eth0 src 10.0.0.5 uid 0 \n    cache \n",
		"ip route get 127.0.0.1": "local 127.0.0.1 dev lo src 127.0.0.1 uid 0 \n",
		"ip route get x":         "Error: any valid prefix is expected\n!",
		"ip -4 route show table main": "default via 10.0.0.1 dev eth0 proto dhcp\n10.0.0.0/24 dev eth0 proto kernel scope " +
			"link src 10.0.0.5\n" +
			"unreachable 192.0.2.0/24\n192.0.2.77 via 10.0.0.9 dev eth0\n",
		"ip -6 route show table all": "::1 dev lo proto kernel\nlocal ::1 dev lo table local\ndefault via fe80::1 dev " +
			"eth0\nmulticast ff00::/8 dev eth0 table local\n",
	})
	m.MustWrite("/proc/net/tcp", "  sl  local_address rem_address   st\n   0: 0100007F:0016 00000000:0000 0A 0:0\n   1: "+
		"0500000A:0016 0900000A:1388 01 0:0\n", 0o444)
	m.MustWrite("/proc/net/tcp6", "   0: 00000000000000000000000001000000:0019 00000000000000000000000001000000:C350 01 "+
		"0\n", 0o444)
	modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{Grains: modtest.Dict(t, `{"fqdns": ["a.b"]}`)}}.Table(t,
		[][4]string{
			{"network.ping", `["localhost"]`, "", `'PING localhost\n4 packets'`},
			{"network.ping", `["local;host", 3]`, "", "'PING localhost'"},
			{"network.ping", `["-nope"]`, "", "'ping: nope: Name or service not known'"},
			{"network.ping", `["nope"]`, `{"return_boolean": true}`, "False"},
			{"network.ping", `["localhost"]`, `{"return_boolean": true}`, "True"},
			{"network.dig", `["a.example"]`, "", "'; answer'"},
			{"network.arp", `[]`, "", "{'52:54:00:12:34:56': '192.0.2.7'}"},
			{"network.traceroute", `["a"]`, "", "[{'count': 1, 'hostname': 'gw', 'ip': '192.0.2.1', 'ms1': 0.31, 'ms2': 0.2, " +
				"'ms3': 0.1}, {'count': 2, 'hostname': '*'}, {}]"},
			{"network.fqdns", `[]`, "", "{'fqdns': ['a.b']}"},
			{"network.iphexval", `["192.168.1.10"]`, "", "'C0A8010A'"},
			{"network.iphexval", `["x"]`, "", "error: x is no IPv4 address"},
			{"network.active_tcp", `[]`, "", "{0: {'local_addr': '10.0.0.5', 'local_port': 22, 'remote_addr': '10.0.0.9', " +
				"'remote_port': 5000}, " +
				"1: {'local_addr': '::1', 'local_port': 25, 'remote_addr': '::1', 'remote_port': 50000}}"},
			{"network.netstat", `[]`, "", "[{'proto': 'tcp', 'recv-q': '0', 'send-q': '128', 'local-address': '0.0.0.0:22', " +
				"'remote-address': '0.0.0.0:*', 'state': 'LISTEN', " +
				"'user': 0, 'inode': '8', 'program': 'sshd'}, {'proto': 'tcp', 'recv-q': '0', 'send-q': '0', 'local-address': " +
				"'10.0.0.5:22', 'remote-address': '10.0.0.9:5000', " +
				"'state': 'ESTABLISHED', 'user': '33', 'inode': '9', 'program': 'sshd'}, {'proto': 'udp', 'recv-q': '0', " +
				"'send-q': '0', 'local-address': '0.0.0.0:68', " +
				"'remote-address': '0.0.0.0:*', 'user': 0, 'inode': '5', 'program': ''}]"},
			{"network.get_route", `["192.0.2.9"]`, "", "{'destination': '192.0.2.9', 'gateway': '10.0.0.1', 'interface': " +
				"'eth0', 'source': '10.0.0.5'}"},
			{"network.get_route", `["127.0.0.1"]`, "", "{'destination': '127.0.0.1', 'gateway': None, 'interface': 'lo', " +
				"'source': '127.0.0.1'}"},
			{"network.get_route", `["x"]`, "", "error: Error: any valid prefix is expected"},
			{"network.routes", `["inet"]`, "", "[{'addr_family': 'inet', 'destination': '0.0.0.0', 'gateway': '10.0.0.1', " +
				"'netmask': '0.0.0.0', 'flags': 'UG', 'interface': 'eth0'}, " +
				"{'addr_family': 'inet', 'destination': '10.0.0.0', 'gateway': '0.0.0.0', 'netmask': '255.255.255.0', 'flags': " +
				"'U', 'interface': 'eth0'}, " +
				"{'addr_family': 'inet', 'destination': '192.0.2.77', 'gateway': '0.0.0.0', 'netmask': '255.255.255.255', " +
				"'flags': 'U', 'interface': 'eth0'}]"},
			{"network.routes", `["inet6"]`, "", "[{'addr_family': 'inet6', 'destination': '::1', 'gateway': '::', 'netmask': " +
				"'', 'flags': 'U', 'interface': 'lo'}, " +
				"{'addr_family': 'inet6', 'destination': '::1/128', 'gateway': '::', 'netmask': '', 'flags': 'U', 'interface': " +
				"'lo'}, " +
				"{'addr_family': 'inet6', 'destination': '::/0', 'gateway': 'fe80::1', 'netmask': '', 'flags': 'UG', 'interface': " +
				"'eth0'}]"},
			{"network.default_route", `[]`, "", "[{'addr_family': 'inet', 'destination': '0.0.0.0', 'gateway': '10.0.0.1', " +
				"'netmask': '0.0.0.0', 'flags': 'UG', 'interface': 'eth0'}, " +
				"{'addr_family': 'inet6', 'destination': '::/0', 'gateway': 'fe80::1', 'netmask': '', 'flags': 'UG', 'interface': " +
				"'eth0'}]"},
			{"network.routes", `["ipx"]`, "", "error: Invalid address family ipx"},
		})
}

func TestNetstat(t *testing.T) {
	m := answering(map[string]string{
		"netstat -tulpnea": netstatLines,
		"netstat -A inet -rn": "Kernel IP routing table\nDestination Gateway Genmask Flags MSS Window irtt Iface\n" +
			"0.0.0.0 10.0.0.1 0.0.0.0 UG 0 0 0 eth0\n",
		"netstat -A inet6 -rn": "Kernel IPv6 routing table\nDestination Next Hop Flag Met Ref Use If\n::/0 fe80::1 UG 1024 " +
			"1 0 eth0\n::1/128 [::] U 256 2 0 lo\n",
	})
	m.MustWrite("/usr/bin/netstat", "", 0o755)
	modtest.Execs{Family: Family(), Host: m}.Table(t, [][4]string{
		{"network.netstat", `[]`, "", "[{'proto': 'tcp', 'recv-q': '0', 'send-q': '0', 'local-address': '0.0.0.0:22', " +
			"'remote-address': '0.0.0.0:*', 'state': 'LISTEN', " +
			"'user': '0', 'inode': '8', 'program': '7/sshd'}, {'proto': 'udp', 'recv-q': '0', 'send-q': '0', 'local-address': " +
			"'0.0.0.0:68', 'remote-address': '0.0.0.0:*', " +
			"'user': '0', 'inode': '5', 'program': '3/dhclient'}]"},
		{"network.default_route", `[]`, "", "[{'addr_family': 'inet', 'destination': '0.0.0.0', 'gateway': '10.0.0.1', " +
			"'netmask': '0.0.0.0', 'flags': 'UG', 'interface': 'eth0'}, " +
			"{'addr_family': 'inet6', 'destination': '::/0', 'gateway': 'fe80::1', 'netmask': '', 'flags': 'UG', 'interface': " +
			"'eth0'}]"},
	})
}

func TestBuffers(t *testing.T) {
	m := answering(map[string]string{
		ethtool + " -g eth0": "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t256\nRX Mini:\tn/a\nCurrent " +
			"hardware settings:\nTX:\t64\n",
		ethtool + " -g lo":              "netlink error: Operation not supported\n!",
		ethtool + " -G eth0 rx 9 tx 8":  "",
		ethtool + " -G eth0 rx-mini 99": "too large!",
	})
	x := modtest.Execs{Family: Family(), Host: m}
	x.Table(t, [][4]string{{"network.get_bufsize", `["eth0"]`, "", "{}"},
		{"network.mod_bufsize", `["eth0"]`, "", "False"}})
	m.MustWrite(ethtool, "", 0o755)
	x.Table(t, [][4]string{
		{"network.get_bufsize", `["eth0"]`, "", "{'rx-max': 256, 'tx': 64, 'result': True}"},
		{"network.get_bufsize", `["lo"]`, "", "{'result': False, 'comment': 'netlink error: Operation not supported'}"},
		{"network.mod_bufsize", `["eth0"]`, `{"tx": 8, "rx": 9}`, "{'result': True, 'comment': 'rx 9 tx 8'}"},
		{"network.mod_bufsize", `["eth0"]`, `{"rx-mini": 99}`, "{'result': False, 'comment': 'too large'}"},
		{"network.mod_bufsize", `["eth0"]`, "", "{'result': False, 'comment': 'Requires rx=<val> tx==<val> rx-mini=<val> " +
			"and/or rx-jumbo=<val>'}"},
		{"network.mod_bufsize", `["eth0", 1]`, "", "{'result': False, 'comment': 'Unknown arguments: 1'}"},
	})
}

func TestModHostname(t *testing.T) {
	m := answering(map[string]string{"hostname web2": "", "hostnamectl set-hostname web3": "",
		"hostnamectl set-hostname bad": "no!"})
	m.MustWrite("/etc/hosts", "127.0.0.1 localhost\n# web1  is here\n127.0.1.1   web1 # web0\n", 0o644)
	m.MustWrite("/usr/bin/hostname", "", 0o755)
	x := modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{Grains: modtest.Dict(t, `{"localhost": "web1"}`)}}
	hosts := func(want string) {
		t.Helper()
		if b, _ := m.ReadFile("/etc/hosts"); string(b) != want {
			t.Errorf("/etc/hosts is %q", b)
		}
	}
	x.Table(t, [][4]string{{"network.mod_hostname", `[null]`, "", "False"},
		{"network.mod_hostname", `["web2"]`, "", "None"}})
	hosts("127.0.0.1 localhost\n#\tweb2\tis\there\n127.0.1.1\tweb2\t#\tweb0\n")
	m.MustWrite("/usr/bin/hostnamectl", "", 0o755)
	m.MustWrite("/etc/hostname", "web2\n", 0o644)
	x.Table(t, [][4]string{{"network.mod_hostname", `["bad"]`, "", "False"}})

	over := host.NewOverlay(m)
	modtest.Execs{Family: Family(), Host: over, Env: x.Env}.Table(t,
		[][4]string{{"network.mod_hostname", `["web4"]`, "", "None"}})
	if b, _ := over.ReadFile("/etc/hostname"); string(b) != "web4\n" {
		t.Errorf("foretold %q", b)
	}
	hosts("127.0.0.1 localhost\n#\tweb2\tis\there\n127.0.1.1\tweb2\t#\tweb0\n")
	x.Table(t, [][4]string{{"network.mod_hostname", `["web3"]`, "", "None"}})
	hosts("127.0.0.1 localhost\n#\tweb3\tis\there\n127.0.1.1\tweb3\t#\tweb0\n")
}

func TestVerbose(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.4.0/22": "{'address': '10.0.4.0', 'netmask': '255.255.252.0', 'num_addresses': 1024, 'prefixlen': 22}",
		"::1/128": "{'address': '::1', 'netmask': 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'num_addresses': 1, " +
			"'prefixlen': 128}",
		"fe80::/64": "{'address': 'fe80::', 'netmask': 'ffff:ffff:ffff:ffff::', 'num_addresses': 18446744073709551616, " +
			"'prefixlen': 64}",
	} {
		if got := value.Repr(verbose(netip.MustParsePrefix(text))); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
