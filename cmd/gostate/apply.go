package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/session"
)

const (
	catApply = "Apply"
	catLook  = "Look"
	catInfo  = "About gostate"
)

func highstateCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "highstate", Usage: "bring this machine to its top.sls", Category: catApply,
		UsageText: "gostate highstate [--test] [exclude=SLS,...]\n\nExamples:\n  gostate highstate --test\n  gostate " +
			"highstate\n  gostate highstate exclude=web.debug",
		Flags:  []cli.Flag{confirmFlag()},
		Action: func(c *cli.Context) error { return applyHighstate(c, p) },
	}
}

func applyHighstate(c *cli.Context, p *program) error {
	exclude, rest := takeKeyword(c.Args().Slice(), "exclude")
	if err := noKeyword("highstate", rest, "exclude"); err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("highstate takes no names: it applies what top.sls says\nhint: gostate sls %s", strings.Join(rest, " "))
	}
	return p.apply(c, session.Request{Top: true, Exclude: exclude}, "highstate")
}

func slsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "sls", Aliases: []string{"apply"}, Usage: "apply SLS files by name", Category: catApply, ArgsUsage: "NAME...",
		UsageText: "gostate sls NAME[,NAME...]... [--test] [--id ID] [exclude=SLS,...]\n\nExamples:\n  gostate sls httpd\n " +
			" gostate sls httpd network --test\n" +
			"  gostate apply                     the same as highstate, as in Salt\n  gostate sls httpd --id /etc/httpd.conf\n" +
			"  gostate apply --plan FILE         carry out a plan",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "id", Usage: "apply only the states of this `ID`, as Salt's state.sls_id (before the " +
				"command, --id is the minion's)"},
			confirmFlag(),
			&cli.StringFlag{Name: "plan", Usage: "carry out the plan in `FILE`, made by gostate plan -o FILE, as far as it " +
				"still holds"},
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("plan") {
				return p.applyPlan(c)
			}
			exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
			more, mods := takeKeyword(mods, "mods")
			mods = append(config.SplitCommas(mods), more...)
			if err := noKeyword("sls", mods, "exclude", "mods"); err != nil {
				return err
			}
			switch {
			case len(mods) == 0 && c.NArg() > 0 && len(exclude) == 0:
				mods = c.Args().Slice() // an empty name, which is none
			case len(mods) == 0:
				return applyHighstate(c, p)
			}
			return applySLS(c, p, mods, exclude)
		},
	}
}

func applySLS(c *cli.Context, p *program, mods, exclude []string) error {
	r := session.Request{SLS: mods, Exclude: exclude, IDs: c.StringSlice("id")}
	return p.apply(c, r, "sls "+strings.Join(mods, " "))
}

// apply carries out a request, with --confirm after it was shown and agreed to.
func (p *program) apply(c *cli.Context, r session.Request, command string) error {
	o := optionsOf(c)
	if c.Bool("confirm") {
		if o.TestSet && o.Test {
			return usagef("--confirm asks before a run, and --test runs nothing\nhint: leave one of them out")
		}
		return session.Confirm(c.Context, &p.Process, o, r)
	}
	s, err := session.Act(&p.Process, o)
	if err != nil {
		return err
	}
	return s.Apply(c.Context, r, command)
}

func singleCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "single", Usage: "apply one state function given on the command line", Category: catApply,
		ArgsUsage: "FUNCTION [NAME] [ARGUMENT=VALUE...]",
		UsageText: "gostate single MODULE.FUNCTION [NAME] [ARGUMENT=VALUE...] [--test]\n\nExamples:\n  gostate single " +
			"file.managed name=/etc/motd contents=hi\n" +
			"  gostate single pkg.installed curl --test",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("single needs a state function\nhint: gostate single file.managed name=/etc/motd contents=hi")
			}
			s, err := session.Act(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			return applySingle(c.Context, s, c.Args().First(), c.Args().Tail())
		},
	}
}

// noKeyword refuses words NAME=VALUE that nothing has taken: no SLS file is called so.
func noKeyword(command string, words []string, more ...string) error {
	for _, w := range words {
		if name, _, ok := cutKeyword(w); ok {
			return unknownKeyword(command, name, append(more, runKeywords()...))
		}
	}
	return nil
}

// takeKeyword takes the words NAME=a,b out of words and gives their values split at commas, and the other words.
func takeKeyword(words []string, name string) (values, rest []string) {
	for _, w := range words {
		if v, ok := strings.CutPrefix(w, name+"="); ok {
			values = append(values, config.SplitCommas([]string{v})...)
			continue
		}
		rest = append(rest, w)
	}
	return values, rest
}
