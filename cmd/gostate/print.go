package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

// printText shows the text of a command that looks: as it is, or as one value under `local` where JSON or YAML is asked
// for.
func (p *program) printText(c *cli.Context, text string) error {
	return p.printEither(c, text, value.Str(strings.TrimSuffix(text, "\n")))
}

// printEither shows a text to people and its value to programs.
func (p *program) printEither(c *cli.Context, text string, v value.Value) error {
	text, v = p.Hide(text), p.HideValue(v)
	form := optionsOf(c).Out
	if form == "json" || form == "yaml" {
		return report.WriteValue(p.Out, v, report.Options{Format: form, YAML: session.ToYAML})
	}
	_, err := io.WriteString(p.Out, text)
	return err
}

// printData prints what is data: a file or another program gets it as it is, people see what steers a terminal as
// escapes.
func (p *program) printData(text string) error {
	to := p.Out
	if !session.IsTerminal(to) {
		to = report.Under(to)
	}
	_, err := io.WriteString(to, p.Hide(text))
	return err
}
