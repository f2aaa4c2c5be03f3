package service

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Named is the argument of states that do not touch the running service.
type Named struct {
	Name string `arg:"name,required,file" doc:"The service: a systemd unit, \".service\" may be left out."`
}

// NeedsRoot is true: only root may change what starts at boot.
func (*Named) NeedsRoot(*modules.Env) bool { return true }

// Enabled makes a service start at boot.
type Enabled struct {
	Named
	Uncover
	SkipVerify bool `arg:"skip_verify" doc:"Do not look whether the service exists first."`
}

func enabledSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "service.enabled",
		Doc:     "Makes a service start at boot. It does not start it now.",
		Example: "nginx:\n  service.enabled: []",
		New:     func() modules.StateFunc { return &Enabled{} },
		AnyArgs: true,
	}
}

// Act enables it.
func (e *Enabled) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env, h, e.Name)
	if err != nil {
		return state.Effect{}, err
	}
	done := fmt.Sprintf("Service %s has been enabled, and is in the desired state", e.Name)
	switch {
	case !s.now.Exists() && !s.promised && !e.SkipVerify:
		return state.Effect{}, s.missing(h)
	case s.now.Enabled() && !s.fresh:
		return state.Settled(fmt.Sprintf("Service %s is already enabled, and is in the desired state", e.Name)), nil
	}
	if err := errors.Join(e.uncover(ctx, h, s), s.files(ctx, h, Enable, false)); err != nil {
		return state.Effect{}, err
	}
	h.Promise(host.Fact{Kind: host.FactUnit, Name: s.unit, Value: "known"})
	return state.Effect{Changes: value.DictOf(e.Name, value.Bool(true)), Comment: done,
		Preview: fmt.Sprintf("Service %s set to be enabled", e.Name)}, nil
}

// ModWatch fails, as in Salt: a service that is only enabled has nothing to restart.
func (e *Enabled) ModWatch() modules.StateFunc { return noReaction{"enabled"} }

// noReaction is the mod_watch of a function that has none.
type noReaction struct{ function string }

// Act fails.
func (n noReaction) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Effect{}, host.Sure(fmt.Errorf("Unable to trigger watch for service.%s", n.function))
}
