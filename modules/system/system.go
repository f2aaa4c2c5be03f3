// Package system is the execution functions that tell and set the machine's clock and name, and that end it.
package system

import (
	"cmp"
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "system", Execs: append(append(clockSpecs(), nameSpecs()...), endSpecs()...)}
}

// endSpecs are the functions that end what runs, each a command; a preview refuses them.
func endSpecs() []modules.ExecSpec {
	command := func(args func(c *modules.Call) []string) modules.ExecFunc {
		return func(ctx context.Context, c *modules.Call) (value.Value, error) {
			out, err := c.Outright(ctx, args(c)...)
			if err != nil {
				return nil, err
			}
			return value.Str(said(out)), nil
		}
	}
	fixed := func(words ...string) modules.ExecFunc { return command(func(*modules.Call) []string { return words }) }
	at := func(flag string) modules.ExecFunc {
		return command(func(c *modules.Call) []string { return []string{"shutdown", flag, cmp.Or(c.Str("at_time"), "now")} })
	}
	return modules.Writing(
		modules.NewExec("system.halt", "halt(): halts the machine.", fixed("halt")),
		modules.NewExec("system.poweroff", "poweroff(): switches the machine off.", fixed("poweroff")),
		modules.NewExec("system.reboot", "reboot(at_time=None): starts the machine anew, now or in so many minutes.",
			at("-r"), "at_time=None"),
		modules.NewExec("system.shutdown", "shutdown(at_time=None): shuts the machine down, now or in so many minutes.",
			at("-h"), "at_time=None"),
		modules.NewExec("system.init", "init(runlevel): changes the runlevel.",
			command(func(c *modules.Call) []string { return []string{"init", c.Str("runlevel")} }), "runlevel"),
	)
}

// said is all that a command wrote.
func said(out *host.Output) string {
	return strings.TrimRight(string(out.Stdout)+string(out.Stderr), "\n")
}
