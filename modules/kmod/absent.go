package kmod

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Absent keeps modules out of the kernel.
type Absent struct {
	Common
	Comment bool `arg:"comment" default:"true" doc:"no effect: a line of /etc/modules is removed"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "kmod.absent",
		Doc:     "Keeps kernel modules from being loaded.",
		Example: "pcspkr:\n  kmod.absent:\n    - persist: true",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Check says which modules would be removed.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	return a.check(h, false, "removed", "removed")
}

// Apply removes them.
func (a *Absent) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	return a.apply(ctx, h, false, f, "removed")
}
