package kmod

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Present keeps modules loaded.
type Present struct{ Common }

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "kmod.present",
		Doc:     "Keeps kernel modules loaded.",
		Example: "br_netfilter:\n  kmod.present:\n    - persist: true",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Check says which modules would be loaded.
func (p *Present) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	return p.check(h, true, "loaded", "present")
}

// Apply loads them.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	return p.apply(ctx, h, true, f, "loaded")
}
