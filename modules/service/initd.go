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

// initd is the scripts of /etc/init.d with Debian's tools: in containers, and where another init runs.
type initd struct{}

func (initd) Canonical(name string) string { return strings.TrimSuffix(name, ".service") }

// Unit asks the script for its status. Enabled is what has a start link in a runlevel.
func (initd) Unit(ctx context.Context, h host.Reader, name string) (Unit, error) {
	u := Unit{ID: name, Load: "not-found", Active: "inactive", Sub: "dead"}
	file := scripts + "/" + name
	if i, err := h.Stat(file); err != nil || !i.IsRegular() || i.Perm()&0o111 == 0 {
		return u, nil
	}
	u.Load, u.Fragment, u.FileState, u.CanReload = "loaded", file, "disabled", true
	if startLink(h, name) {
		u.FileState = "enabled"
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{file, "status"}, Env: []string{"LC_ALL=C.UTF-8"}})
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
func (initd) Units(_ context.Context, h host.Reader) ([]Unit, error) {
	files, err := h.ReadDir(scripts)
	if err != nil {
		return nil, fmt.Errorf("list the services: %w", err)
	}
	var out []Unit
	for _, f := range files {
		if !f.IsRegular() || f.Perm()&0o111 == 0 || slices.Contains([]string{"rc", "rcS", "skeleton"}, f.Path) {
			continue
		}
		u := Unit{ID: f.Path, Load: "loaded", Fragment: scripts + "/" + f.Path, FileState: "disabled"}
		if startLink(h, f.Path) {
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
	return i.run(ctx, h, scripts+"/"+name, string(verb))
}

func (i initd) Files(ctx context.Context, h host.Host, verb FileVerb, name string, _ bool) error {
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

// Refuses masks.
func (initd) Refuses(_ context.Context, _ host.Reader, verb, name string) error {
	if verb == string(Mask) || verb == string(Unmask) {
		return fmt.Errorf("cannot %s %s: scripts of %s cannot be masked", verb, name, scripts)
	}
	return nil
}

// ReloadManager has nothing to read anew.
func (initd) ReloadManager(context.Context, host.Host) error { return nil }
