package test

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ModWatch is test.mod_watch, what a watch calls.
type ModWatch struct {
	base
	Name  string `arg:"name" doc:"A unique text."`
	fails bool   // what watches was told to fail
}

func modWatch() modules.StateSpec {
	return modules.StateSpec{Name: "test.mod_watch", Doc: "Tells which of the states that it watches changed. A watch calls it.", AnyArgs: true,
		Example: "reaction:\n  test.nop:\n    - watch:\n      - file: /etc/motd\n",
		New:     func() modules.StateFunc { return &ModWatch{} }}
}

const watchComment = "Watch statement fired."

func fired(env *modules.Env) state.Changes {
	l := value.NewList()
	for _, low := range env.Fired {
		l.Items = append(l.Items, value.Str(low.Module+": "+low.ID))
	}
	return value.DictOf("Requisites with changes", l)
}

// Check says that it fires.
func (*ModWatch) Check(_ context.Context, env *modules.Env, _ host.Reader) (state.Forecast, error) {
	return state.Forecast{Pending: true, Changes: fired(env), Comment: watchComment, Action: true}, nil
}

// Apply names the states.
func (m *ModWatch) Apply(_ context.Context, env *modules.Env, _ host.Host, _ state.Forecast) (state.Applied, error) {
	a := state.Applied{Changes: fired(env), Comment: watchComment}
	if m.fails {
		return a, errors.New(watchComment)
	}
	return a, nil
}
