package apache

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools are a2enmod and its kin: they make and remove links, those of what a module depends on too.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	i := slices.IndexFunc(kinds(), func(k kind) bool { return k.enable == c.Args[0] || k.disable == c.Args[0] })
	k, name := kinds()[i], c.Args[len(c.Args)-1]
	names := []string{name}
	if name == "proxy_http" && c.Args[0] == k.enable {
		names = append(names, "proxy")
	}
	for _, n := range names {
		for _, ending := range k.files() {
			if c.Args[0] == k.disable {
				_ = m.Remove(k.enabled(n, ending))
			} else if _, err := m.Stat(k.available(n, ending)); err == nil {
				if err := m.Symlink("../"+k.dir+"-available/"+n+ending, k.enabled(n, ending)); err != nil {
					return nil, err
				}
			}
		}
	}
	return &host.Output{}, nil
}

func TestConformance(t *testing.T) {
	set := func(m *hosttest.Memory) {
		for _, f := range []string{"mods-available/rewrite.load", "mods-available/ssl.load", "mods-available/ssl.conf",
			"mods-available/proxy.load",
			"mods-available/proxy.conf", "mods-enabled/mpm_prefork.load", "conf-available/charset.conf",
			"conf-enabled/other.conf", "sites-available/shop.conf"} {
			m.MustWrite("/etc/apache2/"+f, "", 0o644)
		}
		m.MustMkdir("/etc/apache2/sites-enabled")
		m.MustWrite("/etc/apache2/mods-available/proxy_http.load", "# Depends: proxy\nLoadModule x\n", 0o644)
		m.MustWrite("/etc/apache2/mods-available/mpm_event.load", "# Conflicts: mpm_prefork\n", 0o644)
	}
	modtest.Suite{Family: Family(), Situations: modtest.Situations{
		"no Apache": modtest.Memory(tools, nil),
		"available": modtest.Memory(tools, set),
		"enabled": modtest.Memory(tools, func(m *hosttest.Memory) {
			set(m)
			for _, l := range []string{"mods-%s/ssl.load", "mods-%s/ssl.conf", "mods-%s/proxy.load", "mods-%s/proxy.conf",
				"sites-%s/shop.conf", "conf-%s/charset.conf"} {
				if err := m.Symlink("../"+strings.Replace(l, "%s", "available", 1),
					"/etc/apache2/"+strings.Replace(l, "%s", "enabled", 1)); err != nil {
					panic(err)
				}
			}
		}),
	}, Deeds: []modtest.Deed{
		modtest.State("apache_module.enabled", "ssl"),
		modtest.State("apache_module.enabled", "proxy_http"),
		modtest.State("apache_module.enabled", "mpm_event"),
		modtest.State("apache_module.enabled", "none"),
		modtest.State("apache_module.disabled", "ssl"),
		modtest.State("apache_module.disabled", "rewrite"),
		modtest.State("apache_site.enabled", "shop"),
		modtest.State("apache_site.disabled", "shop"),
		modtest.State("apache_conf.enabled", "charset"),
		modtest.State("apache_conf.disabled", "charset"),
	}}.Run(t)
}

func TestFaultsSayWhy(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/etc/apache2/mods-enabled/mpm_prefork.load", "", 0o644)
	m.MustWrite("/etc/apache2/mods-available/mpm_event.load", "# Conflicts: mpm_prefork\n", 0o644)
	for name, want := range map[string]string{
		"mpm_event": "Failed to enable Apache module mpm_event: mpm_prefork is enabled, and they conflict",
		"none":      "Apache has no module none: /etc/apache2/mods-available/none.load does not exist",
	} {
		_, err := (&State{Name: name, kind: kinds()[0], on: true}).Act(t.Context(), nil, host.Forecast(m))
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
