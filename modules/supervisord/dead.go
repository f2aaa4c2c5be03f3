package supervisord

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Dead keeps a program stopped.
type Dead struct {
	Name string `arg:"name,required" doc:"The program, or a group: 'web:'."`
	Control
}

func deadSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "supervisord.dead", Doc: "Keeps a program of supervisord stopped.",
		Example: "wsgi_server:\n  supervisord.dead: []", AnyArgs: true, New: func() modules.StateFunc { return &Dead{} },
	}
}

// Act stops the program.
// Salt differs: of a group in which one program is stopped it stops no other.
func (d *Dead) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := d.status(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	name := plain(d.Name)
	have, err := members(all, name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case len(have) == 0:
		return state.Settled(fmt.Sprintf("Service %s doesn't exist", name)), nil
	case !slices.ContainsFunc(have, func(p process) bool { return !p.stopped() }):
		return state.Settled(fmt.Sprintf("Service %s is not running", name)), nil
	}
	return settle(effect(name, fmt.Sprintf("Service %s is set to be stopped", name), "Stopping service: "+name),
		d.deed(ctx, h, "stop", name, have, "STOPPED", func(ctx context.Context) error {
			_, err := d.run(ctx, h, "stop", name)
			return err
		}))
}
