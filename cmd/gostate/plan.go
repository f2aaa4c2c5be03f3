package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/plan"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
)

func confirmFlag() cli.Flag {
	return &cli.BoolFlag{Name: "confirm", Usage: "show what would be done, and ask before it is"}
}

func planCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "say what would be done, and keep it in a file for apply --plan", Category: catApply,
		ArgsUsage: "[NAME...]",
		UsageText: "gostate plan [NAME...] [-o FILE] [exclude=SLS,...]\n\nWithout a name it is highstate. Nothing is changed." +
			"\n\nExamples:\n  gostate plan -o next.plan\n  gostate apply --plan next.plan\n  gostate plan httpd",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "save", Aliases: []string{"o"}, Usage: "keep the plan in `FILE`, which only its owner reads"},
			&cli.BoolFlag{Name: "html", Usage: "write a page of HTML in place of the preview"},
		},
		Action: func(c *cli.Context) error { return p.plan(c) },
	}
}

func (p *program) plan(c *cli.Context) error {
	exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
	r := session.Request{SLS: config.SplitCommas(mods), Top: len(mods) == 0, Exclude: exclude}
	o := optionsOf(c)
	if o.TestSet && !o.Test {
		return usagef("a plan changes nothing, --test=false does not go with it\nhint: gostate apply --plan FILE carries " +
			"it out")
	}
	page := c.Bool("html")
	if page {
		if err := noPageOn(p.Out, "plan"); err != nil {
			return err
		}
		o.Out, o.OutSet = "quiet", true
	}
	made, err := session.MakePlan(c.Context, &p.Process, o, r)
	if err != nil {
		return err
	}
	if page {
		if err := p.writePage(planPage(made)); err != nil {
			return err
		}
	}
	file := c.String("save")
	if file == "" {
		return nil
	}
	if err := made.Write(file); err != nil {
		return diag.Errorf(diag.Pos{File: file}, "the plan cannot be written: %v",
			err).WithHint("choose another place: -o FILE")
	}
	if o.Out == "highstate" {
		_, err = fmt.Fprintf(p.Err, "the plan is in %s; to carry it out: gostate apply --plan %s\n", file, file)
	}
	return err
}

// applyPlan is `apply --plan FILE`.
func (p *program) applyPlan(c *cli.Context) error {
	o := optionsOf(c)
	switch {
	case c.NArg() > 0 || len(c.StringSlice("id")) > 0:
		return usagef("apply --plan carries out what is in the plan, %q cannot be added\nhint: plan that: gostate plan %s "+
			"-o FILE",
			c.Args().First(), c.Args().First())
	case c.Bool("confirm"):
		return usagef("the plan has been looked at, --confirm does not go with it\nhint: leave it out")
	case o.TestSet && o.Test:
		return usagef("apply --plan has been previewed, --test does not go with it\nhint: gostate plan makes a new preview")
	}
	pl, err := plan.Read(c.String("plan"))
	if err != nil {
		return err
	}
	return session.ApplyPlan(c.Context, &p.Process, o, pl)
}
