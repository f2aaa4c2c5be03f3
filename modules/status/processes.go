package status

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func processSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("status.pid", "pid(sig): the numbers of the processes whose line in the list of all matches a "+
			"regular expression, one a line.", pid, "sig"),
		modules.NewExec("status.procs", "procs(): all processes by their numbers, each with its user and command.", procs),
		modules.NewExec("status.w", "w(): who is on which terminal and does what.", w),
	}
}

// list is what the command of the grain ps shows, a line a process, each in words; the first line is the titles.
func list(ctx context.Context, c *modules.Call) ([]string, error) {
	out, err := c.Host.Query(ctx, host.Cmd{Args: []string{cmp.Or(c.Grains.Text("ps"), "ps -efHww")}, Shell: "/bin/sh"})
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimRight(string(out.Stdout), "\n"), "\n"), nil
}

func pid(ctx context.Context, c *modules.Call) (value.Value, error) {
	pattern, err := pyre.Compile(c.Str("sig"), 0)
	if err != nil {
		return nil, err
	}
	lines, err := list(ctx, c)
	if err != nil {
		return nil, err
	}
	var pids []string
	for _, l := range lines {
		f := strings.Fields(l)
		if found, err := pattern.Search(l); err != nil {
			return nil, err
		} else if found != nil && len(f) > 1 && !strings.Contains(l, "status.pid") {
			pids = append(pids, f[1])
		}
	}
	return value.Str(strings.Join(pids, "\n")), nil
}

// column is the place of the first of the titles that a list has, 0 where it has none.
func column(titles []string, names ...string) int {
	for _, n := range names {
		if i := slices.Index(titles, n); i >= 0 {
			return i
		}
	}
	return 0
}

func procs(ctx context.Context, c *modules.Call) (value.Value, error) {
	lines, err := list(ctx, c)
	if err != nil {
		return nil, err
	}
	titles := strings.Fields(lines[0])
	user, pid, command := column(titles, "USER", "UID"), column(titles, "PID"), column(titles, "COMMAND", "CMD")
	out := value.NewDict(len(lines))
	for _, l := range lines[1:] {
		if f := strings.Fields(l); len(f) > max(user, pid, command) {
			out.SetStr(f[pid], value.DictOf("user", value.Str(f[user]), "cmd", value.Str(strings.Join(f[command:], " "))))
		}
	}
	return out, nil
}

func w(ctx context.Context, c *modules.Call) (value.Value, error) {
	answer, err := c.Ask(ctx, "w", "-fh")
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for l := range strings.Lines(string(answer.Stdout)) {
		f := strings.Fields(l)
		if len(f) < 6 {
			continue
		}
		d := value.NewDict(7)
		for i, name := range []string{"user", "tty", "login", "idle", "jcpu", "pcpu"} {
			d.SetStr(name, value.Str(f[i]))
		}
		d.SetStr("what", value.Str(strings.Join(f[6:], " ")))
		out.Items = append(out.Items, d)
	}
	return out, nil
}
