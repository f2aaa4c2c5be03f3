package network

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host/hosttest"
)

// FuzzInterfaces: an interface that is written is read as the same, and the lines of the others stay.
func FuzzInterfaces(f *testing.F) {
	for _, s := range []string{
		"auto lo\niface lo inet loopback\nauto eth0 eth1\niface eth0 inet static\n  address 10.0.0.2/24\n  up ip " +
			"route\niface eth0 inet6 auto\n",
		"source /etc/network/interfaces.d/*\nallow-hotplug eth0\niface eth0 inet dhcp\n# c\n",
		"mapping eth0\n script x\niface", "iface eth0 a b c d\n x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const name = "eth0"
		m := hosttest.NewMemory()
		m.MustMkdir("/etc/network")
		m.MustWrite(interfacesFile, text, 0o644)
		all, err := files(m)
		if err != nil {
			t.Fatal(err)
		}
		i, ok := read(all, name)
		for n, l := range all[0].lines {
			if all[0].about[n] == "" && strings.TrimLeft(l, " \t") != l {
				return // an option of no interface
			}
		}
		if !ok {
			return
		}
		before := linesOfOthers(all[0], name)
		all[0].replace(name, i.text(name))
		m.MustWrite(interfacesFile, strings.Join(all[0].lines, "\n")+"\n", 0o644)
		again, err := files(m)
		if err != nil {
			t.Fatal(err)
		}
		j, ok := read(again, name)
		if !ok || i.text(name) != j.text(name) {
			t.Fatalf("%q became %q\n%s", text, all[0].lines, cmp.Diff(i.text(name), j.text(name)))
		}
		if after := linesOfOthers(again[0], name); !slices.Equal(before, after) {
			t.Fatalf("replacing %s in %q\nbefore %q\nafter  %q", name, text, before, after)
		}
	})
}

// linesOfOthers are the lines that are about other interfaces, or about none.
func linesOfOthers(f *file, name string) (out []string) {
	for n, l := range f.lines {
		if f.about[n] != name {
			out = append(out, others(l, name))
		}
	}
	return out
}
