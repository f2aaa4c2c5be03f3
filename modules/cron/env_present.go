package cron

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// EnvPresent keeps a variable in a crontab.
type EnvPresent struct {
	Name  string `arg:"name,required,word" not:"=" doc:"The variable."`
	Value string `arg:"value" doc:"Its value."`
	User  string `arg:"user,file" default:"root" doc:"Whose crontab."`
}

func envPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.env_present",
		Doc:     "Keeps a variable in a user's crontab, for all jobs that are managed.",
		Example: "MAILTO:\n  cron.env_present:\n    - value: root@example.org",
		New:     func() modules.StateFunc { return &EnvPresent{} },
	}
}

// Act sets the variable.
func (e *EnvPresent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h, e.User)
	if err != nil {
		return state.Effect{}, err
	}
	done := state.Effect{Changes: value.DictOf(e.User, value.Str(e.Name)),
		Comment: fmt.Sprintf("Cron env %s updated", e.Name),
		Preview: fmt.Sprintf("Cron env %s is set to be updated", e.Name)}
	switch t.setVariable(e.Name, e.Value) {
	case isPresent:
		return state.Settled(fmt.Sprintf("Cron env %s already present", e.Name)), nil
	case isNew:
		done.Comment = fmt.Sprintf("Cron env %s added to %s's crontab", e.Name, e.User)
		done.Preview = fmt.Sprintf("Cron env %s is set to be added", e.Name)
	}
	return done, t.write(h, e.User)
}
