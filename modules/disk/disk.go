// Package disk is the functions that tell of file systems and of the devices that they are on, and that make them:
// disk.* and the states blockdev.*.
package disk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "disk", States: []modules.StateSpec{statusSpec()},
		Execs: append(usageSpecs(), deviceSpecs()...)}
}

// Blockdev lists the states of the module blockdev.
func Blockdev() modules.Family {
	return modules.Family{Name: "blockdev", States: []modules.StateSpec{formattedSpec(), tunedSpec()}}
}

func usageSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("disk.usage", "usage(args=None): how full the mounted file systems are, by where they are mounted; "+
			"args are flags for df.", usage, "args:list=None"),
		modules.NewExec("disk.inodeusage", "inodeusage(args=None): how many inodes the mounted file systems have and use; "+
			"args are flags for df.", inodes, "args:list=None"),
		modules.NewExec("disk.percent", "percent(args=None): how full the mounted file systems are, or the one at a path, "+
			"in percent.", percent, "args:list=None"),
	}
}

// df gives the lines of df, in words: the file system, four more, and where it is mounted.
func df(ctx context.Context, c *modules.Call, base, flags string) ([][]string, error) {
	args := strings.Fields(base)
	if flags != "" {
		args = append(args, "-"+flags)
	}
	out, err := c.Ask(ctx, args...)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	return lines(out), nil
}

// lines are the lines of df, in words.
func lines(out *host.Output) [][]string {
	var rows [][]string
	for l := range strings.Lines(string(out.Stdout)) {
		f := strings.Fields(l)
		if len(f) > 0 && f[0] == "Filesystem" {
			continue
		}
		for len(f) > 1 && !number(f[1]) { // the file system's name has blanks
			f = slices.Replace(f, 0, 2, f[0]+" "+f[1])
		}
		if len(f) > 5 {
			f[5] = strings.Join(f[5:], " ") // so has its mount point
			rows = append(rows, f[:6])
		}
	}
	return rows
}

// number says whether df counted: "-" stands for what a file system does not count.
func number(s string) bool { return strings.Trim(s, "0123456789") == "" || s == "-" }

// flags are the letters that df is given.
func flags(c *modules.Call, fun string) (string, error) {
	text := strings.Join(c.Strs("args"), "")
	if strings.Trim(text, "aBhHiklPtTxv") != "" {
		return "", value.Raise("CommandExecutionError", "Invalid flag passed to %s", fun)
	}
	return text, nil
}

// table is a map of mount points to maps: the names of the words of a line of df, with them.
func table(ctx context.Context, c *modules.Call, fun, base string, names ...string) (value.Value, error) {
	letters, err := flags(c, fun)
	if err != nil {
		return nil, err
	}
	rows, err := df(ctx, c, base, letters)
	out := value.NewDict(len(rows))
	for _, f := range rows {
		d := value.NewDict(len(names))
		for i, n := range names {
			d.SetStr(n, value.Str(f[i]))
		}
		out.SetStr(f[5], d)
	}
	return out, err
}

// usage knows nothing without /etc/mtab, as in Salt.
func usage(ctx context.Context, c *modules.Call) (value.Value, error) {
	if i, err := c.Host.Stat("/etc/mtab"); err != nil || !i.IsRegular() {
		c.Log("error", "df cannot run without /etc/mtab")
		return value.NewDict(0), nil
	}
	return table(ctx, c, "disk.usage", "df -P", "filesystem", "1K-blocks", "used", "available", "capacity")
}

func inodes(ctx context.Context, c *modules.Call) (value.Value, error) {
	return table(ctx, c, "disk.inodeusage", "df -iP", "filesystem", "inodes", "used", "free", "use")
}

func percent(ctx context.Context, c *modules.Call) (value.Value, error) {
	rows, err := df(ctx, c, "df -P", "")
	if err != nil {
		return nil, err
	}
	out := value.NewDict(len(rows))
	for _, f := range rows {
		out.SetStr(f[5], value.Str(f[4]))
	}
	if !c.Bool("args") {
		return out, nil
	}
	v, ok := out.Get(c.Arg("args"))
	if !ok {
		c.Log("error", fmt.Sprintf("nothing is mounted at %s", c.Str("args")))
	}
	return modules.OrElse(v, ok, value.NewDict(0)), nil
}

// said is what a program wrote, without the last newline.
func said(out *host.Output) string { return strings.TrimRight(string(out.Stdout), "\n") }
