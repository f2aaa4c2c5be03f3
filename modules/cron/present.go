package cron

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a job in a crontab.
type Present struct {
	Name     string  `arg:"name,required" doc:"The command."`
	User     string  `arg:"user" default:"root" doc:"Whose crontab."`
	Minute   string  `arg:"minute" default:"*" doc:"The minute, or random."`
	Hour     string  `arg:"hour" default:"*" doc:"The hour, or random."`
	DayMonth string  `arg:"daymonth" default:"*" doc:"The day of the month, or random."`
	Month    string  `arg:"month" default:"*" doc:"The month, or random."`
	DayWeek  string  `arg:"dayweek" default:"*" doc:"The day of the week, or random."`
	Comment  *string `arg:"comment" doc:"A comment above the job."`
	Commnt   bool    `arg:"commented" doc:"Keep the job commented out."`
	ID       string  `arg:"identifier" doc:"What the job is known by; its command when not given."`
	Special  string  `arg:"special" doc:"A name in place of times: @daily, @reboot."`
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

// Validate refuses what would make a crontab that cron does not read.
func (p *Present) Validate() []modules.Fault {
	var faults []modules.Fault
	if strings.Contains(p.Name, "\n") {
		faults = append(faults, modules.Fault{Arg: "name", Msg: "the command of a cron job is one line"})
	}
	for _, f := range [5][2]string{{"minute", p.Minute}, {"hour", p.Hour}, {"daymonth", p.DayMonth}, {"month", p.Month}, {"dayweek", p.DayWeek}} {
		if text := strings.TrimSpace(f[1]); strings.ContainsAny(text, " \t\n") || text == "" {
			faults = append(faults, modules.Fault{Arg: f[0], Msg: fmt.Sprintf("%q is no time of a cron job", text)})
		}
	}
	return faults
}

func (p *Present) id() string {
	if p.ID == "" {
		return p.Name
	}
	return p.ID
}

// wanted is the job as it has to be, given what there is (nil for none): a random time is drawn once and then kept.
func (p *Present) wanted(now *job) job {
	j := job{command: p.Name, id: p.id(), off: p.Commnt, special: p.Special}
	if now != nil {
		j.comment = now.comment
	}
	if p.Comment != nil {
		j.comment = *p.Comment
	}
	if j.special != "" {
		if !strings.HasPrefix(j.special, "@") {
			j.special = "@" + j.special
		}
		return j
	}
	least := [5]int{0, 0, 1, 1, 0}
	most := [5]int{59, 23, 28, 12, 6}
	for i, w := range [5]string{p.Minute, p.Hour, p.DayMonth, p.Month, p.DayWeek} {
		j.when[i] = strings.TrimSpace(w)
		switch {
		case w != "random":
		case now != nil && now.when[i] != "*" && now.when[i] != "":
			j.when[i] = now.when[i]
		default:
			j.when[i] = fmt.Sprint(least[i] + rand.IntN(most[i]-least[i]+1))
		}
	}
	return j
}

// Act adds or updates the job; an updated one keeps its place.
func (p *Present) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h, p.User)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf(p.User, value.Str(p.Name))}
	i := t.find(p.Name, p.id())
	if i < 0 {
		j := p.wanted(nil)
		t.managed = append(t.managed, line{job: &j})
		e.Comment, e.Preview = fmt.Sprintf("Cron %s added to %s's crontab", p.Name, p.User), fmt.Sprintf("Cron %s is set to be added", p.Name)
		return e, t.write(h, p.User)
	}
	now := t.managed[i].job
	j := p.wanted(now)
	if j == *now {
		return state.Settled(fmt.Sprintf("Cron %s already present", p.Name)), nil
	}
	t.managed[i].job = &j
	e.Comment, e.Preview = fmt.Sprintf("Cron %s updated", p.Name), fmt.Sprintf("Cron %s is set to be updated", p.Name)
	return e, t.write(h, p.User)
}
