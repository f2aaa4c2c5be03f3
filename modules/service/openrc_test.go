package service

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// openRC answers as rc-service and rc-update do; /run/up has the services that run.
func openRC(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	up := "/run/up/" + c.Args[1]
	switch strings.Join(c.Args[:1], "") + " " + c.Args[len(c.Args)-1] {
	case "rc-service status":
		if _, err := m.Stat(up); err != nil {
			return &host.Output{Code: 3, Stdout: []byte(" * status: stopped\n")}, nil
		}
	case "rc-service start", "rc-service restart", "rc-service reload":
		m.MustWrite(up, "", 0o644)
	case "rc-service stop":
		_ = m.Remove(up)
	default:
		link := path.Join(runlevels, "default", c.Args[2])
		switch c.Args[1] {
		case "add":
			return &host.Output{}, m.Symlink(scripts+"/"+c.Args[2], link)
		case "delete":
			if len(c.Args) < 4 {
				return &host.Output{Code: 1, Stderr: []byte("rc-update: service `web' is not in the runlevel\n")}, nil
			}
			return &host.Output{}, m.Remove(path.Join(runlevels, c.Args[3], c.Args[2]))
		}
	}
	return &host.Output{}, nil
}

// alpine is a machine with one service, in the runlevels.
func alpine(up bool, in ...string) func(*testing.T) host.Host {
	return modtest.Memory(openRC, func(m *hosttest.Memory) {
		m.MustWrite(scripts+"/web", "#!/sbin/openrc-run\n", 0o755)
		m.MustMkdir(runlevels + "/default")
		m.MustMkdir(runlevels + "/boot")
		m.MustMkdir("/run/up")
		for _, level := range in {
			if err := m.Symlink(scripts+"/web", runlevels+"/"+level+"/web"); err != nil {
				panic(err)
			}
		}
		if up {
			m.MustWrite("/run/up/web", "", 0o644)
		}
	})
}

func onAlpine(*testing.T) *modules.Env {
	none := func(string) (value.Value, bool) { return nil, false }
	grains := func(name string) (value.Value, bool) { return value.Str("Alpine"), name == "os" }
	return &modules.Env{Opts: none, Grains: grains, Pillar: none, Cache: modules.NewCache(), Progress: func(string) {}}
}

// TestOpenRC plays the states on a machine with OpenRC.
func TestOpenRC(t *testing.T) {
	modtest.Suite{Family: Family(), Env: onAlpine, Beyond: []string{runlevels, "/run/up"},
		Situations: modtest.Situations{
			"down":              alpine(false),
			"up":                alpine(true),
			"enabled":           alpine(true, "default"),
			"enabled elsewhere": alpine(false, "boot"),
		},
		Deeds: []modtest.Deed{
			modtest.State("service.running", "web"),
			modtest.State("service.running", "web", "enable", true),
			modtest.State("service.running", "web", "enable", false),
			modtest.State("service.running", "none"),
			modtest.State("service.running", "web").Watched(),
			modtest.State("service.running", "web", "reload", true).Watched(),
			modtest.State("service.dead", "web"),
			modtest.State("service.dead", "web", "enable", false),
			modtest.State("service.dead", "none"),
			modtest.State("service.enabled", "web"),
			modtest.State("service.disabled", "web"),
			modtest.State("service.masked", "web"),
			modtest.State("service.unmasked", "web"),
		}}.Run(t)
}

// TestChosen: which manager a machine has.
func TestChosen(t *testing.T) {
	for _, tt := range []struct{ os, forced, want string }{
		{"Alpine", "", "service.openrc"}, {"Debian", "", "service.initd"}, {"Debian", "openrc", "service.openrc"},
		{"Alpine", "debian_service", "service.initd"}, {"Debian", "upstart", "<nil>"},
	} {
		m := hosttest.NewMemory()
		m.MustMkdir(scripts)
		env := onAlpine(t)
		env.Grains = func(string) (value.Value, bool) { return value.Str(tt.os), true }
		env.Opts = func(name string) (value.Value, bool) {
			return value.Str(tt.forced), name == "providers:service" && tt.forced != ""
		}
		p, _ := choose(t.Context(), env, m)
		got := "<nil>"
		if p != nil {
			got = fmt.Sprintf("%T", p)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%+v (-want +got):\n%s", tt, d)
		}
	}
}
