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
	Name string `arg:"name" doc:"A unique text."`
	Text string `arg:"text,required" doc:"What to show."`
}

func showNotification() modules.StateSpec {
	return modules.StateSpec{Name: "test.show_notification", Doc: "Shows a text as its comment.", AnyArgs: true,
		Example: "note:\n  test.show_notification:\n    - text: remember the milk\n",
		New:     func() modules.StateFunc { return &ShowNotification{} }}
}

// Check tells the text.
func (s *ShowNotification) Check(context.Context, *modules.Env, host.Reader) (state.Forecast, error) {
	return state.Forecast{Comment: s.Text}, nil
}

// Apply is never called.
func (*ShowNotification) Apply(context.Context, *modules.Env, host.Host, state.Forecast) (state.Applied, error) {
	return state.Applied{}, nil
}
