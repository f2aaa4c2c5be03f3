package service

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Named is the argument of states that do not touch the running service.
type Named struct {
	Name string `arg:"name,required" doc:"the service: a systemd unit, \".service\" may be left out"`
}

// Locks keeps other service states out while this one works.
func (*Named) Locks() []string { return []string{"service"} }

// NeedsRoot is true: only root may change what starts at boot.
func (*Named) NeedsRoot(*modules.Env) bool { return true }

// Enabled makes a service start at boot.
type Enabled struct {
	Named
	SkipVerify bool `arg:"skip_verify" doc:"do not look whether the service exists first"`
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

// Check says whether it would be enabled.
func (e *Enabled) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, e.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	switch {
	case !s.found && !s.promised && !e.SkipVerify:
		return state.Forecast{}, s.missing(h)
	case s.masked:
		return state.Forecast{}, fmt.Errorf("the service %s is masked, so it cannot be enabled", e.Name)
	case s.enabled && !s.fresh:
		return state.Forecast{Comment: fmt.Sprintf("Service %s is already enabled, and is in the desired state", e.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(e.Name, value.Bool(true)),
		Comment: fmt.Sprintf("Service %s set to be enabled", e.Name), Effects: s.promise(s.running, true, false)}, nil
}

// Apply enables it.
func (e *Enabled) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, e.Name)
	if err != nil {
		return state.Applied{}, err
	}
	if err := s.reloadManager(ctx, h); err != nil {
		return state.Applied{}, err
	}
	if err := s.provider.Files(ctx, h, Enable, s.real(), false); err != nil {
		return state.Applied{}, err
	}
	if s.fresh {
		h.Promise(host.Fact{Kind: host.FactUnit, Name: s.unit, Value: "known"})
	}
	return state.Applied{Changes: value.DictOf(e.Name, value.Bool(true)),
		Comment: fmt.Sprintf("Service %s has been enabled, and is in the desired state", e.Name)}, nil
}

// ModWatch fails, as in Salt: a service that is only enabled has nothing to restart.
func (e *Enabled) ModWatch() modules.StateFunc { return noReaction{"enabled"} }

// noReaction is the mod_watch of a function that has none.
type noReaction struct{ function string }

func (n noReaction) Check(context.Context, *modules.Env, host.Reader) (state.Forecast, error) {
	return state.Forecast{}, fmt.Errorf("Unable to trigger watch for service.%s", n.function)
}

func (n noReaction) Apply(context.Context, *modules.Env, host.Host, state.Forecast) (state.Applied, error) {
	return state.Applied{}, fmt.Errorf("Unable to trigger watch for service.%s", n.function)
}
