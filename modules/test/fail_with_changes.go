package test

import (
	"cmp"
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// FailWithChanges is test.fail_with_changes.
type FailWithChanges struct {
	base
	Name    string `arg:"name,text" doc:"A unique text."`
	Comment string `arg:"comment,text" doc:"The comment of the result."`
}

func failWithChanges() modules.StateSpec {
	return modules.StateSpec{Name: "test.fail_with_changes", Doc: "Fails, and claims a change.", AnyArgs: true,
		Example: "pretend:\n  test.fail_with_changes:\n    - comment: only a test\n",
		New:     func() modules.StateFunc { return &FailWithChanges{} }}
}

func (s *FailWithChanges) pretence() pretence {
	return pretence{changes: true, fails: true, comment: cmp.Or(s.Comment, "Failure!"),
		preview: "If we weren't testing, this would be failed with changes"}
}

// Act has the outcome that the function is named for.
func (s *FailWithChanges) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	return s.pretence().act(ctx, h)
}
