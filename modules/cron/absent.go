package cron

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a job out of a crontab.
type Absent struct {
	Name    string      `arg:"name,required,trimmed" doc:"The command."`
	User    string      `arg:"user,file" default:"root" doc:"Whose crontab."`
	ID      value.Value `arg:"identifier" doc:"What the job is known by; its command when not given."`
	Special string      `arg:"special,word" doc:"The name that the job has in place of times: '@daily'; a job with times when not given."`
	Times   value.Value `arg:"minute,text" alias:"hour,daymonth,month,dayweek,comment,commented" doc:"No effect: the job is known by its identifier."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.absent",
		Doc:     "Keeps a job out of a user's crontab.",
		Example: "backup:\n  cron.absent:\n    - identifier: backup",
		AnyArgs: true,
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Validate refuses a name of times that cron does not know.
func (a *Absent) Validate() []modules.Fault { return wrongSpecial(a.Special) }

// Act removes the job, and copies of it. A user who is not there has no crontab. Salt differs: it may write a crontab
// anew, with the marker, although it removes nothing.
func (a *Absent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	command := strings.TrimSpace(a.Name)
	t, err := read(h, a.User)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return state.Effect{}, err
	}
	found := false
	for err == nil && a.remove(t, command) == isRemoved {
		found = true
	}
	if !found {
		return state.Settled(fmt.Sprintf("Cron %s already absent", command)), nil
	}
	return state.Effect{Changes: value.DictOf(a.User, value.Str(command)),
		Comment: fmt.Sprintf("Cron %s removed from %s's crontab", command, a.User),
		Preview: fmt.Sprintf("Cron %s is set to be removed", command)}, t.write(h, a.User)
}

func (a *Absent) remove(t *table, command string) string {
	if a.Special == "" {
		return t.remove(timed, command, known(a.ID, command), nil)
	}
	return t.remove(specials, command, known(a.ID, command), func(j *job) bool { return j.special == special(a.Special) })
}
