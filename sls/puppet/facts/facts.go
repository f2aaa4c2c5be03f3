// Package facts tells a machine's grains by the names that Facter gives them: the structured ones (os.family,
// networking.ip) and those of old (osfamily, ipaddress).
package facts

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/state/value"
)

// FromGrains makes facts of grains. What no grain tells is not among them.
func FromGrains(grains *value.Dict) *types.Hash {
	g := reader{grains}
	f := types.NewHash()
	os := g.os()
	network := g.network()
	f.Set("os", os)
	f.Set("networking", network)
	f.Set("kernel", g.text("kernel"))
	f.Set("kernelrelease", g.text("kernelrelease"))
	version, _, _ := strings.Cut(g.text("kernelrelease"), "-")
	f.Set("kernelversion", version)
	f.Set("kernelmajversion", upTo(version, 2))
	f.Set("virtual", g.text("virtual"))
	f.Set("is_virtual", g.text("virtual") != "physical")
	f.Set("processors", types.NewHash("count", g.number("num_cpus"), "models", []any{g.text("cpu_model")}, "isa",
		g.text("cpuarch")))
	total := g.number("mem_total") * 1 << 20
	f.Set("memory", types.NewHash("system", types.NewHash("total_bytes", total)))
	f.Set("path", g.text("path"))
	f.Set("timezone", g.text("timezone"))
	f.Set("puppetversion", "7.23.0")
	f.Set("facterversion", "4.3.0")
	f.Set("service_provider", g.provider())
	f.Set("selinux", false)
	legacy(f, os, network)
	return f
}

// upTo are the first n parts of a version.
func upTo(version string, n int) string {
	parts := strings.SplitN(version, ".", n+1)
	return strings.Join(parts[:min(n, len(parts))], ".")
}

type reader struct{ grains *value.Dict }

func (g reader) text(name string) string {
	v, ok := g.grains.GetStr(name)
	if !ok || v == value.None {
		return ""
	}
	return value.String(v)
}

func (g reader) number(name string) int64 {
	v, _ := g.grains.GetStr(name)
	n, _ := v.(value.Int)
	return int64(n)
}

func (g reader) list(name string) (out []string) {
	v, _ := g.grains.GetStr(name)
	l, ok := v.(*value.List)
	for i := 0; ok && i < len(l.Items); i++ {
		out = append(out, value.String(l.Items[i]))
	}
	return out
}

func (g reader) provider() string {
	if init := g.text("init"); init != "" {
		return init
	}
	return "base"
}

func (g reader) os() *types.Hash {
	release := g.text("osrelease")
	full := types.NewHash("full", release, "major", firstOf(g.text("osmajorrelease"), upTo(release, 1)))
	if _, minor, ok := strings.Cut(release, "."); ok {
		full.Set("minor", minor)
	}
	arch := g.text("osarch")
	os := types.NewHash("name", g.text("os"), "family", g.text("os_family"), "release", full, "architecture", arch,
		"hardware", g.text("cpuarch"), "selinux", types.NewHash("enabled", false))
	if code := g.text("oscodename"); code != "" {
		os.Set("distro", types.NewHash("codename", code, "id", g.text("os"), "description", g.text("osfullname")+" "+release,
			"release", full))
	}
	return os
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (g reader) network() *types.Hash {
	n := types.NewHash("hostname", g.text("host"), "fqdn", g.text("fqdn"))
	if d := g.text("domain"); d != "" {
		n.Set("domain", d)
	}
	for _, ip := range g.list("ipv4") {
		if !strings.HasPrefix(ip, "127.") {
			n.Set("ip", ip)
			break
		}
	}
	for _, ip := range g.list("ipv6") {
		if ip != "::1" && !strings.HasPrefix(ip, "fe80") {
			n.Set("ip6", ip)
			break
		}
	}
	return n
}

// legacy adds the flat names of old.
func legacy(f, os, network *types.Hash) {
	release, _ := os.Value("release").(*types.Hash)
	for name, v := range map[string]any{"operatingsystem": os.Value("name"), "osfamily": os.Value("family"),
		"architecture": os.Value("architecture"), "hardwaremodel": os.Value("hardware"),
		"operatingsystemrelease": release.Value("full"), "operatingsystemmajrelease": release.Value("major"),
		"hostname": network.Value("hostname"), "fqdn": network.Value("fqdn"), "domain": network.Value("domain"),
		"ipaddress": network.Value("ip"), "ipaddress6": network.Value("ip6")} {
		if v != nil {
			f.Set(name, v)
		}
	}
	if d, ok := os.Value("distro").(*types.Hash); ok {
		f.Set("lsbdistcodename", d.Value("codename"))
		f.Set("lsbdistid", d.Value("id"))
	}
}
