package cmd

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Run is cmd.run.
type Run struct {
	common
}

func run() modules.StateSpec {
	return modules.StateSpec{Name: "cmd.run", AnyArgs: true,
		Doc:     "Runs a command, every time that its requisites and conditions let it.\nUse onchanges, creates, onlyif or unless to run it only when it is needed.",
		Example: "rebuild-index:\n  cmd.run:\n    - name: /usr/bin/rebuild --all\n    - onchanges:\n      - file: /etc/index.conf\n",
		New:     func() modules.StateFunc { return &Run{} }}
}

// Check says that the command would run.
func (r *Run) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	return r.forecast(ctx, h, fmt.Sprintf("Command \"%s\" would have been executed", r.Name))
}

// Apply runs it.
func (r *Run) Apply(ctx context.Context, _ *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	if err := r.workable(h); err != nil {
		return state.Applied{}, err
	}
	o, err := r.invocation(r.Name).run(ctx, h)
	if err != nil {
		return state.Applied{}, err
	}
	return r.applied(o, fmt.Sprintf("Command \"%s\" run", r.Name), h)
}

// ModWatch runs it again: only a state that made no change itself reacts.
func (r *Run) ModWatch() modules.StateFunc { return r }
