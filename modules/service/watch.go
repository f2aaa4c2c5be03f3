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
	case r.stop && s.now.Running():
		return "stop"
	case r.stop:
		return ""
	case !s.now.Running():
		return "start"
	case r.Reload && r.Force:
		return "forcefully reload"
	case r.Reload:
		return "reload"
	}
	return "restart"
}

// Act reacts. A changed unit file is read first, so that the restart is one with the new unit. Salt differs: it does
// not look whether the service runs afterwards.
func (r *reaction) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env, h, r.Name)
	if err != nil {
		return state.Effect{}, err
	}
	verb := r.verb(s)
	if verb == "" {
		return state.Settled("Service is already stopped"), nil
	}
	if !s.now.Exists() && !s.promised {
		return state.Effect{}, s.missing(h)
	}
	e := state.Effect{Changes: value.DictOf(r.Name, value.Bool(true)), Comment: "Service " + participle(verb),
		Preview: "Service is set to be " + participle(verb), Once: true}
	env.Progress(verb + " " + r.Name)
	if err := r.job(ctx, h, s, !r.stop, jobs(verb)...); err != nil {
		if e.Changes, e.Comment = nil, ""; r.stop {
			e.Changes = value.DictOf(r.Name, value.Bool(false))
		}
		return e, fmt.Errorf("Failed to %s the service: %w", verb, err)
	}
	return e, nil
}

// jobs are systemd's jobs for a reaction. "start" stops first, as Salt does: the remains of a service that failed are
// cleared.
func jobs(verb string) []Verb {
	switch verb {
	case "stop":
		return []Verb{Stop}
	case "start":
		return []Verb{Stop, Start}
	case "reload":
		return []Verb{Reload}
	case "forcefully reload":
		return []Verb{ReloadOrRestart}
	}
	return []Verb{Restart}
}
