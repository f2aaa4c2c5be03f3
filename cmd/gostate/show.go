package main

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func showCommand(p *program) *cli.Command {
	sub := func(name, usage, args, example string, f func(context.Context, *session.Session, session.Request) (value.Value,
		error)) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, ArgsUsage: args,
			UsageText: "gostate show " + name + " " + args + "\n\nExample:\n  " + example,
			Action: func(c *cli.Context) error {
				s, err := session.Look(&p.Process, optionsOf(c))
				if err != nil {
					return err
				}
				exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
				r := session.Request{SLS: config.SplitCommas(mods), Exclude: exclude}
				r.Top, r.Data = len(r.SLS) == 0, optionsOf(c).Out == "json"
				v, err := f(c.Context, s, r)
				if err != nil {
					return err
				}
				if name == "sls" || name == "highstate" {
					return s.PrintData(v, false)
				}
				return s.Print(v)
			},
		}
	}
	return &cli.Command{
		Name: "show", Usage: "show what SLS files come to, at each step", Category: catLook,
		UsageText: "gostate show top|sls|highstate|lowstate [NAME...]\n\nExamples:\n  gostate show lowstate httpd --out " +
			"json\n  gostate show top",
		Subcommands: []*cli.Command{
			sub("top", "what top.sls assigns to this machine", "", "gostate show top", showTop),
			sub("sls", "the high data of SLS files", "NAME...", "gostate show sls httpd", showSLS),
			sub("highstate", "the high data of top.sls, or of SLS files", "[NAME...]", "gostate show highstate --out yaml",
				showHigh),
			sub("lowstate", "the states in the order of their numbers", "[NAME...]", "gostate show lowstate httpd", showLow),
		},
		Action: func(c *cli.Context) error {
			return subcommandFault(c, "gostate show top, sls, highstate or lowstate")
		},
	}
}

func showTop(ctx context.Context, s *session.Session, _ session.Request) (value.Value, error) {
	return s.Top(ctx)
}

func showSLS(ctx context.Context, s *session.Session, r session.Request) (value.Value, error) {
	if r.Top {
		return nil, usagef("show sls needs names\nhint: gostate show sls httpd; gostate show highstate shows all of top.sls")
	}
	return showHigh(ctx, s, r)
}

func showHigh(ctx context.Context, s *session.Session, r session.Request) (value.Value, error) {
	high, err := s.Load(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.ShownHigh(high, r), nil
}

func showLow(ctx context.Context, s *session.Session, r session.Request) (value.Value, error) {
	low, err := s.Compile(ctx, r)
	if err == nil {
		low, err = s.Only(low)
	}
	return s.ShownChunks(low, r), err
}

func grainsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "grains", Usage: "show the grains (facts) of this machine", Category: catLook,
		ArgsUsage: "[items | get KEY | KEY...]",
		UsageText: "gostate grains [items | get KEY]\n\nExamples:\n  gostate grains\n  gostate grains get os_family\n  " +
			"gostate grains get ip4_interfaces:eth0",
		Action: func(c *cli.Context) error {
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			plain := func(v value.Value, _ bool) error { return s.Print(v) }
			return lookup{what: "grain", data: s.GrainData(), show: plain}.run(c.Args().Slice())
		},
	}
}

func pillarCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "pillar", Usage: "show the pillar of this machine", Category: catLook,
		ArgsUsage:   "[items | get KEY | encrypt KEY]",
		Subcommands: []*cli.Command{encryptCommand(p)},
		UsageText: "gostate pillar [items | get KEY | encrypt KEY]\n\nExamples:\n  gostate pillar\n  gostate pillar get " +
			"nginx:workers\n" +
			"  gostate pillar encrypt db:password --age age1...",
		Action: func(c *cli.Context) error {
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			if err := s.LoadPillar(c.Context); err != nil {
				return err
			}
			return lookup{what: "pillar key", data: modules.Whole(s.ShownPillar), from: " in the pillar of " +
				strings.Join(s.PillarDirs(), ", "), show: s.PrintData}.run(c.Args().Slice())
		},
	}
}

func callCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "call", Usage: "call an execution function", Category: catLook,
		ArgsUsage: "FUNCTION [ARGUMENT...] [NAME=VALUE...]",
		UsageText: "gostate call MODULE.FUNCTION [ARGUMENT...] [NAME=VALUE...]\n\nExamples:\n  gostate call cmd.run " +
			"'uptime'\n  gostate call pkg.version bash\n  gostate call grains.get os",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("call needs a function\nhint: gostate call cmd.run 'uptime'")
			}
			s, err := session.Act(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			return p.callFunction(c.Context, s, c.Args().Slice(), c.StringSlice("no-parse"))
		},
	}
}

// callFunction calls words[0] with the others, whose values are YAML but for the keywords that are named in asText.
func (p *program) callFunction(ctx context.Context, s *session.Session, words, asText []string) error {
	fun, words := words[0], words[1:]
	if err := s.KnowsExec(fun); err != nil {
		p.unknownFunction = true
		return err
	}
	args, kwargs := readCall(fun, words, asText)
	return s.Call(ctx, fun, args, kwargs)
}

// readCall are the arguments of a function on the command line.
func readCall(fun string, words, asText []string) (args []value.Value, kwargs *value.Dict) {
	kwargs = value.NewDict(0)
	for _, w := range words {
		if k, text, ok := cutKeyword(w); ok {
			v := value.Value(value.Str(text))
			if !slices.Contains(asText, k) {
				v = commandValue(k, text)
			}
			kwargs.SetStr(k, v)
			continue
		}
		args = append(args, commandValue(fun, w))
	}
	return args, kwargs
}
