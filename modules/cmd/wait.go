package cmd

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Wait is cmd.wait.
type Wait struct {
	common
}

func wait() modules.StateSpec {
	return modules.StateSpec{Name: "cmd.wait", Aliases: []string{"cmd.watch"}, AnyArgs: true,
		Doc: "Runs a command only when something that it watches changed.\ncmd.run with onchanges does the same and " +
			"says it more plainly.",
		Example: "newaliases:\n  cmd.wait:\n    - watch:\n      - file: /etc/aliases\n",
		New:     func() modules.StateFunc { return &Wait{} }}
}

// Act has nothing to do by itself.
func (*Wait) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Settled(""), nil
}

// ModWatch runs the command.
func (w *Wait) ModWatch() modules.StateFunc { return &Run{w.common} }
