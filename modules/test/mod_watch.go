package test

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ModWatch is test.mod_watch, what a watch calls.
type ModWatch struct {
	base
	Name  string `arg:"name,text" doc:"A unique text."`
	fails bool   // what watches was told to fail
}

func modWatch() modules.StateSpec {
	return modules.StateSpec{Name: "test.mod_watch", Doc: "Tells which of the states that it watches changed. A watch " +
		"calls it.", AnyArgs: true,
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

// Act names the states that changed.
func (m *ModWatch) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Changes: fired(env), Comment: watchComment, Once: true}
	return e, pretend(ctx, h, m.fails, watchComment)
}
