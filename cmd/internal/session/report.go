package session

import (
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// reportOptions are how results are shown: flags over configuration over Salt's defaults.
func (s *Session) reportOptions() report.Options {
	o := report.Options{
		Format: s.opts.Out, StateOutput: firstOf(s.opts.StateOutput, s.config.Str("state_output", s.stateOutput())),
		Width:   s.width(),
		Verbose: s.config.Bool("state_verbose", true), NoProfile: !s.config.Bool("state_output_profile", true),
		Percent: s.config.Bool("state_output_pct", false), Tabular: s.config.Bool("state_tabular", false),
		Exclude: config.SplitCommas(s.config.Strings("state_output_exclude")),
		Terse:   config.SplitCommas(s.config.Strings("state_output_terse")),
		Color:   s.color(s.process.Out),
		YAML:    ToYAML, Pprint: jinja.PprintIndent, Secrets: s.process.shown(),
		Indent: s.opts.OutIndent,
	}
	if s.process.Metadata != nil {
		o.Wrap = s.process.Metadata(s.id)
	}
	if s.opts.OutputDiff {
		o.Verbose = false
	}
	if s.opts.StateVerbose != "" {
		o.Verbose = s.opts.StateVerbose == "true"
	}
	if s.config.Bool("state_output_diff", false) {
		o.Verbose = false // as in Salt, it leaves out the same states
	}
	return o
}

// stateOutput is how states are shown where nobody says: to people at a terminal briefly, to all else as Salt does.
func (s *Session) stateOutput() string {
	if s.opts.OutSet || !people(s.process.Out) {
		return "full"
	}
	return "brief"
}

// width is where lines for people are broken; 0 where no terminal breaks them.
func (s *Session) width() int {
	if !people(s.process.Out) {
		return 0
	}
	return terminalWidth(s.process.Out)
}

// report shows the results of a run, after which so many reactions are owed, and sets the exit code. drifting is said
// to people below them.
func (s *Session) report(r *run.Report, owed int, drifting string) {
	s.markChanges(r)
	if s.process.Inside != nil {
		s.reportRehearsal(r)
		return
	}
	s.process.Code = report.ExitCode(r, s.opts.Detailed)
	o := s.reportOptions()
	o.Owed = owed
	if s.process.Reported != nil {
		s.process.Reported(r, o)
		return
	}
	err := report.Write(s.process.Out, r, o)
	if err == nil && (o.Format == "" || o.Format == "highstate") {
		_, err = io.WriteString(s.process.Out, drifting)
	}
	s.told(err)
}

// told warns that the results of what was done could not be shown. That is no fault of the states: the exit code is
// theirs.
// Nobody is told who went away before the end, as head(1) does.
func (s *Session) told(err error) {
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		s.warn("all is done, but what came of it cannot be shown: "+err.Error(), "")
	}
}

// Print shows one value. What is encrypted in it stays closed.
func (s *Session) Print(v value.Value) error { return s.print(v, report.OrderNone) }

// PrintData is Print for data of SLS files, whose maps keep their order; top says that the outermost is no such map.
func (s *Session) PrintData(v value.Value, top bool) error {
	if top {
		return s.print(v, report.OrderBelow)
	}
	return s.print(v, report.OrderAll)
}

func (s *Session) print(v value.Value, order int) error {
	o := s.reportOptions()
	o.Order = order
	return report.WriteValue(s.process.Out, s.closed(v), o)
}

// Show shows diagnostics on standard error.
func (s *Session) Show(l *diag.List) { s.process.write(l, s.color(s.process.Err)) }

// color says whether what goes to w is painted: by flag, NO_COLOR, the configuration, else on terminals.
func (s *Session) color(w io.Writer) bool {
	switch {
	case s.opts.ForceColor:
		return painted(w, true)
	case s.opts.NoColor, os.Getenv("NO_COLOR") != "", !s.config.Bool("color", true):
		return false
	}
	return painted(w, IsTerminal(w))
}

// ToYAML is a value as block YAML, or on one line where the indent is below 0.
func ToYAML(v value.Value, r report.Options) ([]byte, error) {
	o := yaml.EncodeOptions{AllowUnicode: true, SortKeys: r.Order == report.OrderNone}
	switch {
	case r.Indent == nil:
	case *r.Indent < 0:
		o.Flow = yaml.FlowAll
	default:
		o.Indent = *r.Indent
	}
	text, err := yaml.Encode(v, o)
	return []byte(text), err
}
