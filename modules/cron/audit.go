package cron

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Properties are those of the job, below Salt's marker or above it.
func (p *Present) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	return jobProperties(h, p.User, p.Name, p.ID)
}

// Properties are those of the job that is not wanted.
func (a *Absent) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	return jobProperties(h, a.User, a.Name, a.ID)
}

func jobProperties(h host.Reader, user, command string, id value.Value) (map[string]string, error) {
	t, err := read(h, user)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known := ""
	if id != nil && id != value.None && id != value.Value(value.Bool(false)) {
		known = value.String(id)
	}
	lines := t.managed
	for _, l := range t.above {
		lines = append(lines, parseLine(l))
	}
	for _, l := range lines {
		j := l.job
		if j == nil || !j.is(strings.TrimSpace(command), known) {
			continue
		}
		out := map[string]string{"name": j.command, "comment": j.comment, modules.Is: "present"}
		if j.off {
			out[modules.Is] = "commented"
		}
		if j.special != "" {
			out["special"] = j.special
			return out, nil
		}
		for i, name := range []string{"minute", "hour", "daymonth", "month", "dayweek"} {
			out[name] = j.when[i]
		}
		return out, nil
	}
	return nil, nil
}
