package cron

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		{Name: "cron.raw_cron", Doc: "Gives a user's crontab as text.", Params: []string{"user=root"}, Fn: raw},
		{Name: "cron.list_tab", Doc: "Lists the managed jobs and variables of a user's crontab.", Params: []string{"user=root"}, Fn: list},
	}
}

func raw(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := read(c.World.Host, c.Str("user"))
	if err != nil {
		return nil, err
	}
	return value.Str(t.String()), nil
}

func list(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := read(c.World.Host, c.Str("user"))
	if err != nil {
		return nil, err
	}
	pre, crons, special, env := value.NewList(), value.NewList(), value.NewList(), value.NewList()
	for _, l := range t.above {
		pre.Items = append(pre.Items, value.Str(l))
	}
	for _, l := range t.managed {
		switch {
		case l.env != nil:
			env.Items = append(env.Items, value.DictOf("name", value.Str(l.env.name), "value", value.Str(l.env.value)))
		case l.job != nil && l.job.special != "":
			special.Items = append(special.Items, value.DictOf("spec", value.Str(l.job.special), "cmd", value.Str(l.job.command),
				"identifier", value.Str(l.job.id), "comment", value.Str(l.job.comment), "commented", value.Bool(l.job.off)))
		case l.job != nil:
			w := l.job.when
			crons.Items = append(crons.Items, value.DictOf("minute", value.Str(w[0]), "hour", value.Str(w[1]), "daymonth", value.Str(w[2]),
				"month", value.Str(w[3]), "dayweek", value.Str(w[4]), "cmd", value.Str(l.job.command), "identifier", value.Str(l.job.id),
				"comment", value.Str(l.job.comment), "commented", value.Bool(l.job.off)))
		}
	}
	return value.DictOf("pre", pre, "crons", crons, "special", special, "env", env), nil
}
