package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/orchestrate"
	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/cmd/internal/session"
)

const orchestrateUsage = `gostate orchestrate NAME[,NAME...]... [--test] [exclude=SLS,...] [pillar='{...}'] [FLAGS]

The SLS files have salt.state, salt.function and their like, which work on the hosts of the roster over ssh; other
states in them are this machine's. state.orchestrate and state.orch are the same, as in Salt.

Examples:
  gostate orchestrate orch.deploy --test        what the steps would change, and where
  gostate orchestrate orch.deploy pillar='{version: 2.1}' --roster nodes.yaml
  gostate state.orchestrate orch.deploy test=True`

func orchestrateCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "orchestrate", Aliases: []string{"orch"}, Usage: "work on other machines step by step, over ssh",
		Category: catApply, ArgsUsage: "NAME...", UsageText: orchestrateUsage, Flags: sshFlags(),
		Action: func(c *cli.Context) error { return p.orchestrate(c) },
	}
}

func (p *program) orchestrate(c *cli.Context) error {
	exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
	more, mods := takeKeyword(mods, "mods")
	mods = append(config.SplitCommas(mods), more...)
	if err := noKeyword("orchestrate", mods, "exclude", "mods"); err != nil {
		return err
	}
	if len(mods) == 0 {
		return usagef("orchestrate needs the name of an SLS\nhint: gostate orchestrate NAME --test")
	}
	o := optionsOf(c)
	if o.Root != "/" {
		return usagef("--root is about one machine, and does not go with orchestrate\nhint: leave it out")
	}
	hosts, err := roster.All(c.StringSlice("roster"), p.In)
	if err != nil {
		return err
	}
	job, err := p.sshJob(c, hosts)
	if err != nil {
		return err
	}
	here := o
	here.ID, here.GrainsFile, here.Grains = "", "", nil
	stage := &orchestrate.Stage{Machines: func(s *session.Session) orchestrate.Machines {
		return &orchestrate.SSH{Hosts: hosts, Job: *job, Jobs: c.Int("jobs"), Here: here, Far: farOptions(o), Session: s}
	}}
	s, err := stage.Open(&p.Process, o)
	if err != nil {
		return err
	}
	return s.Apply(c.Context, session.Request{SLS: mods, Exclude: exclude}, "orchestrate "+strings.Join(mods, " "))
}
