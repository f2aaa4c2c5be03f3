package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/state/value"
)

func TestFromGrains(t *testing.T) {
	ips := value.NewList(value.Str("127.0.0.1"), value.Str("10.0.0.7"))
	f := FromGrains(value.DictOf("os", value.Str("Debian"), "os_family", value.Str("Debian"), "osrelease", value.Str("12.4"),
		"oscodename", value.Str("bookworm"), "kernelrelease", value.Str("6.1.0-18-amd64"), "host", value.Str("web1"), "fqdn",
		value.Str("web1.example.com"), "domain", value.Str("example.com"), "ipv4", ips, "num_cpus", value.Int(4), "virtual",
		value.Str("kvm")))
	got := map[string]string{}
	for name, path := range map[string][]string{"family": {"os", "family"}, "major": {"os", "release", "major"},
		"minor": {"os", "release", "minor"}, "codename": {"os", "distro", "codename"}, "ip": {"networking", "ip"},
		"cpus": {"processors", "count"}, "legacy": {"osfamily"}, "address": {"ipaddress"}, "kernel": {"kernelmajversion"},
		"virtual": {"is_virtual"}} {
		var v any = f
		for _, p := range path {
			h, _ := v.(*types.Hash)
			v = h.Value(p)
		}
		got[name] = types.Text(v)
	}
	want := map[string]string{"family": "Debian", "major": "12", "minor": "4", "codename": "bookworm", "ip": "10.0.0.7",
		"cpus": "4", "legacy": "Debian", "address": "10.0.0.7", "kernel": "6.1", "virtual": "true"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
