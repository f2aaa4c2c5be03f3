package service

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Dead keeps a service stopped.
type Dead struct {
	Common
	Watching
}

func deadSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "service.dead",
		Doc:  "Keeps a service stopped. A service that does not exist is dead.",
		Example: `cups:
  service.dead:
    - enable: false`,
		New:     func() modules.StateFunc { return &Dead{} },
		AnyArgs: true,
	}
}

// Act stops, then enables or disables.
func (d *Dead) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env, h, d.Name)
	if err != nil {
		return state.Effect{}, err
	}
	s.guess(h)
	if !s.now.Exists() && !s.promised {
		return state.Settled(fmt.Sprintf("The named service %s is not available", d.Name)), nil
	}
	enable, disable := wantEnable(d.Enable, s)
	e := state.Effect{Changes: value.DictOf(d.Name, value.Bool(enable || disable)), Once: d.NoBlk && s.now.Running()}
	switch {
	case enable:
		e.Comment, e.Preview = fmt.Sprintf("Service %s has been enabled, and is dead", d.Name),
			fmt.Sprintf("Service %s set to be enabled", d.Name)
	case disable:
		e.Comment, e.Preview = fmt.Sprintf("Service %s has been disabled, and is dead", d.Name),
			fmt.Sprintf("Service %s set to be disabled", d.Name)
	case s.now.Running():
		e.Comment = fmt.Sprintf("Service %s was killed", d.Name)
	default:
		return state.Settled(fmt.Sprintf("The service %s is already dead", d.Name)), nil
	}
	var up fallen
	if s.now.Running() {
		e.Preview = fmt.Sprintf("Service %s is set to be killed", d.Name)
		env.Progress("stop " + d.Name)
		err := d.job(ctx, h, s, false, Stop)
		switch { // its start at boot is seen to all the same, as in Salt
		case ctx.Err() != nil:
			return state.Effect{}, err
		case err != nil && !errors.As(err, &up):
			up = fallen(fmt.Sprintf("Service %s failed to die: %v", d.Name, err))
		}
	}
	if err := s.boot(ctx, h, enable, disable); err != nil {
		return state.Effect{}, err
	}
	if up != "" {
		return up.effect(d.Name, enable || disable), up
	}
	return e, nil
}

// guess says of a service that does not exist yet how its package will leave it, for states that want it stopped or
// disabled: a Debian package starts and enables the service that has its name. What is not of its name is taken to stay
// away. Where the unit's file is there, and systemd has not read it yet, its links tell whether it starts at boot; what
// a package has brought, it has then also started.
func (s *sight) guess(h host.Reader) {
	if !s.promised {
		return
	}
	if unitFileExists(h, s.unit) {
		s.now.FileState = linked(h, s.unit)
		if _, err := h.Lstat(unitDirs()[0] + "/" + s.unit); err != nil && s.now.FileState == "enabled" {
			s.now.Active = "active"
		}
		return
	}
	if f, ok := h.Fact(host.FactPackage, short(s.unit)); ok && f.Value != "absent" {
		s.now.Active, s.now.FileState = "active", "enabled"
		return
	}
	_, s.promised = h.Fact(host.FactUnit, s.unit)
}

// linked is whether a unit or a script starts at boot, as its links tell it.
func linked(h host.Reader, unit string) string {
	if startLink(h, short(unit)) {
		return "enabled"
	}
	return atBoot(h, unit)
}

// ModWatch stops the service again.
func (d *Dead) ModWatch() modules.StateFunc {
	return &reaction{Common: d.Common, Watching: d.Watching, stop: true}
}

// ModWatch restarts the service, or reloads it.
func (r *Running) ModWatch() modules.StateFunc {
	return &reaction{Common: r.Common, Watching: r.Watching}
}

// participle is Salt's word for what was done: "restarted", "stopped".
func participle(verb string) string {
	if strings.HasSuffix(verb, "p") {
		return verb + "ped"
	}
	return verb + "ed"
}
