package mount

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Act does it in two steps.
func (s *FstabAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *FstabPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Mounted) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *remount) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Swap) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Unmounted) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}
