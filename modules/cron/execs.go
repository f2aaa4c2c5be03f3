package cron

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	times := []string{"minute:word", "hour:word", "daymonth:word", "month:word", "dayweek:word"}
	like := []string{"commented=false", "comment:text=None", "identifier=None"}
	asked := []string{"user:file", "cmd:trimmed", "minute=None", "hour=None", "daymonth=None", "month=None",
		"dayweek=None",
		"identifier=None"}
	looks := []modules.ExecSpec{
		{Name: "cron.raw_cron", Doc: "Gives a user's crontab as text.", Params: []string{"user"}, Fn: raw},
		{Name: "cron.list_tab", Aliases: []string{"cron.ls"},
			Doc: "Lists the managed jobs and variables of a user's crontab.", Params: []string{"user"}, Fn: list},
		{Name: "cron.get_entry", Doc: "Gives the managed job of an identifier or a command; False where there is none.",
			Params: []string{"user", "identifier=None", "cmd=None"}, Fn: entry},
	}
	return append(looks, modules.Writing(
		modules.ExecSpec{Name: "cron.set_job", Doc: "Adds or updates a job: new, updated or present.",
			Params: slices.Concat([]string{"user:file"}, times, []string{"cmd:trimmed"}, like), Fn: edited(setJob)},
		modules.ExecSpec{Name: "cron.set_special", Doc: "Adds or updates a job with a name in place of times: new, updated " +
			"or present.",
			Params: slices.Concat([]string{"user:file", "special:word", "cmd:trimmed"}, like), Fn: edited(setJob)},
		modules.ExecSpec{Name: "cron.rm_job", Aliases: []string{"cron.rm"},
			Doc:    "Removes a job: removed or absent. Times that are given have to be its.",
			Params: asked, Fn: edited(removeJob)},
		modules.ExecSpec{Name: "cron.rm_special", Doc: "Removes a job with a name in place of times: removed or absent.",
			Params: []string{"user:file", "cmd:trimmed", "special=None", "identifier=None"}, Fn: edited(removeSpecial)},
		modules.ExecSpec{Name: "cron.set_env", Doc: "Sets a variable: new, updated or present.",
			Params: []string{"user:file", "name:word", "value=None"},
			Fn:     edited(func(c *modules.Call, t *table) string { return t.setVariable(c.Str("name"), c.Str("value")) })},
		modules.ExecSpec{Name: "cron.rm_env", Doc: "Removes a variable: removed or absent.",
			Params: []string{"user:file", "name:word"},
			Fn:     edited(func(c *modules.Call, t *table) string { return t.removeVariable(c.Str("name")) })},
		modules.ExecSpec{Name: "cron.write_cron_file", Doc: "Makes a file the crontab of a user.",
			Params: []string{"user:file", "path:path"}, Fn: writeFile},
	)...)
}

func raw(_ context.Context, c *modules.Call) (value.Value, error) {
	text, _, err := listed(c.Host, c.Str("user"))
	_, text = behead(text)
	return value.Str(text), err
}

// optional is a text, or None for an empty one.
func optional(text string, given bool) value.Value {
	if !given {
		return value.None
	}
	return value.Str(text)
}

func (j *job) describe() *value.Dict {
	d := value.NewDict(9)
	if j.special != "" {
		d.SetStr("spec", value.Str(j.special))
	} else {
		for i, f := range fields() {
			d.SetStr(f.name, value.Str(j.when[i]))
		}
	}
	d.SetStr("cmd", value.Str(j.command))
	d.SetStr("identifier", optional(j.id, j.id != ""))
	d.SetStr("comment", optional(j.comment, j.id+j.comment != ""))
	d.SetStr("commented", value.Bool(j.off))
	return d
}

func list(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := read(c.Host, c.Str("user"))
	if err != nil {
		return nil, err
	}
	lists := [3]*value.List{value.NewList(), value.NewList(), value.NewList()}
	for _, l := range t.managed {
		class, ok := l.class()
		switch {
		case l.env != nil:
			lists[class].Items = append(lists[class].Items, value.DictOf("name", value.Str(l.env.name), "value",
				value.Str(l.env.value)))
		case ok:
			lists[class].Items = append(lists[class].Items, l.job.describe())
		}
	}
	return value.DictOf("pre", modules.TextList(t.above), "crons", lists[timed], "special", lists[specials], "env",
		lists[variables]), nil
}

func entry(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := read(c.Host, c.Str("user"))
	if err != nil {
		return nil, err
	}
	id, command := c.Str("identifier"), c.Str("cmd")
	for _, l := range t.managed {
		if l.job != nil && l.job.special == "" && (id != "" && l.job.id == id || id == "" && command != "" &&
			l.job.command == command) {
			return l.job.describe(), nil
		}
	}
	return value.Bool(false), nil
}

// edited is a function that changes a crontab and says what it did.
func edited(edit func(*modules.Call, *table) string) func(context.Context, *modules.Call) (value.Value, error) {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		t, err := read(c.Host, c.Str("user"))
		if err != nil {
			return nil, err
		}
		done := edit(c, t)
		if done != isPresent && done != isAbsent {
			err = t.write(c.Host, c.Str("user"))
		}
		return value.Str(done), err
	}
}

func times(c *modules.Call) (out [5]string) {
	for i, f := range fields() {
		out[i] = strings.ToLower(c.Str(f.name))
	}
	return out
}

func setJob(c *modules.Call, t *table) string {
	return t.set(wish{job{when: times(c), special: c.Str("special"), command: c.Str("cmd"), comment: c.Str("comment"),
		id:  c.Str("identifier"),
		off: c.Bool("commented")}, c.Arg("comment") == value.Value(value.None)})
}

func removeJob(c *modules.Call, t *table) string {
	wanted := times(c)
	return t.remove(timed, c.Str("cmd"), c.Str("identifier"), func(j *job) bool {
		for i, w := range wanted {
			if w != "" && w != j.when[i] && (w != "random" || j.when[i] == "*") {
				return false
			}
		}
		return true
	})
}

func removeSpecial(c *modules.Call, t *table) string {
	return t.remove(specials, c.Str("cmd"), c.Str("identifier"), func(j *job) bool {
		return c.Str("special") == "" || c.Str("special") == j.special
	})
}

func writeFile(_ context.Context, c *modules.Call) (value.Value, error) {
	data, err := c.Host.ReadFile(c.Str("path"))
	if err != nil {
		return nil, err
	}
	head, body := behead(string(data))
	return value.Bool(true), install(c.Host, c.Str("user"), head, body)
}
