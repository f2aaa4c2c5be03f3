package pkg

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestConformance(t *testing.T) {
	with := func(packages ...string) func(*testing.T) host.Host {
		return modtest.Memory(hello().tools, func(m *hosttest.Memory) {
			status(m, packages...)
			m.MustWrite("/var/lib/apt/lists/x_Packages", "", 0o644)
			m.MustWrite("/var/lib/dpkg/info/hello.postrm", "", 0o755)
			m.MustMkdir("/var/cache/apt/archives")
		})
	}
	usual := modtest.Situations{
		"nothing":             with(),
		"an older one":        with("hello 1.0"),
		"all":                 with("hello 2.0", "app 1.0", "vim 2:9.1"),
		"held":                with("hello 1.0 hold", "app 1.0"),
		"configuration files": with("hello 1.0 config-files"),
		"to be purged":        with("hello 2.0 purge"),
	}
	noLists := modtest.Situations{"no lists": modtest.Memory(hello().tools,
		func(m *hosttest.Memory) { status(m, "hello 2.0") })}
	env := func(*testing.T) *modules.Env {
		none := func(string) (value.Value, bool) { return nil, false }
		return &modules.Env{Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(), Progress: func(string) {},
			Files: files{}}
	}
	list := func(texts ...any) []any { return texts }
	modtest.Suite{Family: Family(), Situations: usual, Env: env, Beyond: []string{"/var/lib/dpkg", "/var/cache/gostate"},
		Deeds: []modtest.Deed{
			modtest.State("pkg.installed", "hello"),
			modtest.State("pkg.installed", "app"),
			modtest.State("pkg.installed", "broken"),
			modtest.State("pkg.installed", "unknown"),
			modtest.State("pkg.installed", "hello", "version", "1.0"),
			modtest.State("pkg.installed", "hello", "version", ">=2", "update_holds", true),
			modtest.State("pkg.installed", "hello", "version", "3.0"),
			modtest.State("pkg.installed", "hello", "hold", true),
			modtest.State("pkg.installed", "hello", "version", "2.0", "hold", false, "update_holds", true),
			modtest.State("pkg.installed", "tools", "pkgs", list("hello", "vim")),
			modtest.State("pkg.installed", "hello", "reinstall", true),
			modtest.State("pkg.installed", "hello", "only_upgrade", true, "version", "latest"),
			modtest.State("pkg.installed", "files", "sources", list(map[string]any{"hello": "salt://hello.deb"})),
			modtest.State("pkg.installed", "files", "sources", list(map[string]any{"hello": "salt://none.deb"})),
			modtest.State("pkg.installed", "hello", "debconf", "salt://none"),
			modtest.State("pkg.latest", "hello"),
			modtest.State("pkg.latest", "tools", "pkgs", list("vim", "app")),
			modtest.State("pkg.removed", "hello"),
			modtest.State("pkg.removed", "app"),
			modtest.State("pkg.removed", "hello", "version", "2.0"),
			modtest.State("pkg.purged", "hello"),
			modtest.State("pkg.purged", "all", "pkgs", list("hello", "vim")),
			modtest.State("pkg.uptodate", "all"),
			modtest.State("pkg.uptodate", "some", "pkgs", list("vim")),
			modtest.State("pkg.held", "hello"),
			modtest.State("pkg.held", "app", "replace", true),
			modtest.State("pkg.installed", "hello", "version", "2.0", "hold", true, "update_holds", true),
			modtest.State("pkg.installed", "hello", "only_upgrade", true),
			modtest.State("pkg.latest", "hello", "only_upgrade", true),
			modtest.State("pkg.latest", "unknown"),
			modtest.State("pkg.held", "hello").Watched(),
			modtest.State("pkg.group_installed", "tools"),
			modtest.State("pkg.patch_installed", "tools"),
			modtest.State("pkg.patch_downloaded", "tools"),
			modtest.State("pkg.unheld", "hello"),
			modtest.State("pkg.unheld", "x", "all", true),
			modtest.State("pkg.downloaded", "hello"),
			modtest.State("pkg.downloaded", "unknown"),
		}}.Run(t)
	stale := "the lists have to be fetched first"
	modtest.Suite{Family: modules.Family{Name: "pkg", States: []modules.StateSpec{installedSpec(), latestSpec(),
		uptodateSpec()}}, Situations: noLists, Env: env,
		Beyond: []string{"/var/lib/dpkg", "/var/lib/apt"}, Deeds: []modtest.Deed{
			modtest.State("pkg.installed", "hello"),
			modtest.State("pkg.installed", "hello", "refresh", true),
			modtest.State("pkg.installed", "vim"),
			modtest.State("pkg.installed", "unknown").Untold(stale),
			modtest.State("pkg.installed", "unknown", "refresh", false),
			modtest.State("pkg.latest", "hello").Untold(stale),
			modtest.State("pkg.uptodate", "all").Untold(stale),
		}}.Run(t)
}
