// Package log is the execution functions that write to the log from a template.
package log

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "log", Execs: execs()} }

func execs() []modules.ExecSpec {
	var out []modules.ExecSpec
	for _, level := range [][2]string{{"trace", "debug"}, {"debug", "debug"}, {"info", "info"}, {"warning", "warning"},
		{"error", "error"},
		{"critical", "error"}, {"exception", "error"}} {
		out = append(out, modules.NewExec("log."+level[0], level[0]+"(message): writes a message to the log and gives True.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				c.Log(level[1], c.Str("message"))
				return value.Bool(true), nil
			}, "message"))
	}
	return out
}
