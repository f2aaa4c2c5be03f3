package test

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Nop is test.nop.
type Nop struct {
	base
	Name    string `arg:"name" doc:"A unique text."`
	Comment string `arg:"comment" doc:"The comment of the result."`
}

func nop() modules.StateSpec {
	return modules.StateSpec{Name: "test.nop", Doc: "Does nothing, and succeeds. Useful to hang requisites on.", AnyArgs: true,
		Example: "everything-in-place:\n  test.nop:\n    - require:\n      - sls: web\n",
		New:     func() modules.StateFunc { return &Nop{} }}
}

// Check says that nothing is to be done.
func (n *Nop) Check(context.Context, *modules.Env, host.Reader) (state.Forecast, error) {
	return pretence{comment: orElse(n.Comment, "Success!")}.check()
}

// Apply is never called.
func (n *Nop) Apply(context.Context, *modules.Env, host.Host, state.Forecast) (state.Applied, error) {
	return state.Applied{}, nil
}
