package alias

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestConformance(t *testing.T) {
	const file = "/etc/aliases"
	tools := func(m *hosttest.Memory, _ host.Cmd) (*host.Output, error) { // newaliases
		raw, _ := m.ReadFile(file)
		m.MustWrite(file+".db", string(raw), 0o640)
		return &host.Output{}, nil
	}
	with := func(text string, server bool) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			if text != "" {
				m.MustWrite(file, text, 0o644)
			}
			if server {
				m.MustWrite("/usr/bin/newaliases", "", 0o755)
			}
		})
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"no file":  with("", false),
			"another":  with("# aliases\nroot: bob\n", false),
			"the same": with("root: alice, bob # x\n", false),
			"a server": with("\"root\":\talice", true),
		},
		Deeds: []modtest.Deed{
			modtest.State("alias.present", "root", "target", "alice"),
			modtest.State("alias.present", "root", "target", []string{"alice", "bob"}),
			modtest.State("alias.absent", "root"),
		},
		Beyond: []string{file + ".db"},
	}.Run(t)
}
