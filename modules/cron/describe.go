package cron

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "cron", Doc: "Crontabs by their users: a state for each job that Salt's marker stands " +
		"above, the whole crontab where jobs were written by hand.",
		Left: "Nothing. /etc/crontab and /etc/cron.d are files: conffile tells of them.",
		Rank: 130, Describe: describeAll}
}

func describeAll(ctx context.Context, l *modules.Look) error {
	users, err := l.Host.Users()
	if err != nil {
		return err
	}
	spool, _, err := dir(l.Host)
	if err != nil && len(l.Names) == 0 {
		return err
	}
	for _, u := range users {
		text, ok, err := "", false, error(nil)
		if spool != "" {
			text, ok, err = listed(l.Host, u.Name)
		}
		if err != nil {
			return err
		}
		if !ok || !l.Wants(true, u.Name) {
			continue
		}
		tellTable(ctx, l, u.Name, path.Join(spool, u.Name), text)
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}

// tellTable tells of a crontab: job by job, or as a whole where cron.present does not see its jobs, or would write them
// otherwise.
func tellTable(ctx context.Context, l *modules.Look, user, file, text string) {
	t, from := parse(text), len(l.Things)
	hand := slices.ContainsFunc(t.above, func(text string) bool {
		m := parseLine(text)
		_, ok := m.class()
		return ok && !strings.HasPrefix(strings.TrimSpace(text), "#")
	})
	for _, m := range t.managed {
		switch {
		case m.env != nil:
			l.Tell(user+" "+m.env.name, "cron.env_present", "value", strings.Trim(m.env.value, `"`), "user", user).
				Called(m.env.name).On("user", user)
		case m.job != nil:
			tellJob(l, user, m.job)
		}
	}
	for _, thing := range l.Things[from:] {
		hand = hand || l.Holds(ctx, thing) != nil
	}
	if hand {
		l.Things = l.Things[:from]
		tellWhole(l, user, file, text)
	}
}

func tellJob(l *modules.Look, user string, j *job) {
	t := l.Tell(user+" "+cmp.Or(j.id, j.command), "cron.present").Called(j.command).On("user", user)
	t.Set("user", user).SetIf(j.id != j.command, "identifier", j.id)
	for i, f := range fields() {
		t.SetIf(j.special == "" && j.when[i] != "*", f.name, j.when[i])
	}
	t.SetIf(j.special != "", "special", j.special).SetIf(j.comment != "", "comment", j.comment)
	t.SetIf(j.off, "commented", true)
}

// tellWhole tells of a crontab as its file: a job above the marker is nobody's for Salt, and cron.present would add it
// once more.
func tellWhole(l *modules.Look, user, file, text string) {
	i, err := l.Host.Stat(file)
	args, ok := modules.Inline([]byte(text))
	if err != nil || !ok {
		l.Remark(user, "the crontab of %s cannot be told: %s", user, cmp.Or(errText(err), "it holds control characters"))
		return
	}
	group := any(i.GID)
	if g, err := l.Host.GroupByID(i.GID); err == nil {
		group = g.Name
	}
	l.Tell("crontab of "+user, "file.managed", append(args, "user", user, "group", group, "mode",
		modules.FormatMode(i.Perm()))...).Called(file).On("user", user).
		Note("written by hand: cron.present keeps only jobs below Salt's marker")
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
