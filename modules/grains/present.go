package grains

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a grain.
type Present struct {
	named
	Value value.Value `arg:"value,required,text" doc:"Its value."`
	Force bool        `arg:"force" doc:"Replaces a map or a list, or by one."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "grains.present",
		Doc:     "Keeps a grain in the file of grains beside the configuration. States after it see it.",
		Example: "tier:\n  grains.present:\n    - value: web",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Act notes the grain.
func (p *Present) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	key := p.key()
	now, there := s.get(key)
	if there && value.Equal(now, p.Value) {
		return state.Settled("Grain is already set"), nil
	}
	e := state.Effect{Comment: fmt.Sprintf("Set grain %s to %s", key, value.String(p.Value)),
		Preview: fmt.Sprintf("Grain %s is set to be added", key)}
	if there {
		e.Preview = fmt.Sprintf("Grain %s is set to be changed", key)
	}
	if e.Changes, err = s.set(key, p.Value, p.Force, false); err != nil {
		return state.Effect{}, err
	}
	return e, s.write(h)
}
