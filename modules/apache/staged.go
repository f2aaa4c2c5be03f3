package apache

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Act does it in two steps.
func (s *State) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, s)
}
