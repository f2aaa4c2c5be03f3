package cmd

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// WaitScript is cmd.wait_script.
type WaitScript struct {
	Script
}

func waitScript() modules.StateSpec {
	return modules.StateSpec{Name: "cmd.wait_script", AnyArgs: true,
		Doc: "Fetches a script and runs it only when something that it watches changed.",
		Example: "reload:\n  cmd.wait_script:\n    - source: salt://web/reload.sh\n    - watch:\n      - file: " +
			"/etc/web.conf\n",
		New: func() modules.StateFunc { return &WaitScript{} }}
}

// Act has nothing to do by itself.
func (*WaitScript) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Settled(""), nil
}

// ModWatch runs the script.
func (w *WaitScript) ModWatch() modules.StateFunc { return &w.Script }
