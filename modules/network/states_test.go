package network

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const someInterfaces = `# This file is ours.
source /etc/network/interfaces.d/*

auto lo eth1
iface lo inet loopback

# the office
auto eth0
iface eth0 inet static
    address 192.0.2.10
    netmask 255.255.255.0
    up echo hello
iface eth1 inet dhcp
`

// ifTools are ifup and ifdown, and an ip that shows what they made of an interface.
func ifTools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	file := "/run/links/" + c.Args[len(c.Args)-1]
	switch c.Args[0] {
	case "ip":
		raw, err := m.ReadFile(file)
		if err != nil {
			return &host.Output{Code: 1, Stderr: []byte("Device does not exist.\n")}, nil
		}
		return &host.Output{Stdout: raw}, nil
	case "ifup":
		m.MustWrite(file, "2: x: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500\n", 0o444)
	case "ifdown":
		m.MustWrite(file, "2: x: <BROADCAST,MULTICAST> mtu 1500\n", 0o444)
	}
	return &host.Output{}, nil
}

func networked(files map[string]string) func(*testing.T) host.Host {
	return modtest.Memory(ifTools, func(m *hosttest.Memory) {
		for _, p := range []string{"ip", "ifup", "ifdown", "modprobe", "systemctl", "hostname"} {
			m.MustWrite("/usr/sbin/"+p, "", 0o755)
		}
		for _, d := range []string{"if-up.d", "if-down.d", "interfaces.d"} {
			m.MustMkdir("/etc/network/" + d)
		}
		m.MustMkdir("/etc/modprobe.d")
		m.MustWrite("/run/links/eth0", "2: eth0: <BROADCAST,UP,LOWER_UP> mtu 1500\n", 0o444)
		m.MustWrite("/etc/hostname", "web1\n", 0o644)
		for path, text := range files {
			m.MustWrite(path, text, 0o644)
		}
	})
}

func debianHost(t *testing.T) *modules.Env {
	return &modules.Env{Grains: modtest.Dict(t, `{"os_family": "Debian"}`), Cache: modules.NewCache(),
		Progress: func(string) {}}
}

func TestStates(t *testing.T) {
	m := func(name string, args ...any) modtest.Deed { return modtest.State("network.managed", name, args...) }
	system := func(args ...any) modtest.Deed { return modtest.State("network.system", "network", args...) }
	route := modtest.JSON(t, `[{"name": "office", "ipaddr": "10.0.0.0", "netmask": "255.0.0.0", "gateway": "192.0.2.254"}, `+
		`{"ipaddr": "default", "metric": 5}]`)
	family := Family()
	family.Execs = nil
	modtest.Suite{
		Family: family, Env: debianHost, Beyond: []string{"/run"},
		Situations: modtest.Situations{
			"nothing": networked(nil),
			"some": networked(map[string]string{interfacesFile: someInterfaces, defaultFile: "# x\nCONFIGURE_INTERFACES=yes\n",
				resolvFile: "search a.example\nnameserver 192.0.2.1\n"}),
			"beside":        networked(map[string]string{interfacesDir + "/eth0": "auto eth0\niface eth0 inet dhcp\n"}),
			"not installed": modtest.Memory(ifTools, func(m *hosttest.Memory) { m.MustMkdir("/etc/network") }),
		},
		Deeds: []modtest.Deed{
			m("eth0", "proto", "dhcp"), m("eth0", "proto", "static", "ipaddr", "192.0.2.10", "netmask", "255.255.255.0",
				"up_cmds", []string{"echo hello"}), m("eth1", "proto", "dhcp", "noifupdown", true),
			m("eth0", "enabled", false, "proto", "manual"), m("eth5", "proto", "dhcp", "filename", "five"),
			m("bond0", "type", "bond", "mode", "active-backup", "slaves", "eth2 eth3", "proto", "dhcp", "miimon", 50),
			m("eth2", "type", "slave", "master", "bond0"), m("br0", "type", "bridge", "ports", []string{"eth4"}, "proto",
				"static", "ipaddr", "192.0.2.1/24", "fd", 0, "stp", false), m("eth0.5", "type", "vlan", "proto", "dhcp"),
			m("eth0", "ipv6proto", "static", "ipv6ipaddr", "2001:db8::5", "ipv6netmask", 64, "proto", "dhcp", "speed", 1000),
			modtest.State("network.routes", "eth0", "routes", route), modtest.State("network.routes", "eth0.5", "routes", route,
				"require_reboot", true),
			system("enabled", true, "require_reboot", true), system("enabled", false, "hostname", "web2.example.org",
				"apply_hostname", true), system("enabled", true, "search", "b.example c.example", "hostname", "web1.d.example"),
			system("hostname", "web1"),
		},
	}.Run(t)
}

// TestInterfaces: what is written for a state is what Salt 3006 writes, but for what it leaves out.
func TestInterfaces(t *testing.T) {
	for _, r := range []struct{ name, kind, args, want string }{
		{"eth0", "eth", `{"proto": "static", "ipaddr": "192.0.2.5", "netmask": 24, "gateway": "192.0.2.1", "dns": ` +
			`["192.0.2.1", "192.0.2.2"], "mtu": 1400, "hwaddr": "52:54:00:12:34:56", "hotplug": true}`,
			"auto eth0\nallow-hotplug eth0\niface eth0 inet static\n    hwaddress 52:54:00:12:34:56\n    address 192.0.2.5\n" +
				"    netmask 24\n    gateway 192.0.2.1\n    mtu 1400\n    dns-nameservers 192.0.2.1 192.0.2.2\n"},
		{"eth1", "eth", `{"proto": "static", "ipaddrs": ["192.0.2.5/24", "192.0.2.6/24"], "enable_ipv6": false, "ipv6proto": ` +
			`"auto"}`, "auto eth1\niface eth1 inet static\n    address 192.0.2.5/24\n    address 192.0.2.6/24\n"},
		{"eth2", "eth", `{"enable_ipv4": false, "ipv6proto": "static", "ipv6ipaddr": "2001:db8::1", "ipv6netmask": 64, ` +
			`"ipv6gateway": "2001:db8::f"}`, "auto eth2\niface eth2 inet6 static\n    address 2001:db8::1\n    netmask 64\n" +
			"    gateway 2001:db8::f\n"},
		{"br0", "bridge", `{"proto": "dhcp", "ports": ["eth1", "eth2"], "stp": true, "fd": 3, "maxwait": 0}`,
			"auto br0\niface br0 inet dhcp\n    bridge_fd 3\n    bridge_maxwait 0\n    bridge_ports eth1 eth2\n    bridge_stp " +
				"on\n"},
		{"bond0", "bond", `{"proto": "manual", "mode": "802.3ad", "slaves": ["eth1", "eth2"], "lacp_rate": "fast"}`,
			"auto bond0\niface bond0 inet manual\n    bond-ad_select 0\n    bond-downdelay 200\n    bond-lacp_rate 1\n" +
				"    bond-miimon 100\n    bond-mode 4\n    bond-slaves eth1 eth2\n    bond-updelay 0\n    bond-use_carrier on\n"},
		{"eth3", "slave", `{"master": "bond0"}`, "auto eth3\niface eth3 inet manual\n    bond-master bond0\n"},
		{"eth0.7", "vlan", `{"proto": "dhcp"}`, "auto eth0.7\niface eth0.7 inet dhcp\n    vlan-raw-device eth0\n"},
		{"eth4", "eth", `{"proto": "dhcp", "autoneg": false, "speed": 100, "duplex": "full", "up_cmds": ["a", "b"]}`,
			"auto eth4\niface eth4 inet dhcp\n    ethernet-autoneg off\n    link-duplex full\n    link-speed 100\n    up a\n" +
				"    up b\n"},
		{"x", "eth", `{"proto": "static", "ipaddr": "300.0.0.1"}`,
			"Invalid option -- Interface: x, Option: ipaddr, Expected: [dotted IPv4 address]"},
		{"x", "eth", `{"proto": "statik"}`, "Invalid option -- Interface: x, Option: proto, Expected: " +
			"[bootp|dhcp|static|manual|loopback|ppp]"},
		{"x", "bond", `{"mode": "odd", "slaves": "a"}`, "Invalid option -- Interface: x, Option: mode, Expected: " +
			"[0|1|2|3|4|5|6|balance-rr|active-backup|balance-xor|broadcast|802.3ad|balance-tlb|balance-alb]"},
		{"x", "bond", `{"mode": 0, "slaves": "a"}`, "Invalid option -- Interface: x, Option: arp_ip_target, Expected: " +
			"[list of ips (up to 16)]"},
		{"x", "bridge", `{}`, "ports is a required setting for bridge interfaces on Debian or Ubuntu based systems"},
		{"x", "slave", `{}`, "master is a required setting for slave interfaces"},
		{"x", "eth", `{"duplex": "both"}`, "Invalid option -- Interface: x, Option: duplex, Expected: [full|half]"},
	} {
		i, err := (&builder{r.name, r.kind, modtest.JSON(t, r.args).(*value.Dict)}).build(true)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = i.text(r.name)
		}
		if d := cmp.Diff(r.want, got); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", r.kind, r.args, d)
		}
	}
}

// TestOthersStay: comments and other interfaces of the file stay as they are.
func TestOthersStay(t *testing.T) {
	h := networked(map[string]string{interfacesFile: someInterfaces})(t)
	args := modtest.JSON(t, `{"proto": "manual"}`).(*value.Dict)
	for _, name := range []string{"eth1", "eth0"} {
		if _, err := (&Managed{Name: name, Type: "eth", Enabled: true, Rest: args}).Act(t.Context(), debianHost(t),
			h); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := h.ReadFile(interfacesFile)
	want := strings.NewReplacer("auto lo eth1", "auto lo", "iface eth0 inet static\n    address 192.0.2.10\n    netmask "+
		"255.255.255.0\n    up echo hello\n", "iface eth0 inet manual\n", "iface eth1 inet dhcp",
		"auto eth1\niface eth1 inet manual").Replace(someInterfaces)
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestSystemKeepsTheRest: of /etc/default/networking one line changes, and nothing in a second run.
func TestSystemKeepsTheRest(t *testing.T) {
	h := networked(map[string]string{defaultFile: "# x\nCONFIGURE_INTERFACES=yes\nVERBOSE=no\n"})(t)
	no := false
	for _, alters := range []bool{true, false} {
		s := &System{Name: "network", Enabled: &no, Rest: value.NewDict(0)}
		if e, err := s.Act(t.Context(), debianHost(t), h); err != nil || e.Alters() != alters {
			t.Errorf("%v %v", value.Repr(e.Changes), err)
		}
	}
	if got, _ := h.ReadFile(defaultFile); string(got) != "# x\nCONFIGURE_INTERFACES=no\nVERBOSE=no\n" {
		t.Errorf("the file has %q", got)
	}
}

// TestDefaults: the line takes the place of the comment that stands for it.
func TestDefaults(t *testing.T) {
	h, yes := networked(map[string]string{defaultFile: "# see interfaces(5)\n#CONFIGURE_INTERFACES=yes\n#VERBOSE=no\n"})(t), true
	e, err := (&System{Enabled: &yes, apply: apply{RequireReboot: true}}).Act(t.Context(), debianHost(t), h)
	want := "{'network_settings': '--- \\n+++ \\n@@ -1 +1,2 @@\\n+NETWORKING=yes\\n\\n HOSTNAME=web1\\n'}"
	if d := cmp.Diff(want, value.Repr(e.Changes)); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	got, _ := h.ReadFile(defaultFile)
	if d := cmp.Diff("# see interfaces(5)\nCONFIGURE_INTERFACES=yes\n#VERBOSE=no\n", string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestIP(t *testing.T) {
	h := networked(map[string]string{interfacesFile: someInterfaces, resolvFile: "domain d.example\n"})(t)
	modtest.Execs{Family: IP(), Host: h, Env: debianHost(t)}.Table(t, [][4]string{
		{"ip.get_interface", `["eth1"]`, "", `['auto eth1\n', 'iface eth1 inet dhcp\n', '\n']`},
		{"ip.get_interface", `["none"]`, "", `[]`},
		{"ip.build_interface", `["eth9", "eth", true]`, `{"proto": "dhcp", "test": true}`,
			`['auto eth9\n', 'iface eth9 inet dhcp\n', '\n']`},
		{"ip.build_interface", `["eth9", "eth", false]`, `{"proto": "dhcp"}`, `['iface eth9 inet dhcp\n', '\n']`},
		{"ip.get_interface", `["eth9"]`, "", `['iface eth9 inet dhcp\n', '\n']`},
		{"ip.get_network_settings", `[]`, "", `['HOSTNAME=web1\n', 'DOMAIN=d.example\n']`},
		{"ip.get_routes", `["eth0"]`, "", `[]`},
		{"ip.up", `["eth0", "eth"]`, "", `''`},
	})
}
