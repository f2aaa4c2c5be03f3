package pkg

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// NoReaction is of functions that do not react to a watch: as in Salt, one that fires is a failure.
type NoReaction struct{}

// ModWatch fails.
func (NoReaction) ModWatch() modules.StateFunc { return noReaction{} }

type noReaction struct{}

// Act fails.
func (noReaction) Act(_ context.Context, env *modules.Env, _ host.Host) (state.Effect, error) {
	return state.Effect{}, host.Sure(errors.New("pkg." + env.Low.Func + " does not work with the watch requisite"))
}
