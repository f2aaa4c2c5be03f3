package pkg

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// TestProviders plays the same states on every package manager but apt, which has more (TestConformance).
func TestProviders(t *testing.T) {
	list := func(texts ...any) []any { return texts }
	for name, s := range shelves() {
		t.Run(name, func(t *testing.T) {
			none := func(string) (value.Value, bool) { return nil, false }
			env := func(*testing.T) *modules.Env {
				e := &modules.Env{Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(), Progress: func(string) {},
					Files: files{}}
				modules.Get(e.Cache, sessionKey{}, func() openSession {
					return openSession{&session{provider: s.provider, claims: map[string]Step{}}, nil}
				})
				return e
			}
			one := s.offers["hello"][1]
			modtest.Suite{Family: Family(), Situations: s.situations(), Env: env, Beyond: []string{"/var/lib/rpm",
				"/var/lib/pacman", "/lib/apk", "/var/cache", "/etc/locks", "/etc/zypp"},
				Deeds: []modtest.Deed{
					modtest.State("pkg.installed", "hello"),
					modtest.State("pkg.installed", "app"),
					modtest.State("pkg.installed", "unknown"),
					modtest.State("pkg.installed", "hello", "version", one),
					modtest.State("pkg.installed", "hello", "version", one, "update_holds", true),
					modtest.State("pkg.installed", "hello", "version", ">=2", "update_holds", true),
					modtest.State("pkg.installed", "hello", "version", "1*"),
					modtest.State("pkg.installed", "hello", "version", "3.0"),
					modtest.State("pkg.installed", "hello", "reinstall", true),
					modtest.State("pkg.installed", "hello", "hold", true),
					modtest.State("pkg.installed", "tools", "pkgs", list("hello", "app")),
					modtest.State("pkg.latest", "hello"),
					modtest.State("pkg.latest", "hello", "only_upgrade", true),
					modtest.State("pkg.removed", "hello"),
					modtest.State("pkg.removed", "app"),
					modtest.State("pkg.removed", "hello", "version", "5"),
					modtest.State("pkg.purged", "hello"),
					modtest.State("pkg.uptodate", "all"),
					modtest.State("pkg.held", "hello"),
					modtest.State("pkg.unheld", "hello"),
					modtest.State("pkg.group_installed", "tools"),
					modtest.State("pkg.patch_installed", "tools"),
					modtest.State("pkg.patch_downloaded", "tools"),
					modtest.State("pkg.downloaded", "unknown"),
				}}.Run(t)
		})
	}
}

// TestProvidersOnNothing: a run in which nothing changes starts no program but rpm's one look at its database.
func TestProvidersOnNothing(t *testing.T) {
	want := map[string]int{"dnf": 1, "zypper": 1, "pacman": 0, "apk": 0}
	for name, s := range shelves() {
		m := hosttest.NewMemory()
		s.machine("hello "+s.offers["hello"][0], "app "+s.offers["app"][0])(m)
		m.Script = func(c host.Cmd) (*host.Output, error) { return s.tools(m, c) }
		e := &session{provider: s.provider, claims: map[string]Step{}}
		for range 3 {
			if db, err := e.database(t.Context(), m); err != nil || db.Version("hello") == "" {
				t.Fatal(name, err)
			}
		}
		if len(m.Ran) != want[name] {
			t.Errorf("%s ran %d commands for three looks, want %d: %v", name, len(m.Ran), want[name], m.Ran)
		}
	}
}

// TestWordsOfTools: pacman upgrades nothing but what is asked for, apk installs the version that is asked for.
func TestWordsOfTools(t *testing.T) {
	r := Request{Install: []Spec{{Name: "hello", Version: "1.0-r0"}}}
	if got := strings.Join((&apk{}).words(r), " "); got != "add -- hello=1.0-r0" {
		t.Errorf("apk %s", got)
	}
	m := hosttest.NewMemory()
	m.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
	if err := (&pacman{}).Refresh(t.Context(), &modules.Env{Progress: func(string) {}}, m); err != nil {
		t.Fatal(err)
	}
	ran := strings.Join(m.Ran[0].Args, " ") + "; " + strings.Join((&pacman{}).words(Request{Install: []Spec{{Name: "hello"}}}), " ")
	if !strings.HasPrefix(ran, "pacman -Sy ") || !strings.HasSuffix(ran, "; -S --needed -- hello") {
		t.Error(ran)
	}
	if compareALPM("1.0", "1.0-1") != 0 {
		t.Error("pacman's 1.0 is not 1.0-1")
	}
}
