package service

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

const units = "/run/units/" // where a filed manager keeps "load active file-state" of each unit

// A filed is a service manager that keeps all in files of the machine.
type filed struct{ fake }

func (filed) Unit(_ context.Context, h host.Reader, unit string) (Unit, error) {
	raw, err := h.ReadFile(units + unit)
	f := strings.Split(string(raw), " ")
	if err != nil || len(f) < 3 {
		return Unit{ID: unit, Load: "not-found", Active: "inactive"}, nil
	}
	return Unit{ID: unit, Load: f[0], Active: f[1], FileState: f[2]}, nil
}

func (f filed) keep(h host.Host, u Unit) error {
	return h.WriteFile(units+u.ID, strings.NewReader(u.Load+" "+u.Active+" "+u.FileState), host.KeepAttr())
}

func (f filed) Do(ctx context.Context, h host.Host, verb Verb, unit string, _ bool) error {
	u, _ := f.Unit(ctx, h, unit)
	if u.Active = "active"; verb == Stop {
		u.Active = "inactive"
	}
	return f.keep(h, u)
}

func (f filed) Files(ctx context.Context, h host.Host, verb FileVerb, unit string, runtime bool) error {
	u, _ := f.Unit(ctx, h, unit)
	mask := "/etc/systemd/system/" + unit
	if runtime {
		mask = "/run/systemd/system/" + unit
	}
	i, err := h.Lstat(mask)
	switch {
	case verb == Mask && err == nil && !i.IsSymlink():
		return fmt.Errorf("File %s already exists.", mask)
	case verb == Mask:
		u.Load, u.FileState = "masked", maskType(runtime)
		if runtime {
			u.FileState = "masked-runtime"
		}
		err = h.Symlink("/dev/null", mask)
	case verb == Unmask:
		u.Load, u.FileState = "loaded", atBoot(h, unit)
		err = h.Remove(mask)
	default:
		u.FileState, err = string(verb)+"d", nil
	}
	if err != nil {
		return err
	}
	return f.keep(h, u)
}

func (filed) ReloadManager(context.Context, host.Host) error { return nil }

func TestConformance(t *testing.T) {
	with := func(unit string, links map[string]string) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) {
			for _, d := range []string{"/run/units", "/run/systemd/system", "/etc/systemd/system/multi-user.target.wants"} {
				m.MustMkdir(d)
			}
			if unit != "" {
				m.MustWrite(units+"web.service", unit, 0o644)
			}
			for link, to := range links {
				if err := m.Symlink(to, link); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	wanted := map[string]string{"/etc/systemd/system/multi-user.target.wants/web.service": "/lib/systemd/system/web.service"}
	mask, soon := map[string]string{"/etc/systemd/system/web.service": "/dev/null"},
		map[string]string{"/run/systemd/system/web.service": "/dev/null"}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"missing": with("", nil), "up": with("loaded active enabled", wanted),
			"down":   with("loaded inactive disabled", nil),
			"static": with("loaded inactive static", nil), "masked": with("masked inactive masked", mask),
			"masked until the boot": with("masked active masked-runtime", soon),
			"failed":                with("loaded failed enabled", wanted)},
		Env: func(*testing.T) *modules.Env {
			env := &modules.Env{Cache: modules.NewCache(), Progress: func(string) {}, Low: &state.Low{}}
			modules.Get(env.Cache, providerKey{}, func() chosen { return chosen{&filed{}, nil} })
			return env
		},
		Deeds: []modtest.Deed{
			modtest.State("service.running", "web"), modtest.State("service.running", "web", "enable", true),
			modtest.State("service.running", "web", "enable", false),
			modtest.State("service.running", "web", "unmask", true, "enable", true),
			modtest.State("service.running", "web").Watched(),
			modtest.State("service.running", "web", "reload", true).Watched(),
			modtest.State("service.running", "web", "full_restart", true).Watched(),
			modtest.State("service.dead", "web"), modtest.State("service.dead", "web", "enable", true),
			modtest.State("service.dead", "web", "enable", false),
			modtest.State("service.dead", "web").Watched(),
			modtest.State("service.enabled", "web"), modtest.State("service.enabled", "web").Watched(),
			modtest.State("service.disabled", "web"),
			modtest.State("service.masked", "web"), modtest.State("service.masked", "web", "runtime", true),
			modtest.State("service.unmasked", "web"), modtest.State("service.unmasked", "web", "runtime", true),
		},
		Beyond: []string{"/run/units"},
	}.Run(t)
}
