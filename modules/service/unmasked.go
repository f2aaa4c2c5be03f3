package service

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Unmasked makes a masked service possible to start again.
type Unmasked struct {
	Named
	Runtime bool `arg:"runtime" doc:"undo a mask that lasts until the next boot"`
}

func unmaskedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "service.unmasked",
		Doc:     "Makes a masked service possible to start again. It does not start it.",
		Example: "cups:\n  service.unmasked: []",
		New:     func() modules.StateFunc { return &Unmasked{} },
		AnyArgs: true,
	}
}

// Check says whether it would be unmasked.
func (m *Unmasked) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, m.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	kind := maskType(m.Runtime)
	if !s.maskedAs(m.Runtime) {
		return state.Forecast{Comment: fmt.Sprintf("Service %s is not %s", m.Name, kind)}, nil
	}
	return state.Forecast{Pending: true, Changes: maskChange(m.Name, kind, "unmasked"),
		Comment: fmt.Sprintf("Service %s would be unmasked", m.Name), Effects: s.promise(s.running, s.enabled, false)}, nil
}

// Apply unmasks it.
func (m *Unmasked) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, m.Name)
	if err != nil {
		return state.Applied{}, err
	}
	if err := unmask(ctx, h, s, m.Runtime); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Service %s was unmasked", m.Name)}, nil
}

// unmask undoes a mask. Where the wrong kind is asked for, systemd would do nothing; the state that is there decides.
func unmask(ctx context.Context, h host.Host, s *sight, runtime bool) error {
	if s.now.Masked() {
		runtime = s.now.FileState == "masked-runtime"
	}
	err := s.provider.Files(ctx, h, Unmask, s.real(), runtime)
	if err != nil {
		return err
	}
	s.now, err = s.provider.Unit(ctx, h, s.unit)
	return err
}
