package service

import (
	"context"
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

// Check says whether it would be stopped, enabled or disabled.
func (d *Dead) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, d.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	s.guess(h)
	if !s.found && !s.promised {
		return state.Forecast{Comment: fmt.Sprintf("The named service %s is not available", d.Name)}, nil
	}
	enable, disable := wantEnable(d.Enable, s)
	if !s.running && !enable && !disable {
		return state.Forecast{Comment: fmt.Sprintf("The service %s is already dead", d.Name)}, nil
	}
	f := state.Forecast{Pending: true, Changes: value.DictOf(d.Name, value.Bool(true)),
		Effects: s.promise(false, (s.enabled || enable) && !disable, s.masked)}
	switch {
	case s.running:
		f.Comment = fmt.Sprintf("Service %s is set to be killed", d.Name)
	case enable:
		f.Comment = fmt.Sprintf("Service %s set to be enabled", d.Name)
	default:
		f.Comment = fmt.Sprintf("Service %s set to be disabled", d.Name)
	}
	return f, nil
}

// guess says of a service that does not exist yet how its package will leave it, for states that want it stopped or disabled:
// a Debian package starts and enables the service that has its name. What is not of its name is taken to stay away.
func (s *sight) guess(h host.Reader) {
	if s.found || !s.promised || unitFileExists(h, s.unit) {
		return
	}
	if _, ok := h.Fact(host.FactService, s.unit); ok {
		return
	}
	if f, ok := h.Fact(host.FactPackage, short(s.unit)); ok && f.Value != "absent" {
		s.running, s.enabled = true, true
		return
	}
	_, s.promised = h.Fact(host.FactUnit, s.unit)
}

// Apply stops, then enables or disables.
func (d *Dead) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, d.Name)
	if err != nil {
		return state.Applied{}, err
	}
	enable, disable := wantEnable(d.Enable, s)
	done := state.Applied{Changes: value.DictOf(d.Name, value.Bool(true)), Comment: fmt.Sprintf("Service %s was killed", d.Name)}
	if s.running {
		env.Progress("stop " + d.Name)
		if err := s.provider.Do(ctx, h, Stop, s.unit, !d.NoBlk); err != nil {
			return state.Applied{}, err
		}
		if !d.NoBlk {
			if err := d.await(ctx, h, s, false); err != nil {
				return state.Applied{}, err
			}
		}
	}
	switch {
	case enable:
		done.Comment = fmt.Sprintf("Service %s has been enabled, and is dead", d.Name)
		err = s.provider.Files(ctx, h, Enable, s.real(), false)
	case disable:
		done.Comment = fmt.Sprintf("Service %s has been disabled, and is dead", d.Name)
		err = s.provider.Files(ctx, h, Disable, s.real(), false)
	}
	return done, err
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
