package apache

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
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
		{"apache_site.enabled", "shop", "", "", "Apache has no site shop: /etc/apache2/sites-available/shop.conf does not exist"},
		{"apache_conf.enabled", "charset", "{'old': None, 'new': 'charset'}", "a2enconf -q charset", ""},
	}
	for _, tt := range tests {
		t.Run(tt.fun+" "+tt.name, func(t *testing.T) {
			h := host.NewMemory()
			for _, f := range []string{"mods-available/rewrite.load", "mods-available/ssl.load", "mods-enabled/ssl.load", "conf-available/charset.conf"} {
				h.MustWrite("/etc/apache2/"+f, "", 0o644)
			}
			h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
			var fn modules.StateFunc
			for _, spec := range Family().States {
				if spec.Name == tt.fun {
					fn, _ = modules.Bind(&spec, &state.Low{ID: "x", Name: tt.name, Args: value.NewDict(0)})
				}
			}
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil {
				if err.Error() != tt.err {
					t.Errorf("error %v", err)
				}
				return
			}
			changes, ran := "", ""
			if f.Pending {
				changes = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
					t.Fatal(err)
				}
				ran = strings.Join(h.Ran[0].Args, " ")
			}
			if d := cmp.Diff([]string{tt.changes, tt.ran}, []string{changes, ran}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
