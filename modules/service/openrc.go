package service

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/state/host"
)

// openrc is OpenRC, the service manager of Alpine and Gentoo: scripts of /etc/init.d, and links to them in
// /etc/runlevels. Below a root, services can be enabled, and not started.
type openrc struct{ initd }

const runlevels = "/etc/runlevels"

// levels are the runlevels in which a service starts.
func levels(h host.Reader, name string) (out []string) {
	all, _ := h.ReadDir(runlevels)
	for _, l := range all {
		if _, err := h.Lstat(runlevels + "/" + l.Path + "/" + name); err == nil {
			out = append(out, l.Path)
		}
	}
	return out
}

func inRunlevel(h host.Reader, name string) bool { return len(levels(h, name)) > 0 }

func (openrc) command(_ host.Reader, name, verb string) []string {
	return []string{"rc-service", name, verb}
}

// Unit asks the script for its status. Below a root nothing runs.
func (o openrc) Unit(ctx context.Context, h host.Reader, name string) (Unit, error) {
	if !o.offline() {
		return script(ctx, h, name, inRunlevel, o.command)
	}
	units, err := o.Units(ctx, h)
	for _, u := range units {
		if u.ID == name {
			u.Active = "inactive"
			return u, err
		}
	}
	return Unit{ID: name, Load: "not-found"}, err
}

func (o openrc) offline() bool { return o.root != "" && o.root != "/" }

// Units are the scripts, which are not asked for their status.
func (openrc) Units(_ context.Context, h host.Reader) ([]Unit, error) {
	return scriptsOf(h, inRunlevel)
}

func (o openrc) Do(ctx context.Context, h host.Host, verb Verb, name string, _ bool) error {
	if err := o.Refuses(ctx, h, string(verb), name); err != nil {
		return err
	}
	if verb == ReloadOrRestart {
		verb = Restart
	}
	return o.run(ctx, h, o.command(h, name, string(verb))...)
}

// Files adds a service to the current runlevel, and takes it from all. Salt differs: it takes it from the current one
// only, and fails for what is in another.
func (o openrc) Files(ctx context.Context, h host.Host, verb FileVerb, name string, _ bool) error {
	switch {
	case verb == Enable && o.offline():
		return o.run(ctx, h, "rc-update", "add", name, "default")
	case verb == Enable:
		return o.run(ctx, h, "rc-update", "add", name)
	case verb == Disable:
		return o.run(ctx, h, append([]string{"rc-update", "delete", name}, levels(h, name)...)...)
	}
	return o.Refuses(ctx, h, string(verb), name)
}

// Refuses masks, and jobs where no manager runs.
func (o openrc) Refuses(ctx context.Context, h host.Reader, verb, name string) error {
	switch Verb(verb) {
	case Start, Stop, Restart, Reload, ReloadOrRestart:
		if o.offline() {
			return fmt.Errorf("cannot %s %s: no service manager runs in the tree %s", verb, name, o.root)
		}
	}
	return o.initd.Refuses(ctx, h, verb, name)
}
