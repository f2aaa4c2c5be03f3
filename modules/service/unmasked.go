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
	s, err := look(ctx, env, h, m.Name)
	if err != nil {
		return state.Effect{}, err
	}
	kind := maskType(m.Runtime)
	if !s.masked(h, m.Runtime) {
		return state.Settled(fmt.Sprintf("Service %s was already un%s", m.Name, kind)), nil
	}
	return state.Effect{Changes: maskChange(kind, false), Comment: fmt.Sprintf("Service %s was un%s", m.Name, kind),
		Preview: fmt.Sprintf("Service %s would be un%s", m.Name, kind)}, s.files(ctx, h, Unmask, m.Runtime)
}

// Uncover are the arguments of states that unmask the service before they change it.
type Uncover struct {
	Unmask        bool `arg:"unmask" doc:"Unmask the service when it is masked."`
	UnmaskRuntime bool `arg:"unmask_runtime" doc:"Unmask the service when it is masked until the next boot."`
}

// hidden says whether a mask that is to go is there.
func (u Uncover) hidden(h host.Reader, s *sight) bool {
	return u.Unmask && s.masked(h, false) || u.UnmaskRuntime && s.masked(h, true)
}

// uncover unmasks as the arguments say.
func (u Uncover) uncover(ctx context.Context, h host.Host, s *sight) error {
	for _, m := range []struct{ wanted, runtime bool }{{u.Unmask, false}, {u.UnmaskRuntime, true}} {
		if !m.wanted || !s.masked(h, m.runtime) {
			continue
		}
		if err := s.files(ctx, h, Unmask, m.runtime); err != nil {
			return err
		}
	}
	return nil
}
