package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host/view"
)

func rehearseCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "rehearse", Usage: "run the states in a throwaway view of this machine, and show what they changed",
		Category: catApply, ArgsUsage: "[NAME...]",
		UsageText: "gostate rehearse [NAME...] [exclude=SLS,...]\n\nWithout a name it is highstate. Packages are unpacked, " +
			"commands run and files written in a view that is\n" +
			"gone afterwards; services, mounts and kernel settings are foretold.\n\nExamples:\n  gostate rehearse\n  gostate " +
			"rehearse httpd\n  gostate rehearse httpd --out json",
		Action: func(c *cli.Context) error { return p.rehearse(c) },
	}
}

// rehearse opens the view in which this program runs again with the same words; there it runs the plan. Where there can
// be no view it is a preview.
func (p *program) rehearse(c *cli.Context) (err error) {
	exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
	r := session.Request{SLS: config.SplitCommas(mods), Top: len(mods) == 0, Exclude: exclude}
	o := optionsOf(c)
	if root, err := filepath.Abs(o.Root); err != nil || root != "/" {
		return usagef("rehearse works on this machine, not on the tree at %s\nhint: --test previews a run on another tree",
			o.Root)
	}
	if p.Inside, err = view.Entered(); err != nil {
		return err
	}
	o.TestSet, o.Test = true, false
	if p.Inside == nil {
		p.Code, err = view.Rehearse(p.words)
		var none *view.Unavailable
		if !errors.As(err, &none) {
			return err
		}
		l := &diag.List{All: []*diag.Diagnostic{{Severity: diag.Warning,
			Msg: "there can be no rehearsal here, this is a preview: " + none.Error(), Hint: none.Hint}}}
		p.Diagnose(l)
		o.Test = true
	}
	s, err := session.Act(&p.Process, o)
	if err != nil {
		return err
	}
	return s.Apply(c.Context, r, "rehearse "+strings.Join(mods, " "))
}
