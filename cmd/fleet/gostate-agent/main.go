// Command gostate-agent keeps a machine at the newest release of its hub.
package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/tool"
)

// version is set by the linker.
var version = ""

func main() { tool.Main(newApp()) }

func newApp() *cli.App {
	return tool.App("gostate-agent", "keep this machine at the newest release of its hub", version, []*cli.Command{})
}
