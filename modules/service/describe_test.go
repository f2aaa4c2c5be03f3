package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	f := &fake{units: map[string]*Unit{}}
	add := func(name, active, file string) {
		load := "loaded"
		if strings.HasPrefix(file, "masked") {
			load = "masked"
		}
		f.units[name] = &Unit{ID: name, Load: load, Active: active, FileState: file}
	}
	for _, u := range [][3]string{{"web.service", "active", "enabled"}, {"web.timer", "inactive", "enabled"},
		{"off.service", "inactive", "disabled"}, {"hand.service", "active", "disabled"},
		{"meek.service", "inactive", "disabled"},
		{"never.service", "inactive", "masked"}, {"vendor.service", "inactive", "masked"},
		{"part.service", "active", "static"},
		{"getty@.service", "", "enabled"}, {"x.mount", "active", "enabled"}, {"other.service", "inactive", "alias"}} {
		add(u[0], u[1], u[2])
	}
	h := hosttest.NewMemory()
	h.MustMkdir("/run/systemd/system")
	h.MustMkdir("/etc/systemd/system")
	if err := h.Symlink("/dev/null", "/etc/systemd/system/never.service"); err != nil {
		t.Fatal(err)
	}
	h.Script = func(c host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte("Id=off.service\nUnitFilePreset=enabled\n\nId=meek.service\nUnitFilePreset=disabled\n")}, nil
	}
	with := func(names ...string) func(l *modules.Look) {
		return func(l *modules.Look) {
			l.Names = names
			modules.Get(l.Cache, providerKey{}, func() chosen { return chosen{f, nil} })
		}
	}
	for _, tt := range []struct {
		name  string
		names []string
		want  []string
	}{
		{"all", nil, []string{"service.dead off enable=False", "service.enabled getty@", "service.enabled web.timer",
			"service.masked never", "service.running hand enable=False", "service.running web enable=True"}},
		{"by name", []string{"meek", "part.service", "vendor", "gone"}, []string{
			"# vendor.service is masked by its vendor", "missing: gone", "service.dead gone", "service.dead meek enable=False",
			"service.running part"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := modtest.Describe(t, Family(), h, "service", with(tt.names...))
			slices.Sort(got)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
