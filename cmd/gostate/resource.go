package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/resource"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/all"
	"github.com/gostate/gostate/state/value"
)

const resourceUsage = `gostate resource [KIND [NAME...]] [--all] [--system] [--files DIR]

What is on this machine as an SLS that, applied to it, changes nothing. Names may be globs. Without a KIND it lists
the kinds, and what each leaves out unless it is asked for by its name or with --system. What is asked for and is not
there is told as absent. gostate single sets one thing.

Examples:
  gostate resource                          list the kinds
  gostate resource file /etc/motd
  gostate resource user                     all people's accounts
  gostate resource package 'linux-image-*'
  gostate resource --all > site.sls         take over a machine that grew by hand
  gostate resource --all --files /srv/salt/site > /srv/salt/site.sls`

func resourceCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "resource", Usage: "say what is on this machine as an SLS", Category: catLook,
		ArgsUsage: "[KIND [NAME...]]", UsageText: resourceUsage,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "tell of all kinds"},
			&cli.BoolFlag{Name: "system", Usage: "tell of what the system itself has, too: its accounts, packages that came " +
				"along, lines that are commented out"},
			&cli.StringFlag{Name: "files", Usage: "keep copies of files that an SLS does not hold (large, binary) in `DIR`, " +
				"and name them as sources"},
		},
		Action: func(c *cli.Context) error {
			r := resource.Request{Kind: c.Args().First(), Names: c.Args().Tail(), System: c.Bool("system")}
			switch {
			case r.Kind != "" && c.Bool("all"):
				return usagef("--all tells of all kinds, not of %s\nhint: gostate resource %s", r.Kind, r.Kind)
			case r.Kind == "" && !c.Bool("all"):
				return p.printKinds(c)
			case r.Kind == "file" && len(r.Names) == 0:
				return usagef("which file?\nhint: gostate resource file /etc/motd; gostate resource conffile lists those of /etc " +
					"that differ from their package's")
			}
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			a, err := s.Resources(c.Context, r, c.String("files"))
			if err != nil {
				return err
			}
			p.remark(a)
			text, err := a.SLS()
			if err != nil {
				return err
			}
			if form := optionsOf(c).Out; form == "json" || form == "yaml" {
				return s.Print(a.High())
			}
			return p.printData(text)
		},
	}
}

// remark says on standard error what is not there, and which kinds could not be told of.
func (p *program) remark(a *resource.Answer) {
	for _, g := range a.Groups {
		for _, n := range g.Missing {
			fmt.Fprintf(p.Err, "note: there is no %s %s\n", g.Kind, p.Hide(n))
		}
		for _, n := range g.Unmatched {
			fmt.Fprintf(p.Err, "note: no %s matches %s\n", g.Kind, p.Hide(n))
		}
		if g.Err != nil {
			p.Code = exitFailed
			fmt.Fprintf(p.Err, "error: %s: %s\n", g.Kind, p.Hide(g.Err.Error()))
		}
	}
}

// describers are those of all families.
func describers() ([]modules.Describer, error) {
	r, err := modules.New(all.Families()...)
	if err != nil {
		return nil, err
	}
	return r.Describers(), nil
}

// printKinds lists the kinds.
func (p *program) printKinds(c *cli.Context) error {
	ds, err := describers()
	if err != nil {
		return err
	}
	var b strings.Builder
	out := value.NewDict(len(ds))
	for _, d := range ds {
		fmt.Fprintf(&b, "%s: %s\n  Left out: %s\n", strings.Join(append([]string{d.Kind}, d.Other...), ", "), d.Doc, d.Left)
		out.SetStr(d.Kind, value.DictOf("doc", value.Str(d.Doc), "left_out", value.Str(d.Left)))
	}
	return p.printEither(c, b.String(), out)
}
