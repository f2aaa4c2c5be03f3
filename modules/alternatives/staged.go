package alternatives

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Act does it in two steps.
func (s *Auto) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Install) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Remove) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Set) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}
