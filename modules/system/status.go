package system

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

func statusSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("status.time", "time(format='%A, %d. %B %Y %I:%M%p'): the time, as strftime writes it.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			return value.Str(timefmt.Format(c.World.Time(), c.Str("format"))), nil
		}, "format=%A, %d. %B %Y %I:%M%p"),
		spec("status.uptime", "uptime(): how long the machine has been up.", uptime),
		spec("status.loadavg", "loadavg(): the load of the last 1, 5 and 15 minutes.", loadavg),
		spec("status.meminfo", "meminfo(): what /proc/meminfo says.", meminfo),
		spec("status.nproc", "nproc(): how many processors there are.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			v, ok := c.World.Grains().GetStr("num_cpus")
			if !ok {
				v = value.Int(1)
			}
			return v, nil
		}),
		spec("status.version", "version(): the kernel's version.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			s, err := read(c, "/proc/version")
			return value.Str(s), err
		}),
	}
}

func read(c *modules.Call, path string) (string, error) {
	b, err := c.World.Host.ReadFile(path)
	if err != nil {
		return "", value.Raise("CommandExecutionError", "File %s not found.", path)
	}
	return strings.TrimSpace(string(b)), nil
}

func uptime(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := read(c, "/proc/uptime")
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(text, " ")
	up, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return nil, fmt.Errorf("read /proc/uptime: %w", err)
	}
	seconds := int64(up)
	since := c.World.Time().UTC().Add(-time.Duration(up * float64(time.Second)))
	days, rest := seconds/86400, seconds%86400
	return value.DictOf("seconds", value.Int(seconds), "since_iso", value.Str(since.Format("2006-01-02T15:04:05.000000")),
		"since_t", value.Int(since.Unix()), "days", value.Int(days), "time", value.Str(fmt.Sprintf("%d:%d", rest/3600, rest%3600/60))), nil
}

func loadavg(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := read(c, "/proc/loadavg")
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
	text, err := read(c, "/proc/meminfo")
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

func saltutilSpecs() []modules.ExecSpec {
	none := func(context.Context, *modules.Call) (value.Value, error) { return value.NewList(), nil }
	kinds := []string{"beacons", "clouds", "engines", "executors", "grains", "log_handlers", "matchers", "modules", "output", "proxymodules", "renderers",
		"returners", "sdb", "serializers", "states", "thorium", "tops", "utils", "wrapper"}
	out := []modules.ExecSpec{
		spec("saltutil.is_running", "is_running(fun): the jobs that run a function elsewhere; none without a master.", none, "fun"),
		spec("saltutil.running", "running(): the jobs that run elsewhere; none without a master.", none),
		spec("saltutil.sync_all", "sync_all(): loads Python modules from the file roots in Salt; there are none here.", func(context.Context, *modules.Call) (value.Value, error) {
			d := value.NewDict(len(kinds))
			for _, k := range kinds {
				d.SetStr(k, value.NewList())
			}
			return d, nil
		}, "saltenv=None", "refresh=true", "extmod_whitelist=None", "extmod_blacklist=None"),
	}
	for _, k := range kinds {
		out = append(out, spec("saltutil.sync_"+k, "sync_"+k+"(): loads Python modules from the file roots in Salt; there are none here.", none,
			"saltenv=None", "refresh=true", "extmod_whitelist=None", "extmod_blacklist=None"))
	}
	return out
}
