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
		Doc: "Runs a command, every time that its requisites and conditions let it.\nUse onchanges, creates, onlyif or " +
			"unless to run it only when it is needed.",
		Example: "rebuild-index:\n  cmd.run:\n    - name: /usr/bin/rebuild --all\n    - onchanges:\n      - file: " +
			"/etc/index.conf\n",
		New: func() modules.StateFunc { return &Run{} }}
}

// Act runs it.
func (r *Run) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return r.act(ctx, env, h, fmt.Sprintf("Command \"%s\"", r.Name), func(ctx context.Context) (outcome, error) {
		return r.invocation(r.Name).run(ctx, h)
	})
}

// ModWatch runs it again: only a state that made no change itself reacts.
func (r *Run) ModWatch() modules.StateFunc { return r }
