package modules

import (
	"context"
	"errors"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// unknown stands for a state function that does not exist: it fails when the run comes to it, as in Salt.
type unknown struct{ err error }

// Unknown is the state function of a state whose function does not exist, for runs with `strict: false`.
func Unknown(l *state.Low, reason string) StateFunc {
	return unknown{errors.New("State '" + l.Fun() + "' was not found in SLS '" + l.SLS + "'\nReason: " + reason)}
}

func (u unknown) Act(context.Context, *Env, host.Host) (state.Effect, error) {
	return state.Effect{}, u.err
}
