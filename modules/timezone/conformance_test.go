package timezone

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestConformance(t *testing.T) {
	with := func(set func(m *hosttest.Memory)) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) {
			m.MustWrite(zones+"Europe/Berlin", "TZif", 0o644)
			m.MustWrite(zones+"Etc/UTC", "TZif", 0o644)
			set(m)
		})
	}
	link := func(m *hosttest.Memory, to string) {
		if err := m.Symlink(to, localtime); err != nil {
			panic(err)
		}
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"none":   with(func(*hosttest.Memory) {}),
			"debian": with(func(m *hosttest.Memory) { m.MustWrite("/etc/debian_version", "12\n", 0o644) }),
			"a copy": with(func(m *hosttest.Memory) { m.MustWrite(localtime, "TZif", 0o644) }),
			"set":    with(func(m *hosttest.Memory) { link(m, "../usr/share/zoneinfo/Europe/Berlin") }),
			"another": with(func(m *hosttest.Memory) {
				link(m, zones+"Etc/UTC")
				m.MustWrite(named, "Etc/UTC\n", 0o644)
				m.MustWrite(adjtime, "0.1 2 0.0\n2\nLOCAL\n", 0o644)
			}),
		},
		Deeds: []modtest.Deed{
			modtest.State("timezone.system", "Europe/Berlin"),
			modtest.State("timezone.system", "Europe/Berlin", "utc", false),
			modtest.State("timezone.system", "Europe"),
		},
	}.Run(t)
}
