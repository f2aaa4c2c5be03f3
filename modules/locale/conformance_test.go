package locale

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools are locale and locale-gen on a machine in memory, which keeps its locales in a file.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[0] == "locale" {
		have, _ := m.ReadFile("/usr/lib/locale/all")
		return &host.Output{Stdout: append([]byte("C\n"), have...)}, nil
	}
	noted, _ := m.ReadFile(generated)
	text := ""
	for l := range strings.Lines(string(noted)) {
		if !strings.HasPrefix(l, "#") {
			text += normal(strings.TrimSpace(l)) + "\n"
		}
	}
	m.MustWrite("/usr/lib/locale/all", text, 0o644)
	return &host.Output{}, nil
}

func TestConformance(t *testing.T) {
	with := func(noted, system string, debian bool) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			m.MustWrite("/usr/sbin/locale-gen", "", 0o755)
			m.MustMkdir("/usr/lib/locale")
			m.MustWrite("/usr/share/i18n/SUPPORTED", "de_DE.UTF-8 UTF-8\nde_DE ISO-8859-1\nde_DE@euro ISO-8859-15\n", 0o644)
			if noted != "" {
				m.MustWrite(generated, noted, 0o644)
			}
			if debian {
				m.MustWrite("/etc/debian_version", "12\n", 0o644)
				m.MustWrite("/etc/locale.conf", system, 0o644)
				m.MustMkdir("/etc/default")
				if err := m.Symlink("../locale.conf", "/etc/default/locale"); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"no package": with("", "", false), "new": with("# de_DE.UTF-8 UTF-8\n", "", true),
			"set": with("# x\n", "LANG=\"C\"\n", true)},
		Deeds: []modtest.Deed{
			modtest.State("locale.present", "de_DE.UTF-8"), modtest.State("locale.present", "de_DE@euro"),
			modtest.State("locale.present", "de_DE.UTF-8 UTF-8"),
			modtest.State("locale.present", "xx_YY.UTF-8"), modtest.State("locale.present", "C"),
			modtest.State("locale.system", "de_DE.UTF-8"), modtest.State("locale.system", "C"),
		},
		Beyond: []string{"/usr/lib/locale"},
	}.Run(t)
}
