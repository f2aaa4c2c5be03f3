package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func showCommand(p *program) *cli.Command {
	sub := func(name, usage, args, example string, f func(context.Context, *session, request) (value.Value, error)) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, ArgsUsage: args,
			UsageText: "gostate show " + name + " " + args + "\n\nExample:\n  " + example,
			Action: func(c *cli.Context) error {
				s, err := newSession(p, optionsOf(c))
				if err != nil {
					return err
				}
				exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
				r := request{sls: splitCommas(mods), exclude: exclude}
				r.top = len(r.sls) == 0
				v, err := f(c.Context, s, r)
				if err != nil {
					return err
				}
				return s.print(v)
			},
		}
	}
	return &cli.Command{
		Name: "show", Usage: "show what SLS files come to, at each step", Category: catLook,
		UsageText: "gostate show top|sls|highstate|lowstate [NAME...]\n\nExamples:\n  gostate show lowstate httpd --out json\n  gostate show top",
		Subcommands: []*cli.Command{
			sub("top", "what top.sls assigns to this machine", "", "gostate show top", showTop),
			sub("sls", "the high data of SLS files", "NAME...", "gostate show sls httpd", showSLS),
			sub("highstate", "the high data of top.sls, or of SLS files", "[NAME...]", "gostate show highstate --out yaml", showHigh),
			sub("lowstate", "the states in the order of their numbers", "[NAME...]", "gostate show lowstate httpd", showLow),
		},
		Action: func(c *cli.Context) error {
			return usagef("show what?\nhint: gostate show top, sls, highstate or lowstate")
		},
	}
}

func showTop(ctx context.Context, s *session, _ request) (value.Value, error) {
	envs, err := s.matchTop(ctx)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(len(envs))
	for _, e := range envs {
		list := value.NewList()
		for _, n := range e.SLS {
			list.Items = append(list.Items, value.Str(n.Name))
		}
		out.SetStr(e.Env, list)
	}
	return out, nil
}

func showSLS(ctx context.Context, s *session, r request) (value.Value, error) {
	if r.top {
		return nil, usagef("show sls needs names\nhint: gostate show sls httpd; gostate show highstate shows all of top.sls")
	}
	return showHigh(ctx, s, r)
}

func showHigh(ctx context.Context, s *session, r request) (value.Value, error) {
	high, err := s.load(ctx, r)
	if err != nil {
		return nil, err
	}
	return high.Dict(), nil
}

func showLow(ctx context.Context, s *session, r request) (value.Value, error) {
	low, err := s.compile(ctx, r)
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, l := range low {
		out.Items = append(out.Items, l.Chunk())
	}
	return out, nil
}

func grainsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "grains", Usage: "show the grains (facts) of this machine", Category: catLook, ArgsUsage: "[items | get KEY | KEY...]",
		UsageText: "gostate grains [items | get KEY]\n\nExamples:\n  gostate grains\n  gostate grains get os_family\n  gostate grains get ip4_interfaces:eth0",
		Action: func(c *cli.Context) error {
			s, err := newSession(p, optionsOf(c))
			if err != nil {
				return err
			}
			return s.showData(c.Args().Slice(), s.grainData())
		},
	}
}

func pillarCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "pillar", Usage: "show the pillar of this machine", Category: catLook, ArgsUsage: "[items | get KEY]",
		UsageText: "gostate pillar [items | get KEY]\n\nExamples:\n  gostate pillar\n  gostate pillar get nginx:workers",
		Action: func(c *cli.Context) error {
			s, err := newSession(p, optionsOf(c))
			if err != nil {
				return err
			}
			if err := s.loadPillar(c.Context); err != nil {
				return err
			}
			return s.showData(c.Args().Slice(), modules.Whole(s.Pillar))
		},
	}
}

// showData prints all of the data (no words, or "items"), or what is under the words behind "get" or "item".
func (s *session) showData(words []string, data modules.Data) error {
	if len(words) == 0 || (len(words) == 1 && words[0] == "items") {
		return s.print(data.Dict())
	}
	single := words[0] == "get"
	if single || words[0] == "item" {
		words = words[1:]
	}
	if len(words) == 0 {
		return usagef("get needs a key\nhint: gostate grains get os_family")
	}
	if single || len(words) == 1 {
		v, ok := data(words[0])
		if !ok {
			v = value.Str("")
		}
		return s.print(v)
	}
	out := value.NewDict(len(words))
	for _, w := range words {
		v, ok := data(w)
		if !ok {
			v = value.Str("")
		}
		out.SetStr(w, v)
	}
	return s.print(out)
}

func callCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "call", Usage: "call an execution function", Category: catLook, ArgsUsage: "FUNCTION [ARGUMENT...] [NAME=VALUE...]",
		UsageText: "gostate call MODULE.FUNCTION [ARGUMENT...] [NAME=VALUE...]\n\nExamples:\n  gostate call cmd.run 'uptime'\n  gostate call pkg.version bash\n  gostate call grains.get os",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("call needs a function\nhint: gostate call cmd.run 'uptime'")
			}
			s, err := newRun(p, optionsOf(c))
			if err != nil {
				return err
			}
			return s.call(c.Context, c.Args().First(), c.Args().Tail())
		},
	}
}

func (s *session) call(ctx context.Context, fun string, words []string) error {
	if !s.exec().Has(fun) {
		return s.unknownExec(fun)
	}
	var args []value.Value
	kwargs := value.NewDict(0)
	for _, w := range words {
		if k, text, ok := cutKeyword(w); ok {
			v := commandValue(k, text)
			kwargs.SetStr(k, v)
			continue
		}
		v := commandValue(fun, w)
		args = append(args, v)
	}
	if err := s.program.begin(); err != nil {
		return err
	}
	v, err := s.callOn(ctx, fun, args, kwargs)
	if err != nil {
		return fmt.Errorf("%s: %w", fun, err)
	}
	return s.print(v)
}

// callOn calls the function, in test mode on an overlay: one that only looks answers, one that would write is refused.
func (s *session) callOn(ctx context.Context, fun string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if !s.preview() {
		return s.exec().typed(ctx, fun, args, kwargs)
	}
	if spec, _ := s.registry.Exec(fun); spec.Class == modules.Commands {
		return nil, host.ErrPreview
	}
	over := host.NewOverlay(s.machine)
	v, err := execFunctions{s, over}.typed(ctx, fun, args, kwargs)
	if err != nil {
		return nil, err
	}
	if j := over.Journal(); len(j) > 0 {
		return nil, fmt.Errorf("test mode writes nothing, and it would %s %s", j[0].Op, j[0].Path)
	}
	if len(over.Promised()) > 0 {
		return nil, host.ErrPreview
	}
	return v, nil
}
