package test

import (
	"cmp"
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// SucceedWithChanges is test.succeed_with_changes.
type SucceedWithChanges struct {
	base
	Name    string `arg:"name,text" doc:"A unique text."`
	Comment string `arg:"comment,text" doc:"The comment of the result."`
}

func succeedWithChanges() modules.StateSpec {
	return modules.StateSpec{Name: "test.succeed_with_changes", Doc: "Succeeds, and claims a change.", AnyArgs: true,
		Example: "pretend:\n  test.succeed_with_changes:\n    - comment: only a test\n",
		New:     func() modules.StateFunc { return &SucceedWithChanges{} }}
}

func (s *SucceedWithChanges) pretence() pretence {
	return pretence{changes: true, fails: false, comment: cmp.Or(s.Comment, "Success!"),
		preview: "If we weren't testing, this would be successful with changes"}
}

// Act has the outcome that the function is named for.
func (s *SucceedWithChanges) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	return s.pretence().act(ctx, h)
}
