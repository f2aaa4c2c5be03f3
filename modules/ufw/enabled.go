package ufw

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Enabled keeps ufw on.
type Enabled struct {
	root
	Name string `arg:"name,required,text" doc:"The name of the state."`
}

func enabledSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "ufw.enabled", Doc: "Keeps ufw on, now and at boot.", Example: "firewall:\n  ufw.enabled: []",
		New: func() modules.StateFunc { return &Enabled{} },
	}
}

// Act switches ufw on.
func (e *Enabled) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := installed(h); err != nil {
		return state.Effect{}, err
	}
	switch on, err := setting(h, switchFile, "ENABLED"); {
	case err != nil:
		return state.Effect{}, err
	case on == "yes":
		return state.Settled("UFW is already enabled"), nil
	}
	_, err := run(ctx, h, func(o host.Host) error { return set(o, switchFile, "ENABLED", "yes") }, "--force", "enable")
	return changed("UFW", " is enabled", value.DictOf("enabled", value.Bool(true)), " would have been enabled"), err
}
