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
	Runtime bool `arg:"runtime" doc:"only until the next boot"`
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
	if s.now.Masked() {
		return (s.now.FileState == "masked-runtime") == runtime
	}
	return s.masked
}

// Check says whether it would be masked.
func (m *Masked) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, m.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	kind := maskType(m.Runtime)
	if s.maskedAs(m.Runtime) {
		return state.Forecast{Comment: fmt.Sprintf("Service %s is already %s", m.Name, kind)}, nil
	}
	return state.Forecast{Pending: true, Changes: maskChange(m.Name, "unmasked", kind),
		Comment: fmt.Sprintf("Service %s would be %s", m.Name, kind), Effects: s.promise(s.running, false, true)}, nil
}

// Apply masks it.
func (m *Masked) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, m.Name)
	if err != nil {
		return state.Applied{}, err
	}
	if err := s.provider.Files(ctx, h, Mask, s.real(), m.Runtime); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Service %s was %s", m.Name, maskType(m.Runtime))}, nil
}
