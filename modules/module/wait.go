package module

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Wait calls execution functions only from a watch.
type Wait struct{ Run }

// Act has nothing to do by itself.
func (*Wait) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Settled(""), nil
}

// ModWatch calls the functions.
func (w *Wait) ModWatch() modules.StateFunc { return &w.Run }
