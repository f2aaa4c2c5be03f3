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

// EnvAbsent keeps a variable out of a crontab.
type EnvAbsent struct {
	Name string `arg:"name,required" doc:"the variable"`
	User string `arg:"user" default:"root" doc:"whose crontab"`
}

func envAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.env_absent",
		Doc:     "Keeps a variable out of a user's crontab.",
		Example: "MAILTO:\n  cron.env_absent: []",
		New:     func() modules.StateFunc { return &EnvAbsent{} },
	}
}

// OnlyFiles: crontabs are files.
func (*EnvAbsent) OnlyFiles() {}

// Locks keeps other changes of crontabs out.
func (*EnvAbsent) Locks() []string { return []string{"cron"} }

// Check says whether the variable would be removed.
func (e *EnvAbsent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	t, err := read(h, e.User)
	if err != nil {
		return state.Forecast{}, err
	}
	if t.variable(e.Name) < 0 {
		return state.Forecast{Comment: fmt.Sprintf("Cron env %s already absent", e.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(e.User, value.Str(e.Name)), Comment: fmt.Sprintf("Cron env %s is set to be removed", e.Name)}, nil
}

// Apply removes the variable.
func (e *EnvAbsent) Apply(_ context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	t, err := read(h, e.User)
	if err != nil {
		return state.Applied{}, err
	}
	if i := t.variable(e.Name); i >= 0 {
		t.managed = slices.Delete(t.managed, i, i+1)
	}
	if err := t.write(h, e.User); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Cron env %s removed from %s's crontab", e.Name, e.User)}, nil
}
