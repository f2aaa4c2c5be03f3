package module

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Wait calls execution functions only from a watch.
type Wait struct{ Run }

// Check has nothing to do.
func (*Wait) Check(context.Context, *modules.Env, host.Reader) (state.Forecast, error) {
	return state.Forecast{}, nil
}

// ModWatch calls the functions.
func (w *Wait) ModWatch() modules.StateFunc { return &w.Run }
