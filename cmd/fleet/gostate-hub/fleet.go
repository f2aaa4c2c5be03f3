package main

import (
	"slices"

	"github.com/urfave/cli/v2"
)

func fleetCommand() *cli.Command {
	return &cli.Command{
		Name: "fleet", Usage: "look at the machines of the fleet, and tell them to look",
		Subcommands: slices.Concat(enrolCommands(), []*cli.Command{wakeCommand()}, jobCommands(), operateCommands()),
	}
}
