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
	Runtime bool `arg:"runtime" doc:"Undo a mask that lasts until the next boot."`
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

// Act unmasks it.
func (m *Unmasked) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env.Cache, h, m.Name)
	if err != nil {
		return state.Effect{}, err
	}
	kind := maskType(m.Runtime)
	if !s.maskedAs(m.Runtime) {
		return state.Settled(fmt.Sprintf("Service %s is not %s", m.Name, kind)), nil
	}
	if err := s.unmask(ctx, h, m.Runtime); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: maskChange(m.Name, kind, "unmasked"), Comment: fmt.Sprintf("Service %s was unmasked", m.Name),
		Preview: fmt.Sprintf("Service %s would be unmasked", m.Name)}, nil
}

// unmask undoes a mask. Where the wrong kind is asked for, systemd would do nothing; the state that is there decides.
func (s *sight) unmask(ctx context.Context, h host.Host, runtime bool) error {
	if s.now.Masked() {
		runtime = s.now.FileState == "masked-runtime"
	}
	return s.files(ctx, h, Unmask, runtime)
}
