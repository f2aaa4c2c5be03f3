// Command gostate-hub is the operator's and the server's side of a fleet on NATS.
package main

import (
	"crypto/ed25519"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/hub"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/release"
)

// version is set by the linker.
var version = ""

func main() { tool.Main(newApp()) }

func newApp() *cli.App {
	return tool.App("gostate-hub", "wake, release, report and enrol machines over NATS", version, []*cli.Command{
		initCommand(), serveCommand(), configCommand(), setupCommand(), pushCommand(), fleetCommand(),
	})
}

// hubFlag says whose keys are used.
func hubFlag() cli.Flag {
	return &cli.PathFlag{Name: "hub", Value: "/etc/gostate/hub", EnvVars: []string{"GOSTATE_HUB"},
		Usage: "the hub's keys are in `DIR`/operator, its server's in DIR/server"}
}

// operator connects with the operator's keys; it has to be closed.
func operator(c *cli.Context) (*bus.Bus, error) { return hub.Operator(c.Path("hub")) }

// keyFlag says with which key is signed; keyOf reads that.
func keyFlag() cli.Flag {
	return &cli.PathFlag{Name: "key", EnvVars: []string{"GOSTATE_RELEASE_KEY"}, Usage: "sign with the key in `FILE`, which " +
		"machines trust (default: gostate/release.key in the user's configuration)"}
}

func keyOf(c *cli.Context) (ed25519.PrivateKey, error) {
	file, err := release.KeyFile(c.Path("key"))
	if err != nil {
		return nil, err
	}
	return release.ReadKey(file, release.Terminal(os.Stdin, c.App.ErrWriter))
}
