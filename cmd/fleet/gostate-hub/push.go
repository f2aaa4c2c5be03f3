package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/oci"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/release"
)

// withinFlag says how long those who are woken have.
func withinFlag() cli.Flag {
	return &cli.DurationFlag{Name: "within", Usage: "machines look within `TIME`, each at its own moment, not all at once"}
}

func pushCommand() *cli.Command {
	return &cli.Command{
		Name: "push", Usage: "bring the newest release of an environment to the hub, and wake its machines; or to a " +
			"registry, oci://HOST/REPOSITORY",
		ArgsUsage: "ENV [FROM [TO]]", Description: rolloutText, Flags: append(rolloutFlags(), withinFlag(),
			&cli.BoolFlag{Name: "allow-http", Usage: "allow a registry that is not encrypted"},
			&cli.BoolFlag{Name: "no-wake", Usage: "wake nobody: machines look at their next interval"}),
		Action: push,
	}
}

func push(c *cli.Context) error {
	if rollsOut(c) {
		return rollOut(c)
	}
	env, from := c.Args().Get(0), c.Args().Get(1)
	if c.NArg() < 1 || c.NArg() > 3 {
		return tool.Usagef("push what?\nhint: gostate-hub push prod releases [oci://HOST/REPOSITORY]")
	}
	if from == "" {
		from = "releases"
	}
	source, err := oci.Source(from, c.Bool("allow-http"))
	if err != nil {
		return err
	}
	if to := c.Args().Get(2); to != "" {
		return pushTo(c, source, to, env)
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

// pushTo brings a release to a registry. Who is woken by the hub looks there: gostate-hub wake.
func pushTo(c *cli.Context, from release.Source, to, env string) error {
	repo, err := oci.Open(to, c.Bool("allow-http"))
	if err != nil {
		return err
	}
	r, err := release.Transfer(c.Context, from, repo, env)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s %d is there\n", r.Env, r.Sequence)
	return nil
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
