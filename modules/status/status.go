// Package status is the execution functions that tell how the machine does.
package status

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/timefmt-go"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "status", Execs: execs()} }

func execs() []modules.ExecSpec {
	return append(append(counterSpecs(), processSpecs()...),
		modules.NewExec("status.time", "time(format='%A, %d. %B %Y %I:%M%p'): the time, as strftime writes it.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Str(timefmt.Format(c.Time(), c.Str("format"))), nil
			}, "format=%A, %d. %B %Y %I:%M%p"),
		modules.NewExec("status.uptime", "uptime(): how long the machine has been up.", uptime),
		modules.NewExec("status.loadavg", "loadavg(): the load of the last 1, 5 and 15 minutes.", loadavg),
		modules.NewExec("status.meminfo", "meminfo(): what /proc/meminfo says.", meminfo),
		modules.NewExec("status.nproc", "nproc(): how many processors there are.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				v, ok := c.Grains.Dict().GetStr("num_cpus")
				if !ok {
					v = value.Int(1)
				}
				return v, nil
			}),
		modules.NewExec("status.version", "version(): the kernel's version.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				s, err := c.ReadText("/proc/version")
				return value.Str(s), err
			}),
		modules.NewExec("status.diskusage", "diskusage(*args): the bytes that the file systems have, and those that are "+
			"left: of paths, or of kinds of file systems; all else.",
			diskUsage, "*args"),
		modules.NewExec("status.all_status", "all_status(): what most of the other functions tell.", allStatus),
		modules.NewExec("status.custom", "custom(): what the options status.FUNCTION, lists of keys, ask for of the "+
			"functions' answers.", custom),
	)
}

// users is how many there are on terminals, as Salt counts the lines of who: one where there are none.
func users(ctx context.Context, c *modules.Call) (n value.Int, ok bool) {
	if _, err := c.Host.LookPath("who"); err != nil {
		return 0, false
	}
	out, err := c.Ask(ctx, "who", "-s")
	if err != nil {
		return 0, false
	}
	return value.Int(1 + strings.Count(strings.TrimRight(string(out.Stdout), "\n"), "\n")), true
}

func uptime(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := c.ReadText("/proc/uptime")
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(text, " ")
	up, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return nil, fmt.Errorf("read /proc/uptime: %w", err)
	}
	seconds := int64(up)
	since := c.Time().UTC().Add(-time.Duration(up * float64(time.Second)))
	days, rest := seconds/86400, seconds%86400
	told := value.DictOf("seconds", value.Int(seconds), "since_iso", value.Str(since.Format("2006-01-02T15:04:05.000000")),
		"since_t", value.Int(since.Unix()), "days", value.Int(days), "time",
		value.Str(fmt.Sprintf("%d:%d", rest/3600, rest%3600/60)))
	if n, ok := users(ctx, c); ok {
		told.SetStr("users", n)
	}
	return told, nil
}

func loadavg(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := c.ReadText("/proc/loadavg")
	if err != nil {
		return nil, err
	}
	out := value.NewDict(3)
	for i, f := range strings.Fields(text) {
		if n, err := strconv.ParseFloat(f, 64); err == nil && i < 3 {
			out.SetStr([]string{"1-min", "5-min", "15-min"}[i], value.Float(n))
		}
	}
	return out, nil
}

func meminfo(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := c.ReadText("/proc/meminfo")
	if err != nil {
		return nil, err
	}
	out := value.NewDict(64)
	for l := range strings.SplitSeq(text, "\n") {
		k, v, ok := strings.Cut(l, ":")
		f := strings.Fields(v)
		if !ok || len(f) == 0 {
			continue
		}
		d := value.DictOf("value", value.Str(f[0]))
		if len(f) > 1 {
			d.SetStr("unit", value.Str(f[1]))
		}
		out.SetStr(strings.TrimSpace(k), d)
	}
	return out, nil
}
