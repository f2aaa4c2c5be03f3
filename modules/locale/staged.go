package locale

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Act does it in two steps.
func (s *Present) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *System) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}
