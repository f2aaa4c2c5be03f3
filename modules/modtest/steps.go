package modtest

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// A Forecast is what a state function would do: its effect in test mode, and what it promises.
type Forecast struct {
	Pending  bool
	Changes  state.Changes
	Comment  string
	Effects  []host.Fact
	Action   bool
	Warnings []string
}

// Applied is what a state function did.
type Applied struct {
	Changes  state.Changes
	Comment  string
	Warnings []string
}

// Steps are a state function as the executor uses it: a look, then the deed.
type Steps struct{ Fn modules.StateFunc }

// Of gives the steps of a state function.
func Of(fn modules.StateFunc) Steps { return Steps{fn} }

// Check acts on an overlay that is thrown away.
func (s Steps) Check(ctx context.Context, env *modules.Env, h host.Reader) (Forecast, error) {
	over := host.Forecast(h)
	e, err := s.Fn.Act(ctx, env, over)
	f := Forecast{Pending: e.Alters(), Changes: e.Changes, Comment: e.Comment, Action: e.Once, Warnings: e.Warnings,
		Effects: over.Promised()}
	if e.Preview != "" {
		f.Comment = e.Preview
	}
	if e.Foretold != nil {
		f.Changes = e.Foretold
	}
	return f, err
}

// Apply acts on the machine.
func (s Steps) Apply(ctx context.Context, env *modules.Env, h host.Host, _ Forecast) (Applied, error) {
	e, err := s.Fn.Act(ctx, env, h)
	return Applied{Changes: e.Changes, Comment: e.Comment, Warnings: e.Warnings}, err
}
