package archive

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestConformance(t *testing.T) {
	app := tarball(t, entry{name: "app/"}, entry{name: "app/bin/run", text: "go"},
		entry{name: "app/latest", link: "bin/run"})
	with := func(set func(m *hosttest.Memory)) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) {
			m.AddUser("alice", 1000)
			m.MustWrite("/srv/app.tgz", string(app), 0o644)
			set(m)
		})
	}
	modtest.Suite{
		Family: Family(),
		Env: func(*testing.T) *modules.Env {
			return &modules.Env{Progress: func(string) {}, Files: files{m: map[string][]byte{
				"salt://app.tgz": app, "salt://two.tgz": tarball(t, entry{name: "a", text: "1"}, entry{name: "b", text: "2"})}}}
		},
		Situations: modtest.Situations{
			"nothing":           with(func(*hosttest.Memory) {}),
			"a folder":          with(func(m *hosttest.Memory) { m.MustWrite("/opt/x/mine", "", 0o644) }),
			"another content":   with(func(m *hosttest.Memory) { m.MustWrite("/opt/x/app/bin/run", "old", 0o600) }),
			"a file in place":   with(func(m *hosttest.Memory) { m.MustWrite("/opt/x/app/bin", "", 0o600) }),
			"a file above":      with(func(m *hosttest.Memory) { m.MustWrite("/opt/x", "", 0o600) }),
			"a folder in place": with(func(m *hosttest.Memory) { m.MustWrite("/opt/x/app/latest/y", "", 0o600) }),
		},
		Deeds: []modtest.Deed{
			modtest.State("archive.extracted", "/opt/x", "source", "salt://app.tgz"),
			modtest.State("archive.extracted", "/opt/x", "source", "/srv/app.tgz", "force", true),
			modtest.State("archive.extracted", "/opt/x", "source", "file:///srv/app.tgz", "overwrite", true),
			modtest.State("archive.extracted", "/opt/x", "source", "salt://app.tgz", "user", "alice", "clean", true),
			modtest.State("archive.extracted", "/opt/x", "source", "salt://app.tgz", "user", "nobody-here"),
			modtest.State("archive.extracted", "/opt/x", "source", "salt://app.tgz", "if_missing", "/opt/x/mine"),
			modtest.State("archive.extracted", "/opt/x", "source", "salt://app.tgz", "options", "--strip-components=1",
				"enforce_toplevel", false),
			modtest.State("archive.extracted", "/opt/x", "source", "salt://two.tgz"),
			modtest.State("archive.extracted", "/opt/x", "source", "salt://two.tgz", "enforce_toplevel", false, "trim_output",
				1),
			modtest.State("archive.extracted", "/opt/x", "source", []string{"salt://none.tgz", "/nowhere.tgz"}),
		},
	}.Run(t)
}
