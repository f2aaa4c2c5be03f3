package main

import "github.com/urfave/cli/v2"

// operateCommands look at machines and bring releases to them.
func operateCommands() []*cli.Command { return nil }
