package apache

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func TestStates(t *testing.T) {
	tests := []struct{ fun, name, changes, ran, err string }{
		{"apache_module.enabled", "rewrite", "{'old': None, 'new': 'rewrite'}", "a2enmod -q rewrite", ""},
		{"apache_module.enabled", "ssl", "", "", ""},
		{"apache_module.disabled", "ssl", "{'old': 'ssl', 'new': None}", "a2dismod -f -q ssl", ""},
		{"apache_module.disabled", "rewrite", "", "", ""},
		{"apache_module.enabled", "proxy_http", "{'old': None, 'new': 'proxy_http'}", "a2enmod -q proxy_http", ""},
		{"apache_module.enabled", "mpm_event", "", "", "Failed to enable Apache module mpm_event: ssl is enabled, and they conflict"},
		{"apache_site.enabled", "shop", "", "", "Apache has no site shop: /etc/apache2/sites-available/shop.conf does not exist"},
		{"apache_conf.enabled", "charset", "{'old': None, 'new': 'charset'}", "a2enconf -q charset", ""},
	}
	for _, tt := range tests {
		t.Run(tt.fun+" "+tt.name, func(t *testing.T) {
			h := host.NewMemory()
			for _, f := range []string{"mods-available/rewrite.load", "mods-available/ssl.load", "mods-enabled/ssl.load", "mods-available/proxy.load",
				"mods-available/proxy.conf", "conf-available/charset.conf", "conf-enabled/other.conf"} {
				h.MustWrite("/etc/apache2/"+f, "", 0o644)
			}
			h.MustWrite("/etc/apache2/mods-available/proxy_http.load", "# Depends: proxy\nLoadModule x\n", 0o644)
			h.MustWrite("/etc/apache2/mods-available/mpm_event.load", "# Conflicts: ssl\n", 0o644)
			h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
			var fn modules.StateFunc
			for _, spec := range Family().States {
				if spec.Name == tt.fun {
					fn, _ = modules.Bind(&spec, &state.Low{ID: "x", Name: tt.name, Args: value.NewDict(0)})
				}
			}
			over := host.Forecast(h)
			e, err := fn.Act(context.Background(), nil, over)
			if err != nil {
				if err.Error() != tt.err {
					t.Errorf("error %v", err)
				}
				return
			}
			changes, ran := "", ""
			if e.Alters() {
				changes = value.Repr(e.Changes)
				if _, err := fn.Act(context.Background(), nil, h); err != nil {
					t.Fatal(err)
				}
				ran = strings.Join(h.Ran[0].Args, " ")
			}
			if d := cmp.Diff([]string{tt.changes, tt.ran}, []string{changes, ran}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if again, err := fn.Act(context.Background(), nil, over); err != nil || again.Alters() {
				t.Errorf("what the overlay has is not what was wanted: %+v %v", again, err)
			}
			if _, err := over.Lstat("/etc/apache2/mods-enabled/proxy.conf"); (err == nil) != (tt.name == "proxy_http") {
				t.Errorf("what it depends on does not come along: %v", err)
			}
		})
	}
}
