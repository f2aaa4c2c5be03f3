package test

import (
	"cmp"
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Nop is test.nop.
type Nop struct {
	base
	Name    string `arg:"name,text" doc:"A unique text."`
	Comment string `arg:"comment,text" doc:"The comment of the result."`
}

func nop() modules.StateSpec {
	return modules.StateSpec{Name: "test.nop", Doc: "Does nothing, and succeeds. Useful to hang requisites on.",
		AnyArgs: true,
		Example: "everything-in-place:\n  test.nop:\n    - require:\n      - sls: web\n",
		New:     func() modules.StateFunc { return &Nop{} }}
}

// Act does nothing.
func (n *Nop) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	return pretence{comment: cmp.Or(n.Comment, "Success!")}.act(ctx, h)
}
