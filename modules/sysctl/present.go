package sysctl

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps one setting.
type Present struct {
	Name   string      `arg:"name,required,word" not:"=" doc:"The setting: net.ipv4.ip_forward."`
	Value  value.Value `arg:"value,required" doc:"Its value."`
	Config string      `arg:"config,path" not:".." doc:"The file that sets it at boot: /etc/sysctl.d/99-salt.conf where systemd runs, else /etc/sysctl.conf."`
	Ignore bool        `arg:"ignore" doc:"A setting that the kernel does not have is no failure."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "sysctl.present",
		Doc:     "Keeps a kernel setting, now and at boot.",
		Example: "net.ipv4.ip_forward:\n  sysctl.present:\n    - value: 1",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// NeedsRoot is true: only root may change the kernel's settings.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

// Act notes the setting for the next boot, then sets the running kernel. As with Salt it stays noted where the kernel
// has no such setting or refuses the value: a module that brings it may come later.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	val := value.String(p.Value)
	file, err := open(h, cmp.Or(p.Config, defaultConfig(h)))
	if err != nil {
		return state.Effect{}, err
	}
	now, known, err := current(h, p.Name)
	if err != nil {
		return state.Effect{}, err
	}
	noted := !file.set(p.Name, val)
	if noted && (known && fields(now) == fields(val) || !known && p.Ignore) {
		return state.Settled(fmt.Sprintf("Sysctl value %s = %s is already set", p.Name, val)), nil
	}
	e := state.Effect{Changes: value.DictOf(p.Name, p.Value),
		Comment: fmt.Sprintf("Updated sysctl value %s = %s", p.Name, val),
		Preview: fmt.Sprintf("Sysctl option %s set to be changed to %s", p.Name, val)}
	if !noted {
		if err := file.write(h); err != nil {
			return state.Effect{}, err
		}
	}
	if (!known || fields(now) != fields(val)) && !(p.Ignore && !known) {
		err = assign(ctx, h, p.Name, val)
	}
	if err != nil {
		return state.Effect{Pending: !noted, Once: true}, err
	}
	return e, nil
}
