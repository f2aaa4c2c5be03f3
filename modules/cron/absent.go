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

// Absent keeps a job out of a crontab.
type Absent struct {
	Name    string      `arg:"name,required" doc:"the command"`
	User    string      `arg:"user" default:"root" doc:"whose crontab"`
	ID      string      `arg:"identifier" doc:"what the job is known by; its command when not given"`
	Special string      `arg:"special" doc:"no effect: the job is known by its identifier"`
	Times   value.Value `arg:"minute" alias:"hour,daymonth,month,dayweek,comment,commented" doc:"no effect: the job is known by its identifier"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.absent",
		Doc:     "Keeps a job out of a user's crontab.",
		Example: "backup:\n  cron.absent:\n    - identifier: backup",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// OnlyFiles: crontabs are files.
func (*Absent) OnlyFiles() {}

// Locks keeps other changes of crontabs out.
func (*Absent) Locks() []string { return []string{"cron"} }

func (a *Absent) find(t *table) int {
	id := a.ID
	if id == "" {
		id = a.Name
	}
	return t.find(a.Name, id)
}

// Check says whether the job would be removed. A user who is not there has no crontab.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	gone := state.Forecast{Comment: fmt.Sprintf("Cron %s already absent", a.Name)}
	if _, err := h.User(a.User); err != nil {
		return gone, nil
	}
	if _, err := dir(h); err != nil {
		return gone, nil
	}
	t, err := read(h, a.User)
	if err != nil {
		return state.Forecast{}, err
	}
	if a.find(t) < 0 {
		return gone, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(a.User, value.Str(a.Name)), Comment: fmt.Sprintf("Cron %s is set to be removed", a.Name)}, nil
}

// Apply removes the job.
func (a *Absent) Apply(_ context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	t, err := read(h, a.User)
	if err != nil {
		return state.Applied{}, err
	}
	for i := a.find(t); i >= 0; i = a.find(t) {
		t.managed = slices.Delete(t.managed, i, i+1)
	}
	if err := t.write(h, a.User); err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Cron %s removed from %s's crontab", a.Name, a.User)}, nil
}
