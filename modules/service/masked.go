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

func maskChange(kind string, now bool) *value.Dict {
	return value.DictOf(kind, value.DictOf("old", value.Bool(!now), "new", value.Bool(now)))
}

// masked says whether there is a mask of the kind, as its link tells; a service may have both.
func (s *sight) masked(h host.Reader, runtime bool) bool {
	to, err := h.Readlink(maskDir(runtime) + s.real())
	return err == nil && to == "/dev/null"
}

func maskDir(runtime bool) string {
	if runtime {
		return "/run/systemd/system/"
	}
	return "/etc/systemd/system/"
}

// Act masks it.
func (m *Masked) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env, h, m.Name)
	if err != nil {
		return state.Effect{}, err
	}
	kind := maskType(m.Runtime)
	if s.masked(h, m.Runtime) {
		return state.Settled(fmt.Sprintf("Service %s is already %s", m.Name, kind)), nil
	}
	if err := s.files(ctx, h, Mask, m.Runtime); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: maskChange(kind, true), Comment: fmt.Sprintf("Service %s was %s", m.Name, kind),
		Preview: fmt.Sprintf("Service %s would be %s", m.Name, kind)}, nil
}
