package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A Unit is what the service manager knows of one service.
type Unit struct {
	ID        string // its own name, where it was asked for by an alias
	Load      string // "loaded", "not-found", "masked", "error", "bad-setting"
	Active    string // "active", "inactive", "failed", "activating", "reloading", "deactivating"
	Sub       string // "running", "exited", "dead", ...
	FileState string // "enabled", "disabled", "static", "masked", "generated", "alias", ...
	Fragment  string // the file that it was read from
	// NeedReload says that a file of it changed since the manager read it.
	NeedReload bool
	CanReload  bool
}

// Exists says whether the manager could start it, or could if it were not masked.
func (u Unit) Exists() bool { return u.Load != "" && u.Load != "not-found" }

// Running says whether it is up.
func (u Unit) Running() bool {
	return u.Active == "active" || u.Active == "reloading" || u.Active == "refreshing"
}

// Masked says whether it is masked, by a link in /etc or in /run.
func (u Unit) Masked() bool { return u.FileState == "masked" || u.FileState == "masked-runtime" }

// Enabled says whether it comes up at boot, or whether enabling it would have no effect: what `systemctl is-enabled`
// tells by its exit code.
func (u Unit) Enabled() bool {
	switch u.FileState {
	case "enabled", "enabled-runtime", "static", "alias", "indirect", "generated", "transient":
		return true
	}
	return false
}

// Disableable says whether disabling it changes anything: what is enabled otherwise than by links in /etc stays so.
func (u Unit) Disableable() bool { return u.FileState == "enabled" }

// A Verb is what a manager does to a service that is loaded.
type Verb string

// The verbs.
const (
	Start           Verb = "start"
	Stop            Verb = "stop"
	Restart         Verb = "restart"
	Reload          Verb = "reload"
	ReloadOrRestart Verb = "reload-or-restart"
)

// A FileVerb is what a manager does to the files that make a service start.
type FileVerb string

// The verbs of unit files.
const (
	Enable  FileVerb = "enable"
	Disable FileVerb = "disable"
	Mask    FileVerb = "mask"
	Unmask  FileVerb = "unmask"
)

// A Provider is one service manager.
type Provider interface {
	// Canonical is the manager's full name of a service.
	Canonical(name string) string
	// Unit looks at one service; one that is not there has Load "not-found".
	Unit(ctx context.Context, h host.Reader, unit string) (Unit, error)
	// Units are all services that are loaded or could be, sorted by name.
	Units(ctx context.Context, h host.Reader) ([]Unit, error)
	// Refuses is why the manager would not do what the verb says, as far as that is known before.
	Refuses(ctx context.Context, h host.Reader, verb, unit string) error
	// Do runs a job and, unless block is false, waits for its end.
	Do(ctx context.Context, h host.Host, verb Verb, unit string, block bool) error
	// Files changes whether the service starts; runtime means until the next boot.
	Files(ctx context.Context, h host.Host, verb FileVerb, unit string, runtime bool) error
	// ReloadManager makes the manager read its files again.
	ReloadManager(ctx context.Context, h host.Host) error
}

type providerKey struct{}

type chosen struct {
	provider Provider
	err      error
}

// providerOf is the provider of the run, found once.
func providerOf(ctx context.Context, env *modules.Env, h host.Reader) (Provider, error) {
	if env.Cache == nil {
		return choose(ctx, env, h)
	}
	c := modules.Get(env.Cache, providerKey{}, func() chosen {
		p, err := choose(ctx, env, h)
		return chosen{p, err}
	})
	return c.provider, c.err
}

// choose picks the provider as Salt does: the one that the configuration forces (providers: {service: ...}), else
// systemd where it runs, OpenRC on Alpine and Gentoo, and scripts of /etc/init.d elsewhere. A tree that is mounted
// somewhere has what its system has.
func choose(ctx context.Context, env *modules.Env, h host.Reader) (Provider, error) {
	ctl := systemctl{root: h.Root()}
	system := env.Grains.Text("os")
	openRC := system == "Alpine" || system == "Gentoo"
	_, err := h.Lstat("/run/systemd/system")
	booted := err == nil
	switch forced := env.Opts.Text("providers:service"); forced {
	case "systemd_service", "systemd":
		booted, openRC = true, false
	case "gentoo_service", "openrc":
		booted, openRC = false, true
	case "debian_service", "rh_service", "linux_service", "service":
		return initd{}, nil
	case "":
	default:
		return nil, fmt.Errorf("the configuration asks for the service provider %q, which gostate does not have; it has "+
			"systemd_service, debian_service, rh_service, linux_service and gentoo_service", forced)
	}
	switch {
	case !booted && openRC:
		return openrc{initd(ctl)}, nil
	case ctl.offline():
		return ctl, nil
	case errors.Is(err, fs.ErrNotExist) && !booted:
		if i, err := h.Stat(scripts); err == nil && i.IsDir() {
			return initd{}, nil
		}
		return nil, errors.New("no service manager that gostate knows is running here: neither /run/systemd/system nor " +
			"/etc/init.d exists")
	case err != nil && !booted:
		return nil, fmt.Errorf("look for systemd: %w", err)
	}
	if bus, err := connect(ctx, h); err == nil {
		return &systemd{bus: bus, ctl: ctl}, nil
	}
	return ctl, nil
}
