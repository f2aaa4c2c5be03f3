package system

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func nameSpecs() []modules.ExecSpec {
	passed := func(fun string) modules.ExecFunc {
		return func(ctx context.Context, c *modules.Call) (value.Value, error) {
			return c.Exec.Call(ctx, fun, c.Args, c.Kwargs)
		}
	}
	return append(modules.Writing(
		modules.NewExec("system.set_computer_desc", "set_computer_desc(desc): sets the pretty name of the machine, in "+
			"/etc/machine-info.", setDesc, "desc:text"),
		modules.NewExec("system.set_computer_name", "set_computer_name(hostname): sets the name of the host, as "+
			"network.mod_hostname.", passed("network.mod_hostname"), "hostname"),
	),
		modules.NewExec("system.get_computer_desc", "get_computer_desc(): the pretty name of the machine, from "+
			"/etc/machine-info.", getDesc),
		modules.NewExec("system.get_computer_name", "get_computer_name(): the name of the host.",
			passed("network.get_hostname")))
}

// machineInfo is where hostnamectl keeps the pretty name; systemd-hostnamed reads it anew when it changes.
const machineInfo = "/etc/machine-info"

// pretty is what a line of machine-info gives the pretty name, as written.
func pretty(line string) (text string, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimLeft(line, " \t"), "PRETTY_HOSTNAME=")
	return strings.TrimSpace(text), ok
}

// getDesc gives the last of them. Where there is none, that is "" as hostnamectl says it, or false without hostnamectl.
func getDesc(_ context.Context, c *modules.Call) (value.Value, error) {
	lines, err := modules.ReadLines(c.Host, machineInfo)
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Backward(lines) {
		text, ok := pretty(l)
		if !ok {
			continue
		}
		if n := len(text); n > 1 && text[0] == text[n-1] && (text[0] == '"' || text[0] == '\'') {
			text = text[1 : n-1]
		}
		return value.Str(strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t").Replace(text)), nil
	}
	if _, err := c.Host.LookPath("hostnamectl"); err != nil {
		return value.Bool(false), nil
	}
	return value.Str(""), nil
}

// Salt differs: it leaves a backslash as it is, and get_computer_desc then takes one before an n for a new line.
func setDesc(_ context.Context, c *modules.Call) (value.Value, error) {
	lines, err := modules.ReadLines(c.Host, machineInfo)
	if err != nil {
		return nil, err
	}
	line := `PRETTY_HOSTNAME="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t",
		`\t`).Replace(c.Str("desc")) + `"`
	at := len(lines)
	for i, l := range lines {
		if _, ok := pretty(l); ok {
			at = i // the last counts
		}
	}
	if at == len(lines) {
		lines = append(lines, "")
	}
	lines[at] = line
	return value.Bool(true), modules.WriteLines(c.Host, machineInfo, lines)
}
