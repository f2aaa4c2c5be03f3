package main

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

func lintCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "lint", Usage: "find everything that is wrong with SLS files, without running them", Category: catLook,
		ArgsUsage: "[NAME...]",
		UsageText: "gostate lint [NAME...] [--out json|sarif|github]\n\nExamples:\n  gostate lint\n  gostate lint httpd\n" +
			"  gostate lint --out sarif > gostate.sarif\n\nA comment silences warnings of its line and the next: " +
			"# lint: ignore=CODE",
		Action: func(c *cli.Context) error {
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			s.LeaveUnjudged()
			prepared, err := s.Prepare(c.Context, requestOf(c))
			l := &diag.List{}
			states := 0
			if l.AddErr(err); err == nil {
				l, states = prepared.Warnings, len(prepared.Plan.Low)
			}
			report.Silence(l, os.ReadFile)
			return p.printLint(c, s, l, states)
		},
	}
}

// printLint shows what lint found. Where there are errors, people are not told how many states there are.
func (p *program) printLint(c *cli.Context, s *session.Session, l *diag.List, states int) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if l.HasErrors() {
		p.Code = exitInput
	}
	o := p.DiagnosticOptions(false)
	switch form := optionsOf(c).Out; {
	case form == "github":
		return report.WriteGitHub(p.Out, l, dir, o)
	case form == "sarif":
		return report.WriteSARIF(p.Out, l, dir, versionText(), o)
	case form == "json" || form == "yaml":
		return s.Print(value.DictOf("states", value.Int(states), "errors", value.Int(l.Errors()), "warnings",
			value.Int(l.Count(diag.Warning)), "not_judged", value.Int(s.NotJudged(l)), "diagnostics",
			report.Diagnostics(l, o)))
	case l.HasErrors():
		s.Show(l)
		return nil
	}
	if len(l.All) > 0 {
		s.Show(l)
	}
	text := fmt.Sprintf("%s, no errors, %s", diag.Count(states, "state"), diag.Count(l.Count(diag.Warning), "warning"))
	k := s.NotJudged(l)
	if k > 0 {
		text += fmt.Sprintf(", %d not judged", k)
	}
	if notes := l.Count(diag.Note) - k; notes > 0 {
		text += ", " + diag.Count(notes, "note")
	}
	return p.printEither(c, text+"\n", nil)
}
