package supervisord

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Running keeps a program running.
type Running struct {
	Name    string `arg:"name,required" doc:"The program, or a group: 'web:'."`
	Restart bool   `arg:"restart" doc:"Restarts what runs, in every run."`
	Update  bool   `arg:"update" doc:"Lets supervisord take its new configuration first, in every run."`
	Control
}

func runningSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "supervisord.running", Doc: "Keeps a program of supervisord running. A watch restarts it.",
		Example: "wsgi_server:\n  supervisord.running:\n    - restart: false", AnyArgs: true,
		New: func() modules.StateFunc { return &Running{} },
	}
}

// ModWatch restarts the program.
func (r *Running) ModWatch() modules.StateFunc {
	again := *r
	again.Restart = true
	return &again
}

// Act starts the program, adds it where supervisord does not know it, or restarts it.
func (r *Running) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := r.status(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	name := plain(r.Name)
	have, err := members(all, name)
	if err != nil {
		return state.Effect{}, err
	}
	off := slices.DeleteFunc(slices.Clone(have), func(p process) bool { return !p.stopped() })
	kind := map[bool]string{true: "group", false: "service"}[strings.HasSuffix(name, ":")]
	switch {
	case len(have) == 0:
		return r.add(ctx, h, name, kind)
	case r.Update:
		return r.update(ctx, h, name, kind, have, len(off) > 0)
	case len(off) > 0:
		return r.start(ctx, h, name, kind, have, off)
	case r.Restart:
		return r.restart(ctx, h, name, kind, have)
	}
	return state.Settled(fmt.Sprintf("Not starting already running %s: %s", kind, name)), nil
}

// settle drops the changes of what failed.
func settle(e state.Effect, err error) (state.Effect, error) {
	if err != nil {
		e.Changes, e.Foretold = nil, nil
	}
	return e, err
}

// effect is what is told of steps that were, or would be, taken; the last one is the comment.
func effect(name, preview string, steps ...string) state.Effect {
	return state.Effect{Changes: value.DictOf(name, value.Str(strings.Join(steps, " "))), Foretold: value.NewDict(0),
		Comment: steps[len(steps)-1], Preview: preview}
}

// add makes a program known and starts it.
func (r *Running) add(ctx context.Context, h host.Host, name, kind string) (state.Effect, error) {
	steps := []string{"Adding service: " + name, "Starting: " + name}
	first := [][]string{{"reread"}, {"add", strings.TrimSuffix(name, ":")}}
	if r.Update {
		steps, first = steps[1:], [][]string{{"update"}}
	}
	shown := map[string]string{"group": "Group '" + name + "'", "service": "Service " + name}[kind]
	return settle(effect(name, shown+" will be added and started", steps...),
		r.deed(ctx, h, "add", name, nil, "RUNNING", func(ctx context.Context) error {
			for _, words := range append(first, []string{"start", name}) {
				if _, err := r.run(ctx, h, words...); err != nil {
					return err
				}
			}
			return nil
		}))
}

func (r *Running) start(ctx context.Context, h host.Host, name, kind string,
	have, off []process) (state.Effect, error) {
	preview := fmt.Sprintf("Service %s will be started", name)
	switch {
	case kind == "group" && len(off) == len(have):
		preview = fmt.Sprintf("All services in group '%s' will be started", name)
	case kind == "group":
		var names []string
		for _, p := range off {
			names = append(names, p.name)
		}
		preview = "The following services will be started: " + strings.Join(names, " ")
	}
	e := effect(name, preview, fmt.Sprintf("Starting %s: %s", kind, name))
	e.Once = r.Restart
	return e, r.deed(ctx, h, "start", name, have, "RUNNING", func(ctx context.Context) error {
		_, err := r.run(ctx, h, "start", name)
		return err
	})
}

func (r *Running) restart(ctx context.Context, h host.Host, name, kind string, have []process) (state.Effect, error) {
	step := fmt.Sprintf("Restarting %s: %s", kind, name)
	e := effect(name, step, step)
	e.Once = true
	return settle(e, r.deed(ctx, h, "restart", name, have, "RUNNING", func(ctx context.Context) error {
		_, err := r.run(ctx, h, "restart", name)
		return err
	}))
}

// update lets supervisord take its configuration in every run, and does then what is left to do. Whether that changes
// something, it tells afterwards.
// Salt differs: it shows no changes where the update restarted the program.
func (r *Running) update(ctx context.Context, h host.Host, name, kind string, have []process,
	off bool) (state.Effect, error) {
	e := state.Settled(fmt.Sprintf("Not starting already running %s: %s", kind, name))
	switch {
	case off:
		e = effect(name, fmt.Sprintf("Service %s will be started", name), fmt.Sprintf("Starting %s: %s", kind, name))
	case r.Restart:
		e = effect(name, "", fmt.Sprintf("Restarting %s: %s", kind, name))
	}
	e.Once = true
	return e, r.deed(ctx, h, "update", name, have, "RUNNING", func(ctx context.Context) error {
		said, err := r.run(ctx, h, "update")
		if err != nil {
			return err
		}
		verb := "start"
		group, _, _ := strings.Cut(name, ":")
		switch {
		case updated(said, group):
			e = effect(name, "", fmt.Sprintf("Updating supervisor Not starting updated %s: %s", kind, name))
			e.Comment, e.Once = fmt.Sprintf("Not starting updated %s: %s", kind, name), true
			return nil
		case !off && !r.Restart:
			return nil
		case !off:
			verb = "restart"
		}
		_, err = r.run(ctx, h, verb, name)
		return err
	})
}

// updated says whether an update stopped and started a group.
func updated(said, group string) bool {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, group+": updated") {
			return true
		}
	}
	return false
}
