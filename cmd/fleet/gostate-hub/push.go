package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/release"
)

// withinFlag says how long those who are woken have.
func withinFlag() cli.Flag {
	return &cli.DurationFlag{Name: "within", Usage: "machines look within `TIME`, each at its own moment, not all at once"}
}

func pushCommand() *cli.Command {
	return &cli.Command{
		Name: "push", Usage: "bring the newest release of an environment to the hub, and wake its machines",
		ArgsUsage: "ENV [FROM]", Description: rolloutText, Flags: append(rolloutFlags(), withinFlag(),
			&cli.BoolFlag{Name: "no-wake", Usage: "wake nobody: machines look at their next interval"}),
		Action: push,
	}
}

func push(c *cli.Context) error {
	if rollsOut(c) {
		return rollOut(c)
	}
	env, from := c.Args().Get(0), c.Args().Get(1)
	if c.NArg() < 1 || c.NArg() > 2 {
		return tool.Usagef("push what?\nhint: gostate-hub push prod releases")
	}
	if from == "" {
		from = "releases"
	}
	source, err := release.OpenSource(from, false)
	if err != nil {
		return err
	}
	b, err := operator(c)
	if err != nil {
		return err
	}
	defer b.Close()
	r, err := release.Transfer(c.Context, source, b, env)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s %d is there\n", r.Env, r.Sequence)
	if c.Bool("no-wake") {
		return nil
	}
	return b.Wake(bus.WakeEnv(r.Env), bus.Wake{Within: c.Duration("within")})
}

func wakeCommand() *cli.Command {
	return &cli.Command{
		Name: "wake", Usage: "tell machines to look whether there is something new", ArgsUsage: "[ID...]",
		Flags: []cli.Flag{hubFlag(), withinFlag()},
		Action: func(c *cli.Context) error {
			b, err := operator(c)
			if err != nil {
				return err
			}
			defer b.Close()
			subjects := []string{bus.WakeAll}
			if c.NArg() > 0 {
				subjects = nil
				for _, id := range c.Args().Slice() {
					subjects = append(subjects, bus.WakeNode(id))
				}
			}
			for _, s := range subjects {
				if err := b.Wake(s, bus.Wake{Within: c.Duration("within")}); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
