package cron

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a job in a crontab.
type Present struct {
	Name     string      `arg:"name,required,trimmed" doc:"The command."`
	User     string      `arg:"user,file" default:"root" doc:"Whose crontab."`
	Minute   string      `arg:"minute,word" default:"*" doc:"The minute, random, or a range of which one is picked: '5:20'."`
	Hour     string      `arg:"hour,word" default:"*" doc:"The hour, random, or a range of which one is picked."`
	DayMonth string      `arg:"daymonth,word" default:"*" doc:"The day of the month, or random."`
	Month    string      `arg:"month,word" default:"*" doc:"The month, random, or a range of which one is picked."`
	DayWeek  string      `arg:"dayweek,word" default:"*" doc:"The day of the week, random, or a range of which one is picked."`
	Comment  *string     `arg:"comment,text" doc:"A comment above the job."`
	Commnt   bool        `arg:"commented" doc:"Keeps the job commented out."`
	ID       value.Value `arg:"identifier" doc:"What the job is known by; its command when not given."`
	Special  string      `arg:"special,word" doc:"A name in place of times: '@daily', '@reboot'."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "cron.present",
		Doc:  "Keeps a job in a user's crontab.",
		Example: `/usr/local/bin/backup:
  cron.present:
    - identifier: backup
    - user: root
    - minute: 30
    - hour: 2`,
		New: func() modules.StateFunc { return &Present{} },
	}
}

func (p *Present) times() [5]string {
	out := [5]string{p.Minute, p.Hour, p.DayMonth, p.Month, p.DayWeek}
	for i, t := range out {
		out[i] = strings.ToLower(t)
	}
	return out
}

// Validate refuses what would make a crontab that cron does not read.
func (p *Present) Validate() []modules.Fault {
	var faults []modules.Fault
	if strings.Contains(strings.TrimSpace(p.Name), "\n") {
		faults = append(faults, modules.Fault{Arg: "name", Msg: "the command of a cron job is one line"})
	}
	for i, f := range fields() {
		if t := p.times()[i]; !f.takes(t) {
			faults = append(faults, modules.Fault{Arg: f.name, Msg: fmt.Sprintf("%q is no time of a cron job", t)})
		}
	}
	return append(faults, wrongSpecial(p.Special)...)
}

// wrongSpecial refuses a name of times that cron does not know.
func wrongSpecial(name string) []modules.Fault {
	s := special(name)
	if s == "" || slices.Contains(every(), s) {
		return nil
	}
	f := modules.Fault{Arg: "special", Msg: fmt.Sprintf("cron knows no %q", s),
		Hint: "it knows " + strings.Join(every(), ", ")}
	if near := diag.Nearest(s, every()); near != "" {
		f.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return []modules.Fault{f}
}

// special is the name of times with the sign that YAML makes people forget.
func special(text string) string {
	if text == "" || text[0] == '@' {
		return text
	}
	return "@" + text
}

// known is what a job is known by: its command unless something is given.
func known(id value.Value, command string) string {
	if id == nil || id == value.Value(value.Bool(false)) {
		return command
	}
	return value.String(id)
}

func (p *Present) wish() wish {
	command := strings.TrimSpace(p.Name)
	w := wish{job{when: p.times(), special: special(p.Special), command: command, id: known(p.ID, command), off: p.Commnt},
		p.Comment == nil}
	if w.special != "" {
		w.when = [5]string{}
	}
	if p.Comment != nil {
		w.comment = *p.Comment
	}
	return w
}

// Act adds or updates the job, and takes away one with times in place of a name or the other way round. Salt differs:
// where only that one goes, Salt shows no changes.
func (p *Present) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h, p.User)
	if err != nil {
		return state.Effect{}, err
	}
	w, other := p.wish(), specials
	if w.special != "" {
		other = timed
	}
	gone := t.remove(other, w.command, w.id, nil)
	done := t.set(w)
	e := state.Effect{Changes: value.DictOf(p.User, value.Str(w.command)),
		Preview: fmt.Sprintf("Cron %s is set to be updated", w.command)}
	switch {
	case done == isPresent && gone == isAbsent:
		return state.Settled(fmt.Sprintf("Cron %s already present", w.command)), nil
	case done == isPresent:
		e.Comment = fmt.Sprintf("Duplicate Cron %s removed", w.command)
	case done == isUpdated:
		e.Comment = fmt.Sprintf("Cron %s updated", w.command)
	case gone == isRemoved:
		e.Comment = fmt.Sprintf("Cron %s time specification changed", w.command)
	default:
		e.Comment = fmt.Sprintf("Cron %s added to %s's crontab", w.command, p.User)
		e.Preview = fmt.Sprintf("Cron %s is set to be added", w.command)
	}
	return e, t.write(h, p.User)
}
