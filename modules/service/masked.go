package service

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Masked makes a service impossible to start.
type Masked struct {
	Named
	Runtime bool `arg:"runtime" doc:"Only until the next boot."`
}

func maskedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "service.masked",
		Doc:     "Makes a service impossible to start, by hand or by another. It does not stop it now.",
		Example: "cups:\n  service.masked: []",
		New:     func() modules.StateFunc { return &Masked{} },
		AnyArgs: true,
	}
}

func maskType(runtime bool) string {
	if runtime {
		return "runtime masked"
	}
	return "masked"
}

func maskChange(name, from, to string) *value.Dict {
	return value.DictOf(name, value.DictOf("old", value.Str(from), "new", value.Str(to)))
}

// maskedAs says whether the service is masked in the way that is meant.
func (s *sight) maskedAs(runtime bool) bool {
	return s.now.Masked() && (s.now.FileState == "masked-runtime") == runtime
}

// Act masks it.
func (m *Masked) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env.Cache, h, m.Name)
	if err != nil {
		return state.Effect{}, err
	}
	kind := maskType(m.Runtime)
	if s.maskedAs(m.Runtime) {
		return state.Settled(fmt.Sprintf("Service %s is already %s", m.Name, kind)), nil
	}
	if err := s.files(ctx, h, Mask, m.Runtime); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: maskChange(m.Name, "unmasked", kind), Comment: fmt.Sprintf("Service %s was %s", m.Name, kind),
		Preview: fmt.Sprintf("Service %s would be %s", m.Name, kind)}, nil
}
