package service

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A reaction is what a service does when something that it watches changed.
type reaction struct {
	Common
	Watching
	stop bool // of service.dead
}

// verb is Salt's name of the reaction, "" when there is nothing to do.
func (r *reaction) verb(s *sight) string {
	switch {
	case r.stop && s.running:
		return "stop"
	case r.stop:
		return ""
	case !s.running:
		return "start"
	case r.Reload && r.Force:
		return "forcefully reload"
	case r.Reload:
		return "reload"
	case r.FullRestart:
		return "fully restart"
	}
	return "restart"
}

// Check says what the reaction would be.
func (r *reaction) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, r.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	verb := r.verb(s)
	if verb == "" {
		return state.Forecast{Comment: "Service is already stopped"}, nil
	}
	if !s.found && !s.promised {
		return state.Forecast{}, s.missing(h)
	}
	return state.Forecast{Pending: true, Action: true, Changes: value.DictOf(r.Name, value.Bool(true)),
		Comment: "Service is set to be " + participle(verb), Effects: s.promise(!r.stop, s.enabled, s.masked)}, nil
}

// Apply reacts. A changed unit file is read first, so that the restart is one with the new unit.
func (r *reaction) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, r.Name)
	if err != nil {
		return state.Applied{}, err
	}
	verb := r.verb(s)
	env.Progress(verb + " " + r.Name)
	if err := s.reloadManager(ctx, h); err != nil {
		return state.Applied{}, err
	}
	for _, v := range jobs(verb) {
		if err := s.provider.Do(ctx, h, v, s.unit, !r.NoBlk); err != nil {
			return state.Applied{Changes: value.DictOf(r.Name, value.Bool(false))}, fmt.Errorf("Failed to %s the service: %w", verb, err)
		}
	}
	if !r.NoBlk {
		if err := r.await(ctx, h, s, !r.stop); err != nil {
			return state.Applied{Changes: value.DictOf(r.Name, value.Bool(false))}, err
		}
	}
	return state.Applied{Changes: value.DictOf(r.Name, value.Bool(true)), Comment: "Service " + participle(verb)}, nil
}

// jobs are systemd's jobs for a reaction. "start" stops first, as Salt does: the remains of a service that failed are cleared.
func jobs(verb string) []Verb {
	switch verb {
	case "stop":
		return []Verb{Stop}
	case "start", "fully restart":
		return []Verb{Stop, Start}
	case "reload":
		return []Verb{Reload}
	case "forcefully reload":
		return []Verb{ReloadOrRestart}
	}
	return []Verb{Restart}
}
