package service

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Act does it in two steps.
func (s *Dead) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Disabled) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Enabled) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s noReaction) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Masked) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Running) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *Unmasked) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}

// Act does it in two steps.
func (s *reaction) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}
