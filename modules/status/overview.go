package status

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// chosen are the paths among the arguments, and the mount points of the kinds of file systems among them; all without
// any.
func chosen(c *modules.Call) []string {
	var paths, kinds []string
	for _, a := range c.Rest() {
		if text := value.String(a); strings.HasPrefix(text, "/") {
			paths = append(paths, text)
		} else {
			kinds = append(kinds, text)
		}
	}
	if len(c.Rest()) == 0 {
		kinds = []string{"*"}
	}
	mounts, _ := c.Host.ReadFile("/proc/mounts")
	for l := range strings.Lines(string(mounts)) {
		f := strings.Fields(l)
		if len(f) > 2 && slices.ContainsFunc(kinds, func(k string) bool { return fnmatch.Match(k, f[2]) }) {
			paths = append(paths, strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(f[1]))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// diskUsage asks stat(1); file systems that do not answer are left out.
func diskUsage(ctx context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	paths := chosen(c)
	if len(paths) == 0 {
		return out, nil
	}
	answer, err := c.Ask(ctx, append([]string{"stat", "-f", "-c", "%s %a %b %n", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	for l := range strings.Lines(string(answer.Stdout)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " ", 4)
		if len(f) < 4 {
			continue
		}
		size, _ := strconv.ParseInt(f[0], 10, 64)
		available, _ := strconv.ParseInt(f[1], 10, 64)
		total, _ := strconv.ParseInt(f[2], 10, 64)
		out.SetStr(f[3], value.DictOf("available", value.Int(available*size), "total", value.Int(total*size)))
	}
	return out, nil
}

func allStatus(ctx context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(11)
	for _, name := range []string{"cpuinfo", "cpustats", "diskstats", "diskusage", "loadavg", "meminfo", "netdev",
		"netstats", "uptime", "vmstats", "w"} {
		v, err := c.Exec.Call(ctx, "status."+name, nil, nil)
		if err != nil {
			return nil, err
		}
		out.SetStr(name, v)
	}
	return out, nil
}

// custom has UNKNOWN for a key that the answer of its function has not.
func custom(ctx context.Context, c *modules.Call) (value.Value, error) {
	wanted, err := c.Exec.Call(ctx, "config.dot_vals", []value.Value{value.Str("status")}, nil)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for k, keys := range wanted.(*value.Dict).All() {
		// status.FUNCTION.ANYTHING
		name := value.String(k)
		fun := name[:strings.LastIndexByte(name, '.')]
		if fun == "status.custom" {
			continue
		}
		if !c.Exec.Has(fun) {
			c.Log("warning", fmt.Sprintf("custom status %s isn't loaded", fun))
			continue
		}
		answer, err := c.Exec.Call(ctx, fun, nil, nil)
		if err != nil {
			return nil, err
		}
		list, err := value.ToList(keys)
		if err != nil {
			return nil, err
		}
		told, _ := answer.(*value.Dict)
		for _, key := range list {
			var v value.Value = value.Str("UNKNOWN")
			if told != nil && told.Has(key) {
				v, _ = told.Get(key)
			}
			if err := out.Set(key, v); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
