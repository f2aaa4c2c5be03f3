package test

import (
	"cmp"
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// FailWithoutChanges is test.fail_without_changes.
type FailWithoutChanges struct {
	base
	Name    string `arg:"name,text" doc:"A unique text."`
	Comment string `arg:"comment,text" doc:"The comment of the result."`
}

func failWithoutChanges() modules.StateSpec {
	return modules.StateSpec{Name: "test.fail_without_changes", Doc: "Fails, and changes nothing.", AnyArgs: true,
		Example: "pretend:\n  test.fail_without_changes:\n    - comment: only a test\n",
		New:     func() modules.StateFunc { return &FailWithoutChanges{} }}
}

func (s *FailWithoutChanges) pretence() pretence {
	return pretence{changes: false, fails: true, comment: cmp.Or(s.Comment, "Failure!"), preview: ""}
}

// Act has the outcome that the function is named for.
func (s *FailWithoutChanges) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	return s.pretence().act(ctx, h)
}
