package cron

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// EnvPresent keeps a variable in a crontab.
type EnvPresent struct {
	Name  string `arg:"name,required" doc:"The variable."`
	Value string `arg:"value" doc:"Its value."`
	User  string `arg:"user" default:"root" doc:"Whose crontab."`
}

func envPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.env_present",
		Doc:     "Keeps a variable in a user's crontab, for the jobs below it.",
		Example: "MAILTO:\n  cron.env_present:\n    - value: root@example.org",
		New:     func() modules.StateFunc { return &EnvPresent{} },
	}
}

// Act sets the variable. A new one stands above the jobs, so that it holds for them.
func (e *EnvPresent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h, e.User)
	if err != nil {
		return state.Effect{}, err
	}
	done := state.Effect{Changes: value.DictOf(e.User, value.Str(e.Name)), Comment: fmt.Sprintf("Cron env %s updated", e.Name),
		Preview: fmt.Sprintf("Cron env %s is set to be updated", e.Name)}
	i := t.variable(e.Name)
	switch {
	case i >= 0 && t.managed[i].env.value == e.Value:
		return state.Settled(fmt.Sprintf("Cron env %s already present", e.Name)), nil
	case i >= 0:
		t.managed[i].env.value = e.Value
	default:
		first := slices.IndexFunc(t.managed, func(l line) bool { return l.job != nil })
		if first < 0 {
			first = len(t.managed)
		}
		t.managed = slices.Insert(t.managed, first, line{env: &variable{e.Name, e.Value}})
		done.Comment = fmt.Sprintf("Cron env %s added to %s's crontab", e.Name, e.User)
		done.Preview = fmt.Sprintf("Cron env %s is set to be added", e.Name)
	}
	return done, t.write(h, e.User)
}
