package hosts

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestConformance(t *testing.T) {
	with := func(text string) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) {
			if text != "" {
				m.MustWrite("/etc/hosts", text, 0o644)
			}
		})
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"no file": with(""),
			"another": with("127.0.0.1\tlocalhost\n10.0.0.2 db # the old one\n"),
			"there":   with("10.0.0.1 db db.local\n"),
			"both":    with("10.0.0.1 db\n10.0.0.2 other db"),
		},
		Deeds: []modtest.Deed{
			modtest.State("host.present", "db", "ip", "10.0.0.1"),
			modtest.State("host.present", "db", "ip", []string{"10.0.0.1", "10.0.0.3"}),
			modtest.State("host.present", "db", "ip", "10.0.0.1", "clean", true),
			modtest.State("host.absent", "db", "ip", "10.0.0.2"),
			modtest.State("host.absent", "db", "ip", []string{"10.0.0.1", "10.0.0.2"}),
			modtest.State("host.present", "db", "ip", "10.0.0.2", "comment", "new"),
			modtest.State("host.only", "10.0.0.1", "hostnames", []string{"db", "db.local"}),
			modtest.State("host.only", "10.0.0.9", "hostnames", []string{"new"}),
		},
	}.Run(t)
}
