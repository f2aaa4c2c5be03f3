package test

import (
	"cmp"
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// SucceedWithoutChanges is test.succeed_without_changes.
type SucceedWithoutChanges struct {
	base
	Name    string `arg:"name,text" doc:"A unique text."`
	Comment string `arg:"comment,text" doc:"The comment of the result."`
}

func succeedWithoutChanges() modules.StateSpec {
	return modules.StateSpec{Name: "test.succeed_without_changes", Doc: "Succeeds, and changes nothing.", AnyArgs: true,
		Example: "pretend:\n  test.succeed_without_changes:\n    - comment: only a test\n",
		New:     func() modules.StateFunc { return &SucceedWithoutChanges{} }}
}

func (s *SucceedWithoutChanges) pretence() pretence {
	return pretence{changes: false, fails: false, comment: cmp.Or(s.Comment, "Success!"), preview: ""}
}

// Act has the outcome that the function is named for.
func (s *SucceedWithoutChanges) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	return s.pretence().act(ctx, h)
}
