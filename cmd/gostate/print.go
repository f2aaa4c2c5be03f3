package main

import (
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// reportOptions are how results are shown: flags over configuration over Salt's defaults.
func (s *session) reportOptions() report.Options {
	o := report.Options{
		Format: s.opts.Out, StateOutput: firstOf(s.opts.StateOutput, s.config.Str("state_output", "full")),
		Verbose: s.config.Bool("state_verbose", true), NoProfile: !s.config.Bool("state_output_profile", true),
		Percent: s.config.Bool("state_output_pct", false), Tabular: s.config.Bool("state_tabular", false),
		Exclude: splitCommas(s.config.Strings("state_output_exclude")), Terse: splitCommas(s.config.Strings("state_output_terse")),
		Color: s.color(s.program.out),
		YAML:  toYAML,
	}
	if s.opts.StateVerbose != "" {
		o.Verbose = boolWord("test", s.opts.StateVerbose) == "true"
	}
	if s.config.Bool("state_output_diff", false) {
		o.Verbose = false // as in Salt, it leaves out the same states
	}
	return o
}

// report shows the results of a run and sets the exit code.
func (s *session) report(r *run.Report) error {
	if s.program.inside != nil {
		return s.reportRehearsal(r)
	}
	s.program.code = report.ExitCode(r, s.opts.Detailed)
	return report.Write(s.program.out, r, s.reportOptions())
}

// print shows one value.
func (s *session) print(v value.Value) error {
	return report.WriteValue(s.program.out, v, s.reportOptions())
}

// printText shows the text of a command that looks: as it is, or as one value under `local` where JSON or YAML is asked for.
func (p *program) printText(c *cli.Context, text string) error {
	return p.printEither(c, text, value.Str(strings.TrimSuffix(text, "\n")))
}

// printEither shows a text to people and its value to programs.
func (p *program) printEither(c *cli.Context, text string, v value.Value) error {
	form := optionsOf(c).Out
	if form == "json" || form == "yaml" {
		return report.WriteValue(p.out, v, report.Options{Format: form, YAML: toYAML})
	}
	_, err := io.WriteString(p.out, text)
	return err
}

// showDiagnostics shows diagnostics on standard error.
func (s *session) showDiagnostics(l *diag.List) { s.program.write(l, s.color(s.program.err)) }

// diagnose shows diagnostics as the options ask, or plainly where they are not known yet.
func (p *program) diagnose(l *diag.List) {
	if p.show != nil {
		p.show(l)
		return
	}
	p.write(l, os.Getenv("NO_COLOR") == "" && isTerminal(p.err))
}

func (p *program) write(l *diag.List, color bool) {
	_ = report.WriteDiagnostics(p.err, l, report.DiagnosticOptions{Color: color, Source: os.ReadFile})
}

// color says whether what goes to w is painted: by flag, NO_COLOR, the configuration, else on terminals.
func (s *session) color(w io.Writer) bool {
	switch {
	case s.opts.ForceColor:
		return true
	case s.opts.NoColor, os.Getenv("NO_COLOR") != "", !s.config.Bool("color", true):
		return false
	}
	return isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// terminalWidth is the width of the terminal that w is, 80 where it cannot be known.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 80
}

// toYAML is a value as block YAML.
func toYAML(v value.Value) ([]byte, error) {
	text, err := yaml.Encode(v, yaml.EncodeOptions{})
	return []byte(text), err
}
