package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// scripts is where services are that have no systemd.
const scripts = "/etc/init.d"

// initd is the scripts of /etc/init.d, with Debian's tools or with chkconfig: in containers, and where another init
// runs.
type initd struct{ root string }

// command is what runs a script, with the environment that init would give it where the command service is there.
func (initd) command(h host.Reader, name, verb string) []string {
	if _, err := h.LookPath("service"); err == nil {
		return []string{"service", name, verb}
	}
	return []string{scripts + "/" + name, verb}
}

func (initd) Canonical(name string) string { return strings.TrimSuffix(name, ".service") }

// Unit asks the script for its status. Enabled is what has a start link in a runlevel.
func (i initd) Unit(ctx context.Context, h host.Reader, name string) (Unit, error) {
	return script(ctx, h, name, startLink, i.command)
}

// script is a service that is a script.
func script(ctx context.Context, h host.Reader, name string, enabled func(host.Reader, string) bool,
	command func(h host.Reader, name, verb string) []string) (Unit, error) {
	u := Unit{ID: name, Load: "not-found", Active: "inactive", Sub: "dead"}
	file := scripts + "/" + name
	if i, err := h.Stat(file); err != nil || !i.IsRegular() || i.Perm()&0o111 == 0 {
		return u, nil
	}
	u.Load, u.Fragment, u.FileState, u.CanReload = "loaded", file, "disabled", true
	if enabled(h, name) {
		u.FileState = "enabled"
	}
	out, err := h.Query(ctx, host.Cmd{Args: command(h, name, "status"), Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return u, fmt.Errorf("ask %s for its status: %w", file, err)
	}
	if out.Code == 0 {
		u.Active, u.Sub = "active", "running"
	}
	return u, nil
}

func startLink(h host.Reader, name string) bool {
	for _, level := range []string{"2", "3", "4", "5", "S"} {
		links, _ := h.ReadDir("/etc/rc" + level + ".d")
		for _, l := range links {
			if len(l.Path) > 3 && l.Path[0] == 'S' && l.Path[3:] == name {
				return true
			}
		}
	}
	return false
}

// Units are the scripts. They are not asked for their status: each would run a program.
func (initd) Units(_ context.Context, h host.Reader) ([]Unit, error) { return scriptsOf(h, startLink) }

func scriptsOf(h host.Reader, enabled func(host.Reader, string) bool) ([]Unit, error) {
	files, err := h.ReadDir(scripts)
	if err != nil {
		return nil, fmt.Errorf("list the services: %w", err)
	}
	var out []Unit
	for _, f := range files {
		if !f.IsRegular() || f.Perm()&0o111 == 0 || slices.Contains([]string{"rc", "rcS", "skeleton", "functions.sh"},
			f.Path) {
			continue
		}
		u := Unit{ID: f.Path, Load: "loaded", Fragment: scripts + "/" + f.Path, FileState: "disabled"}
		if enabled(h, f.Path) {
			u.FileState = "enabled"
		}
		out = append(out, u)
	}
	return out, nil
}

func (initd) run(ctx context.Context, h host.Host, args ...string) error {
	out, err := h.Run(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("run %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return errors.New(strings.Join(args, " ") + ": " + firstLine(out))
	}
	return nil
}

func (i initd) Do(ctx context.Context, h host.Host, verb Verb, name string, _ bool) error {
	if verb == ReloadOrRestart {
		verb = "force-reload"
	}
	return i.run(ctx, h, i.command(h, name, string(verb))...)
}

func (i initd) Files(ctx context.Context, h host.Host, verb FileVerb, name string, _ bool) error {
	if _, err := h.LookPath("update-rc.d"); err != nil {
		if _, err := h.LookPath("chkconfig"); err == nil {
			return i.chkconfig(ctx, h, verb, name)
		}
	}
	switch verb {
	case Enable:
		if err := i.run(ctx, h, "update-rc.d", name, "defaults"); err != nil {
			return err
		}
		return i.run(ctx, h, "update-rc.d", name, "enable")
	case Disable:
		// Salt differs: it removes the links, so that the next version of the package enables the service again.
		return i.run(ctx, h, "update-rc.d", name, "disable")
	}
	return i.Refuses(ctx, h, string(verb), name)
}

// chkconfig is the tool of Red Hat's kin.
func (i initd) chkconfig(ctx context.Context, h host.Host, verb FileVerb, name string) error {
	switch verb {
	case Enable:
		if err := i.run(ctx, h, "chkconfig", "--add", name); err != nil {
			return err
		}
		return i.run(ctx, h, "chkconfig", name, "on")
	case Disable:
		return i.run(ctx, h, "chkconfig", name, "off")
	}
	return i.Refuses(ctx, h, string(verb), name)
}

// Refuses masks.
func (initd) Refuses(_ context.Context, _ host.Reader, verb, name string) error {
	if verb == string(Mask) || verb == string(Unmask) {
		return fmt.Errorf("cannot %s %s: scripts of %s cannot be masked", verb, name, scripts)
	}
	return nil
}

// ReloadManager has nothing to read anew.
func (initd) ReloadManager(context.Context, host.Host) error { return nil }
