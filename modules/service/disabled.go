package service

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Disabled keeps a service from starting at boot.
type Disabled struct{ Named }

func disabledSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "service.disabled",
		Doc:     "Keeps a service from starting at boot. It does not stop it now. A service that does not exist is disabled.",
		Example: "cups:\n  service.disabled: []",
		New:     func() modules.StateFunc { return &Disabled{} },
		AnyArgs: true,
	}
}

// Act disables it. Salt differs: a static unit, which has nothing to disable, is left alone; Salt says at every run
// that it disabled it.
func (d *Disabled) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env, h, d.Name)
	if err != nil {
		return state.Effect{}, err
	}
	s.guess(h)
	switch {
	case !s.now.Exists() && !s.promised:
		return state.Settled(fmt.Sprintf("The named service %s is not available", d.Name)), nil
	case s.now.FileState == "static":
		return state.Settled(fmt.Sprintf("Service %s is static: it has no [Install] section, so there is nothing to disable",
			d.Name)), nil
	case !s.now.Disableable():
		return state.Settled(fmt.Sprintf("Service %s is already disabled, and is in the desired state", d.Name)), nil
	}
	return state.Effect{Changes: value.DictOf(d.Name, value.Bool(true)),
			Preview: fmt.Sprintf("Service %s set to be disabled", d.Name),
			Comment: fmt.Sprintf("Service %s has been disabled, and is in the desired state", d.Name)},
		s.files(ctx, h, Disable, false)
}

// ModWatch fails, as in Salt: a service that is only disabled has nothing to restart.
func (d *Disabled) ModWatch() modules.StateFunc { return noReaction{"disabled"} }
