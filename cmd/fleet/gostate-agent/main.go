// Command gostate-agent keeps a machine at the newest release of its hub.
package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
)

// version is set by the linker.
var version = ""

func main() {
	host.Begin() // so are the keepers of commands
	view.Begin() // a view's processes are this program
	tool.Main(newApp())
}

func newApp() *cli.App {
	app := tool.App("gostate-agent", "keep this machine at the newest release of its hub", version,
		[]*cli.Command{enrolCommand(), runCommand()})
	app.Flags = []cli.Flag{
		&cli.StringFlag{Name: "config-dir", Aliases: []string{"c"}, Value: "/etc/gostate",
			EnvVars: []string{"GOSTATE_CONFIG_DIR"}, Usage: "read `DIR`/minion and DIR/minion.d/*.conf"},
		&cli.StringFlag{Name: "root", Value: "/", EnvVars: []string{"GOSTATE_ROOT"},
			Usage: "work on the machine whose tree is mounted at `DIR`"},
		&cli.StringFlag{Name: "state-dir", EnvVars: []string{"GOSTATE_STATE_DIR"},
			Usage: "keep keys, releases and reports in `DIR` (default: /var/lib/gostate)"},
		&cli.StringFlag{Name: "id", EnvVars: []string{"GOSTATE_ID"}, Usage: "the machine's `ID` (default: its full name)"},
		&cli.StringSliceFlag{Name: "grain", Usage: "set a grain, `KEY=VALUE` (repeatable)"},
		&cli.StringFlag{Name: "grains-file", Usage: "take the grains from `FILE` and ask the machine for none"},
		&cli.PathFlag{Name: "gostate", EnvVars: []string{"GOSTATE_PROGRAM"},
			Usage: "run `PROGRAM` (default: gostate beside this program, else of PATH)"},
	}
	return app
}
