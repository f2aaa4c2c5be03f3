package modules

import (
	"context"
	"errors"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Through lets another state function act, as one does that is built on it: the files of certificates are those of
// file.managed.
func (e *Env) Through(ctx context.Context, h host.Host, fun, name string, args *value.Dict) (state.Effect, error) {
	module, function, _ := strings.Cut(fun, ".")
	if e.Registry == nil {
		return state.Effect{}, errors.New("there is no " + fun)
	}
	spec, fault := e.Registry.Lookup(module, function)
	if fault != nil {
		return state.Effect{}, fault
	}
	low := &state.Low{ID: e.Low.ID, Name: name, Module: module, Func: function, SLS: e.Low.SLS, Env: e.Low.Env,
		Pos: e.Low.Pos, Args: args}
	fn, faults := Bind(spec, low)
	if fn == nil {
		return state.Effect{}, errors.New(faults[0].Msg)
	}
	env := *e
	env.Low, env.Kept = low, NewCache()
	return fn.Act(ctx, &env, h)
}
