package cron

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// EnvAbsent keeps a variable out of a crontab.
type EnvAbsent struct {
	Name string `arg:"name,required,word" not:"=" doc:"The variable."`
	User string `arg:"user,file" default:"root" doc:"Whose crontab."`
}

func envAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.env_absent",
		Doc:     "Keeps a variable out of a user's crontab.",
		Example: "MAILTO:\n  cron.env_absent: []",
		New:     func() modules.StateFunc { return &EnvAbsent{} },
	}
}

// Act removes the variable. A user who is not there has no crontab.
func (e *EnvAbsent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h, e.User)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return state.Effect{}, err
	}
	if err != nil || t.removeVariable(e.Name) == isAbsent {
		return state.Settled(fmt.Sprintf("Cron env %s already absent", e.Name)), nil
	}
	return state.Effect{Changes: value.DictOf(e.User, value.Str(e.Name)),
		Comment: fmt.Sprintf("Cron env %s removed from %s's crontab", e.Name, e.User),
		Preview: fmt.Sprintf("Cron env %s is set to be removed", e.Name)}, t.write(h, e.User)
}
