package main

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/requisite/draw"
)

func graphCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "graph", Usage: "draw the states and what they wait for", Category: catLook, ArgsUsage: "[NAME...]",
		UsageText: "gostate graph [NAME...] [--format dot|mermaid|json|svg] [--focus ID [--depth N]] " +
			"[--cycle]\n\nExamples:\n  gostate graph httpd " +
			"--format svg > httpd.svg\n  gostate graph | dot -Tpng > all.png",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "dot", Usage: "`FORM`: dot, mermaid, json, svg"},
			&cli.BoolFlag{Name: "order", Value: true, Usage: "draw the order of the run between states that follow each " +
				"other, too"},
			&cli.BoolFlag{Name: "cycle", Usage: "draw only the states of cycles"},
			&cli.StringFlag{Name: "focus", Usage: "draw only the states of this `ID`, and what is near"},
			&cli.IntFlag{Name: "depth", Value: 1, Usage: "with --focus: `N` links away is near"},
		},
		Action: func(c *cli.Context) error {
			f := c.String("format")
			if !c.IsSet("format") && optionsOf(c).Out == "json" {
				f = "json"
			}
			if c.IsSet("depth") && (!c.IsSet("focus") || c.Int("depth") < 0) {
				return usagef("--depth says how far from --focus ID is drawn, and is no less than 0\nhint: --focus ID --depth 2")
			}
			if !slices.Contains(draw.Formats(), f) {
				return usagef("unknown format %q\nhint: it is %s", f, strings.Join(draw.Formats(), ", "))
			}
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			low, err := s.Compile(c.Context, requestOf(c))
			if err != nil {
				return err
			}
			plan, faults := s.Resolve(low)
			if len(faults.All) > 0 {
				s.Show(faults)
			}
			only, err := s.Selection(plan)
			if err != nil {
				return err
			}
			s.HideNames(low)
			o := draw.Options{Order: c.Bool("order"), CyclesOnly: c.Bool("cycle"), Only: only, Depth: c.Int("depth")}
			if c.IsSet("focus") {
				if o.Focus, err = draw.Find(plan, p.Hide(c.String("focus"))); err != nil {
					return err
				}
			}
			g := draw.Draw(plan, o)
			text, err := g.Format(f)
			if err != nil {
				return err
			}
			if faults.HasErrors() {
				p.Code = exitInput
			}
			text = strings.TrimSuffix(text, "\n") + "\n"
			if f == "json" {
				_, err = io.WriteString(p.Out, p.Hide(text))
				return err
			}
			return p.printText(c, text)
		},
	}
}

func requestOf(c *cli.Context) session.Request {
	exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
	r := session.Request{SLS: config.SplitCommas(mods), Exclude: exclude}
	r.Top = len(r.SLS) == 0
	return r
}

func explainCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "say why a state runs where it runs, and what would trigger it", Category: catLook,
		ArgsUsage: "ID [NAME...]",
		UsageText: "gostate explain ID [NAME...]\n\nExample:\n  gostate explain /etc/httpd.conf\n  gostate explain apache2 " +
			"httpd",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("explain needs an ID\nhint: gostate show lowstate lists them")
			}
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			r := session.Request{SLS: config.SplitCommas(c.Args().Tail())}
			r.Top = len(r.SLS) == 0
			low, err := s.Compile(c.Context, r)
			if err != nil {
				return err
			}
			plan, faults := s.Resolve(low)
			s.HideNames(low)
			text, err := draw.Explain(plan, p.Hide(c.Args().First()))
			if err != nil {
				return err
			}
			if err := p.printText(c, text); err != nil {
				return err
			}
			return faults.Err()
		},
	}
}
