package test

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// ShowNotification is test.show_notification.
type ShowNotification struct {
	base
	Name string `arg:"name,text" doc:"A unique text."`
	Text string `arg:"text,required,text" doc:"What to show."`
}

func showNotification() modules.StateSpec {
	return modules.StateSpec{Name: "test.show_notification", Doc: "Shows a text as its comment.", AnyArgs: true,
		Example: "note:\n  test.show_notification:\n    - text: remember the milk\n",
		New:     func() modules.StateFunc { return &ShowNotification{} }}
}

// Act tells the text.
func (s *ShowNotification) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	return pretence{comment: s.Text}.act(ctx, h)
}
