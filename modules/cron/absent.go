package cron

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a job out of a crontab.
type Absent struct {
	Name    string      `arg:"name,required" doc:"The command."`
	User    string      `arg:"user" default:"root" doc:"Whose crontab."`
	ID      string      `arg:"identifier" doc:"What the job is known by; its command when not given."`
	Special string      `arg:"special" doc:"No effect: the job is known by its identifier."`
	Times   value.Value `arg:"minute" alias:"hour,daymonth,month,dayweek,comment,commented" doc:"No effect: the job is known by its identifier."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.absent",
		Doc:     "Keeps a job out of a user's crontab.",
		Example: "backup:\n  cron.absent:\n    - identifier: backup",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Act removes the job. A user who is not there has no crontab.
func (a *Absent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h, a.User)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return state.Effect{}, err
	}
	id, found := cmp.Or(a.ID, a.Name), false
	for err == nil {
		i := t.find(a.Name, id)
		if i < 0 {
			break
		}
		t.managed, found = slices.Delete(t.managed, i, i+1), true
	}
	if !found {
		return state.Settled(fmt.Sprintf("Cron %s already absent", a.Name)), nil
	}
	return state.Effect{Changes: value.DictOf(a.User, value.Str(a.Name)), Comment: fmt.Sprintf("Cron %s removed from %s's crontab", a.Name, a.User),
		Preview: fmt.Sprintf("Cron %s is set to be removed", a.Name)}, t.write(h, a.User)
}
