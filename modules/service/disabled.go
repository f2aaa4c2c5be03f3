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

// Check says whether it would be disabled. Salt differs: a static unit, which has nothing to disable, is left alone; Salt
// says at every run that it disabled it.
func (d *Disabled) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, d.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	s.guess(h)
	if !s.found && !s.promised {
		return state.Forecast{Comment: fmt.Sprintf("The named service %s is not available", d.Name)}, nil
	}
	no := false
	if _, disable := wantEnable(&no, s); !disable {
		f := state.Forecast{Comment: fmt.Sprintf("Service %s is already disabled, and is in the desired state", d.Name)}
		if s.now.FileState == "static" {
			f.Comment = fmt.Sprintf("Service %s is static: it has no [Install] section, so there is nothing to disable", d.Name)
		}
		return f, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(d.Name, value.Bool(true)),
		Comment: fmt.Sprintf("Service %s set to be disabled", d.Name), Effects: s.promise(s.running, false, s.masked)}, nil
}

// Apply disables it.
func (d *Disabled) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, d.Name)
	if err != nil {
		return state.Applied{}, err
	}
	if err := s.provider.Files(ctx, h, Disable, s.real(), false); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: value.DictOf(d.Name, value.Bool(true)),
		Comment: fmt.Sprintf("Service %s has been disabled, and is in the desired state", d.Name)}, nil
}

// ModWatch fails, as in Salt: a service that is only disabled has nothing to restart.
func (d *Disabled) ModWatch() modules.StateFunc { return noReaction{"disabled"} }
