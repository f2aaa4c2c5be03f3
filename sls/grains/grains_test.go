package grains

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

type fakeNet struct{}

func (fakeNet) Interfaces() []Interface {
	return []Interface{
		{Name: "lo", HWAddr: "00:00:00:00:00:00", Addrs: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/8"),
			netip.MustParsePrefix("::1/128")}},
		{Name: "eth0", HWAddr: "52:54:00:12:34:56", Addrs: []netip.Prefix{netip.MustParsePrefix("192.0.2.10/24"),
			netip.MustParsePrefix("2001:db8::10/64"), netip.MustParsePrefix("fe80::5054:ff:fe12:3456/64")}},
	}
}
func (fakeNet) Canonical(context.Context, string) string       { return "" }
func (fakeNet) Addresses(context.Context, string) []netip.Addr { return nil }

// debian12 is a machine as the recorded grains describe it.
func debian12() *hosttest.Memory {
	m := hosttest.NewMemory()
	for p, text := range map[string]string{
		"/etc/os-release": "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian " +
			"GNU/Linux\"\nVERSION_ID=\"12\"\nVERSION=\"12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n",
		"/etc/hosts": "127.0.0.1 localhost\n192.0.2.10 debian12.example.com debian12 # me\n2001:db8::10 " +
			"debian12.example.com\n",
		"/etc/machine-id":         "0123456789abcdef0123456789abcdef\n",
		"/etc/resolv.conf":        "# x\nsearch example.com\nnameserver 192.0.2.53\n",
		"/proc/sys/kernel/ostype": "Linux\n", "/proc/sys/kernel/hostname": "debian12\n",
		"/proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
		"/proc/sys/kernel/version":   "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)\n",
		"/proc/sys/kernel/arch":      "x86_64\n",
		"/proc/cmdline":              "BOOT_IMAGE=/boot/vmlinuz root=/dev/vda1 ro quiet\n",
		"/proc/cpuinfo": "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: QEMU Virtual CPU version " +
			"2.5+\nflags\t\t: fpu de hypervisor\n\nprocessor\t: 1\nmodel name\t: QEMU Virtual CPU version 2.5+\n",
		"/proc/meminfo": "MemTotal:        4009984 kB\nMemFree: 1 kB\nSwapTotal:        998396 kB\n",
		"/proc/net/route": "Iface\tDestination\tGateway " +
			"\tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\neth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n",
		"/proc/net/ipv6_route": "00000000000000000000000000000000 00 00000000000000000000000000000000 00 " +
			"20010db8000000000000000000000001 00000400 00000001 00000000 00450003     eth0\n",
		"/sys/class/dmi/id/sys_vendor": "QEMU\n", "/sys/class/dmi/id/product_name": "Standard PC (Q35 + ICH9, 2009)\n",
		"/sys/class/dmi/id/bios_version": "1.16.2-debian-1.16.2-1\n", "/sys/class/dmi/id/product_uuid": "ABCD-EF\n",
		"/sys/block/vda/queue/rotational": "1\n", "/sys/block/nvme0n1/queue/rotational": "0\n", "/run/systemd/system/x": "",
		"/sys/bus/pci/devices/0000:00:02.0/class":  "0x030000\n",
		"/sys/bus/pci/devices/0000:00:02.0/vendor": "0x1002\n",
		"/sys/bus/pci/devices/0000:00:02.0/device": "0x744c\n",
		"/sys/bus/pci/devices/0000:00:03.0/class":  "0x020000\n",
		"/usr/share/misc/pci.ids":                  "0e11  Compaq\n\t744c  other\n1002  AMD\n\t744b  Navi\n\t744c  Navi 31\n",
	} {
		m.MustWrite(p, text, 0o644)
	}
	m.MustWrite("/usr/bin/systemctl", "", 0o755)
	m.MustWrite("/usr/bin/localectl", "", 0o755)
	m.Script = func(c host.Cmd) (*host.Output, error) {
		switch c.Args[0] {
		case "dpkg":
			return &host.Output{Stdout: []byte("amd64\n")}, nil
		case "systemctl":
			return &host.Output{Stdout: []byte("systemd 252 (252.22-1~deb12u1)\n+PAM +AUDIT\n")}, nil
		}
		return nil, errors.New("no such command")
	}
	m.ClearJournal()
	return m
}

func newGrains(t *testing.T, m *hosttest.Memory, o Options) *Grains {
	t.Helper()
	o.Network = fakeNet{}
	if o.Getenv == nil {
		o.Getenv = func(k string) string {
			return map[string]string{"PATH": "/usr/bin:/bin", "LANG": "en_US.UTF-8", "SHELL": "/bin/bash"}[k]
		}
	}
	g, err := New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDebian12(t *testing.T) {
	g := newGrains(t, debian12(), Options{})
	for _, c := range [][2]string{
		{"kernel", "'Linux'"}, {"kernelrelease", "'6.1.0-18-amd64'"}, {"cpuarch", "'x86_64'"}, {"nodename", "'debian12'"},
		{"kernelparams", "[['BOOT_IMAGE', '/boot/vmlinuz'], ['root', '/dev/vda1'], ['ro', None], ['quiet', None]]"},
		{"os", "'Debian'"}, {"os_family", "'Debian'"}, {"osfullname", "'Debian GNU/Linux'"}, {"osrelease", "'12'"},
		{"osrelease_info", "[12]"},
		{"osmajorrelease", "12"}, {"oscodename", "'bookworm'"}, {"osfinger", "'Debian-12'"}, {"osarch", "'amd64'"},
		{"id", "'debian12.example.com'"}, {"fqdn", "'debian12.example.com'"}, {"host", "'debian12'"},
		{"domain", "'example.com'"}, {"localhost", "'debian12'"},
		{"fqdn_ip4", "['192.0.2.10']"}, {"fqdn_ip6", "['2001:db8::10']"}, {"fqdns", "['debian12.example.com']"},
		{"server_id", "2049775918"},
		{"ip_interfaces", "{'lo': ['127.0.0.1', '::1'], 'eth0': ['192.0.2.10', '2001:db8::10', 'fe80::5054:ff:fe12:3456']}"},
		{"ip4_interfaces:eth0:0", "'192.0.2.10'"}, {"ipv4", "['127.0.0.1', '192.0.2.10']"},
		{"ipv6", "['::1', '2001:db8::10', 'fe80::5054:ff:fe12:3456']"},
		{"hwaddr_interfaces", "{'lo': '00:00:00:00:00:00', 'eth0': '52:54:00:12:34:56'}"}, {"ip4_gw", "'192.0.2.1'"},
		{"ip6_gw", "'2001:db8::1'"}, {"ip_gw", "True"},
		{"dns:nameservers", "['192.0.2.53']"}, {"dns:search", "['example.com']"}, {"init", "'systemd'"},
		{"systemd", "{'version': '252', 'features': '+PAM +AUDIT'}"},
		{"num_cpus", "2"}, {"cpu_model", "'QEMU Virtual CPU version 2.5+'"}, {"cpu_flags", "['fpu', 'de', 'hypervisor']"},
		{"mem_total", "3916"}, {"swap_total", "974"},
		{"virtual", "'kvm'"}, {"manufacturer", "'QEMU'"}, {"productname", "'Standard PC (Q35 + ICH9, 2009)'"},
		{"uuid", "'abcd-ef'"}, {"disks", "['vda']"}, {"ssds", "['nvme0n1']"},
		{"path", "'/usr/bin:/bin'"}, {"systempath", "['/usr/bin', '/bin']"}, {"shell", "'/bin/bash'"},
		{"locale_info:defaultlanguage", "'en_US'"},
		{"saltversioninfo", "[3006, 9]"}, {"saltversion", "'3006.9'"},
		{"pythonversion", "[3, 10, 14, 'final', 0]"}, {"pythonexecutable", "'/opt/saltstack/salt/bin/python3.10'"},
		{"num_gpus", "1"}, {"gpus", "[{'vendor': 'amd', 'model': 'Navi 31'}]"}, {"efi", "False"},
		{"machine_id", "'0123456789abcdef0123456789abcdef'"},
	} {
		v, ok := g.Get(c[0])
		got := "absent"
		if ok {
			got = value.Repr(v)
		}
		if diff := cmp.Diff(c[1], got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c[0], diff)
		}
	}
	for _, absent := range []string{"virtual_subtype", "lsb_distrib_id", "lsb_distrib_codename", "timezone", "selinux",
		"nope", "os:nope", "lvm"} {
		if v, ok := g.Get(absent); ok {
			t.Errorf("%s is %s, want absent", absent, value.Repr(v))
		}
	}
}

// TestLazy holds that a grain costs only what it needs.
func TestLazy(t *testing.T) {
	m := debian12()
	g := newGrains(t, m, Options{})
	for _, k := range []string{"os_family", "osfinger", "id", "mem_total", "ip4_interfaces"} {
		g.Get(k)
	}
	if len(m.Ran) > 0 {
		t.Errorf("ran %v", m.Ran)
	}
}

// TestLazyDict: what is looked up in the dict by name costs no more; each grain is as it was when it was first read.
func TestLazyDict(t *testing.T) {
	m := debian12()
	g := newGrains(t, m, Options{ConfigGrains: value.DictOf("a:b", value.Int(1))})
	look := func(name string) string { v, _ := g.Dict().GetStr(name); return value.Repr(v) }
	if got := look("os_family") + look("a:b"); got != "'Debian'1" || len(m.Ran) > 0 {
		t.Errorf("got %s, ran %v", got, m.Ran)
	}
	m.MustWrite("/etc/os-release", "ID=arch\n", 0o644)
	m.MustWrite("/etc/machine-id", "late\n", 0o644)
	if got := look("os_family") + look("machine_id"); got != "'Debian''late'" || len(m.Ran) > 0 {
		t.Errorf("later %s, ran %v", got, m.Ran)
	}
	n := g.Dict().Len()
	if v, _ := g.Dict().GetStr("systemd"); n < 60 || len(m.Ran) == 0 || v == nil || look("os_family") != "'Debian'" {
		t.Errorf("all %d: %s, ran %v", n, value.Repr(g.Dict()), m.Ran)
	}
}

// TestArchOfDpkg: dpkg's own file says what it is built for, so that it need not run.
func TestArchOfDpkg(t *testing.T) {
	for want, head := range map[string]string{
		"amd64": "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00",
		"arm64": "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\xb7\x00",
		"s390x": "\x7fELF\x02\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x16",
		"i386":  "\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x03\x00",
	} {
		m := debian12()
		m.MustWrite("/usr/bin/dpkg", head+strings.Repeat("\x00", 44), 0o755)
		if v, _ := newGrains(t, m, Options{}).Get("osarch"); v != value.Str(want) || len(m.Ran) > 0 {
			t.Errorf("got %v, want %s; ran %v", v, want, m.Ran)
		}
	}
}

func TestDistributions(t *testing.T) {
	for _, c := range []struct{ name, release, extra, want string }{
		{"ubuntu", "NAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\nVERSION_CODENAME=jammy\nID=ubuntu\nID_LIKE=debian\n",
			"DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=22.04\nDISTRIB_CODENAME=jammy\nDISTRIB_DESCRIPTION=\"Ubuntu 22.04.3 LTS\"\n",
			"['Ubuntu', 'Debian', 'Ubuntu', '22.04', [22, 4], 22, 'jammy', 'Ubuntu-22.04']"},
		{"rocky", "NAME=\"Rocky Linux\"\nVERSION=\"9.3 (Blue Onyx)\"\nID=\"rocky\"\nID_LIKE=\"rhel centos " +
			"fedora\"\nVERSION_ID=\"9.3\"\nPRETTY_NAME=\"Rocky Linux 9.3 (Blue Onyx)\"\n", "",
			"['Rocky', 'RedHat', 'Rocky Linux', '9.3', [9, 3], 9, 'Blue Onyx', 'Rocky Linux-9']"},
		{"alma", "NAME=\"AlmaLinux\"\nVERSION=\"8.9 (Midnight " +
			"Oncilla)\"\nID=\"almalinux\"\nVERSION_ID=\"8.9\"\nPRETTY_NAME=\"AlmaLinux 8.9 (Midnight Oncilla)\"\n", "",
			"['AlmaLinux', 'RedHat', 'AlmaLinux', '8.9', [8, 9], 8, 'Midnight Oncilla', 'AlmaLinux-8']"},
		{"centos stream", "NAME=\"CentOS Stream\"\nVERSION=\"9\"\nID=\"centos\"\nVERSION_ID=\"9\"\nPRETTY_NAME=\"CentOS " +
			"Stream 9\"\n", "",
			"['CentOS Stream', 'RedHat', 'CentOS Stream', '9', [9], 9, 'CentOS Stream 9', 'CentOS Stream-9']"},
		{"rhel", "NAME=\"Red Hat Enterprise Linux\"\nVERSION=\"9.2 " +
			"(Plow)\"\nID=\"rhel\"\nVERSION_ID=\"9.2\"\nPRETTY_NAME=\"Red Hat Enterprise Linux 9.2 (Plow)\"\n", "",
			"['RedHat', 'RedHat', 'Red Hat Enterprise Linux', '9.2', [9, 2], 9, 'Plow', 'Red Hat Enterprise Linux-9']"},
		{"fedora", "NAME=\"Fedora Linux\"\nID=fedora\nVERSION_ID=39\nVERSION_CODENAME=\"\"\nPRETTY_NAME=\"Fedora Linux 39\"\n", "",
			"['Fedora', 'RedHat', 'Fedora Linux', '39', [39], 39, None, 'Fedora Linux-39']"},
		{"amazon", "NAME=\"Amazon Linux\"\nID=\"amzn\"\nVERSION_ID=\"2\"\nPRETTY_NAME=\"Amazon Linux " +
			"2\"\nCPE_NAME=\"cpe:2.3:o:amazon:amazon_linux:2\"\n", "",
			"['Amazon', 'RedHat', 'Amazon Linux', '2', [2], 2, 'Amazon Linux 2', 'Amazon Linux-2']"},
		{"sles", "NAME=\"SLES\"\nVERSION_ID=\"15.4\"\nID=\"sles\"\nPRETTY_NAME=\"SUSE Linux Enterprise Server 15 " +
			"SP4\"\nCPE_NAME=\"cpe:/o:suse:sles:15:sp4\"\n", "",
			"['SUSE', 'Suse', 'SLES', '15.4', [15, 4], 15, 'SUSE Linux Enterprise Server 15 SP4', 'SLES-15']"},
		{"leap", "NAME=\"openSUSE Leap\"\nID=\"opensuse-leap\"\nVERSION_ID=\"15.5\"\nPRETTY_NAME=\"openSUSE Leap " +
			"15.5\"\nCPE_NAME=\"cpe:/o:opensuse:leap:15.5\"\n", "",
			"['SUSE', 'Suse', 'Leap', '15.5', [15, 5], 15, 'openSUSE Leap 15.5', 'Leap-15']"},
		{"arch", "NAME=\"Arch Linux\"\nID=arch\nBUILD_ID=rolling\nPRETTY_NAME=\"Arch Linux\"\n", "",
			"['Arch', 'Arch', 'Arch Linux', 'rolling', ['rolling'], None, 'Arch Linux', 'Arch Linux-rolling']"},
		{"alpine", "NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.18.4\nPRETTY_NAME=\"Alpine Linux v3.18\"\n", "",
			"['Alpine', 'Alpine', 'Alpine Linux', '3.18.4', [3, 18, 4], 3, 'Alpine Linux v3.18', 'Alpine Linux-3']"},
		{"gentoo", "NAME=Gentoo\nID=gentoo\nVERSION_ID=2.14\nPRETTY_NAME=\"Gentoo Linux\"\n", "",
			"['Gentoo', 'Gentoo', 'Gentoo', '2.14', [2, 14], 2, 'Gentoo Linux', 'Gentoo-2']"},
		{"mint", "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=ubuntu\nVERSION_ID=\"21\"\nVERSION_CODENAME=vanessa\n", "",
			"['Mint', 'Debian', 'Linux Mint', '21', [21], 21, 'vanessa', 'Linux Mint-21']"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := hosttest.NewMemory()
			m.MustWrite("/etc/os-release", c.release, 0o644)
			if c.extra != "" {
				m.MustWrite("/etc/lsb-release", c.extra, 0o644)
			}
			g := newGrains(t, m, Options{})
			got := value.NewList()
			for _, k := range []string{"os", "os_family", "osfullname", "osrelease", "osrelease_info", "osmajorrelease",
				"oscodename", "osfinger"} {
				v, ok := g.Get(k)
				if !ok {
					v = value.None
				}
				got.Items = append(got.Items, v)
			}
			if diff := cmp.Diff(c.want, value.Repr(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestContainer(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []value.Value
	}{
		{"/.dockerenv", "", []value.Value{value.Str("container"), nil}},
		{"/run/systemd/container", "systemd-nspawn\n", []value.Value{value.Str("systemd-nspawn"), nil}},
		{"/proc/1/cgroup", "1:name=systemd:/docker/1\n", []value.Value{value.Str("container"), value.Str("Docker")}},
		{"/proc/1/environ", "container=lxc\x00", []value.Value{value.Str("container"), value.Str("LXC")}},
	} {
		m := debian12()
		m.MustWrite(c.file, c.text, 0o644)
		g := newGrains(t, m, Options{})
		kind, _ := g.Get("virtual")
		sub, _ := g.Get("virtual_subtype")
		if diff := cmp.Diff(c.want, []value.Value{kind, sub}); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
	}
}

// TestPrecedence: the machine, then files, then configuration, then overrides.
func TestPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grains")
	if err := os.WriteFile(file, []byte("os: FromFile\nroles: [web]\nenv: file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := newGrains(t, debian12(), Options{
		ID: "web1", StaticFiles: []string{"/does/not/exist", file},
		ConfigGrains: value.DictOf("env", value.Str("config")),
		Overrides: value.DictOf("os_family", value.Str("X"), "dns", value.DictOf("domain", value.Str("d")), "new",
			value.Int(1)),
	})
	d := g.Dict()
	for _, c := range [][2]string{{"os", "'FromFile'"}, {"roles", "['web']"}, {"env", "'config'"}, {"os_family", "'X'"},
		{"id", "'web1'"}, {"new", "1"}, {"osfinger", "'Debian-12'"}} {
		if v, _ := d.GetStr(c[0]); v == nil || value.Repr(v) != c[1] {
			t.Errorf("%s: got %v, want %s", c[0], v, c[1])
		}
	}
	if v, _ := g.Get("dns:nameservers:0"); v != value.Str("192.0.2.53") {
		t.Errorf("an override of one key dropped the others: %v", v)
	}
	if v, _ := g.Get("dns:domain"); v != value.Str("d") {
		t.Errorf("got %v", v)
	}
}

func TestOverrideFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grains.json")
	if err := os.WriteFile(file, []byte(`{"os": "Plan9", "osmajorrelease": 4}`), 0o600); err != nil {
		t.Fatal(err)
	}
	m := debian12()
	g := newGrains(t, m, Options{OverrideFile: file, Overrides: value.DictOf("x", value.Int(1))})
	if got, want := value.Repr(g.Dict()), "{'os': 'Plan9', 'osmajorrelease': 4, 'x': 1}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, ok := g.Get("kernel"); ok {
		t.Error("the machine was asked")
	}
	if _, err := New(m, Options{OverrideFile: "/does/not/exist"}); err == nil {
		t.Error("want an error")
	}
}

// TestRealMachine looks at the machine that the tests run on: every grain can be had, whatever it is.
func TestRealMachine(t *testing.T) {
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(h, Options{ID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	d := g.Dict()
	for _, k := range []string{"kernel", "os", "os_family", "osfinger", "osarch", "cpuarch", "num_cpus", "mem_total",
		"fqdn", "ipv4", "virtual", "init"} {
		if _, ok := d.GetStr(k); !ok {
			t.Errorf("no grain %s", k)
		}
	}
	t.Log(value.Repr(d))
}

// Who is asked for further grains may want those that are there, also while the whole of them is being made.
func TestBroughtGrainsAskForGrains(t *testing.T) {
	g := newGrains(t, debian12(), Options{})
	g.Bring(func() *value.Dict {
		known := g.Dict()
		return value.DictOf("seen", value.Int(known.Len()), "brought before", value.Bool(known.Has(value.Str("seen"))))
	})
	all := g.Dict()
	size := all.Len()
	n, _ := all.GetStr("seen")
	if got := value.Repr(n); size < 50 || got == "0" {
		t.Errorf("%d grains in all, %s of them were seen", size, got)
	}
	if before, _ := all.GetStr("brought before"); before != value.Value(value.Bool(false)) {
		t.Errorf("who is asked for grains finds his own: %v", before)
	}
}
