package session

import (
	"cmp"
	"context"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/bridge"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host/view"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// A Process is the program around a session.
type Process struct {
	In       io.Reader
	Out, Err io.Writer
	// Code is the exit code that the command chose.
	Code int
	// Since is when the program began.
	Since time.Time
	// Version gives the version of the program; nil where nobody knows.
	Version func() string
	// Retcode is the exit code of the command or function that was called.
	Retcode int
	// Abort ends the commands of running states.
	Abort context.Context
	// Opened is called when a session begins, if not nil; Begin when from now on the machine may be touched, its error
	// ends that.
	Opened func()
	Begin  func() error
	// Inside is the rehearsal that this program runs in; nil where it runs in none.
	Inside *view.Inside
	// Runner runs the users' commands of a preview; nil until there is one.
	Runner *view.Runner
	// Own runs the tree's own code; nil until a session begins.
	Own *bridge.Bridge
	// Secrets are hidden in what is shown, and SecretPath says which keys of a file that is quoted are; nil until a
	// session begins.
	Secrets    *secret.Store
	SecretPath func(path []string) bool
	// Typed is the file that holds the SLS which came on standard input; "" where none did.
	Typed string
	// SaltCall says that this is a salt-call, whose configuration is Salt's where there is none of gostate's.
	SaltCall bool
	// Metadata is a result with what is told beside it; nil shows the result alone.
	Metadata func(id string) func(v value.Value, states bool, code int) value.Value
	// Remote is who this run is for where tree, pillar and configuration come from another machine; nil as a rule.
	Remote *Remote
	// Event is told of the run, Reported what came of it, in place of showing it; nil as a rule.
	Event    func(run.Event)
	Reported func(*run.Report, report.Options)
	// Families are functions that only this command has, in the place of those of the same name.
	Families []modules.Source
	// Show prints diagnostics as the options ask; nil until they are known.
	Show func(l *diag.List)
}

// Options are the global flags as given.
type Options struct {
	ConfigDir                      string
	FileRoots, PillarRoots, Grains []string
	// PuppetModules are folders of Puppet modules, whose files the file server gives in the environment PuppetEnv.
	PuppetModules             []string
	ID, GrainsFile, Pillar    string
	SaltEnv, PillarEnv        string
	Test, TestSet, NoCommands bool
	Noop, NoopSet             bool
	Root, StateDir            string
	Jobs                      int
	Wait                      time.Duration
	LogLevel, LogFormat       string
	Detailed                  bool
	// Metrics and JUnit are files that are told what came of the run; "" for none.
	Metrics, JUnit                 string
	Out, StateOutput, StateVerbose string
	NoColor, ForceColor            bool
	ShowSecrets                    bool
	ConfigDirSet, OutSet           bool
	// Tags and SkipTags say which states are meant, Requirements that what they require is meant, too.
	Tags, SkipTags []string
	Requirements   bool
	// Conducts says that the states are about other machines: the id is that of a master, and nobody who works on this
	// machine is waited for.
	Conducts bool
	// Cached takes what there is of remote repositories, and fetches nothing: for commands that need no tree.
	Cached bool
	SaltOptions
}

// Close ends what the command started.
func (p *Process) Close() {
	if p.Own != nil {
		p.Own.Close()
	}
	if p.Runner != nil {
		p.Runner.Close()
	}
}

// context ends with the program's work.
func (p *Process) context() context.Context {
	if p.Abort == nil {
		return context.Background()
	}
	return p.Abort
}

// Diagnose shows diagnostics as the options ask, or plainly where they are not known yet.
func (p *Process) Diagnose(l *diag.List) {
	if p.Show != nil {
		p.Show(l)
		return
	}
	p.write(l, os.Getenv("NO_COLOR") == "" && painted(p.Err, IsTerminal(p.Err)))
}

func (p *Process) write(l *diag.List, color bool) {
	_ = report.WriteDiagnostics(p.Err, l, p.DiagnosticOptions(color))
}

// DiagnosticOptions are how diagnostics are shown.
func (p *Process) DiagnosticOptions(color bool) report.DiagnosticOptions {
	return report.DiagnosticOptions{Color: color, Source: os.ReadFile, Secrets: p.shownErr(), SecretPath: p.SecretPath}
}

// people says whether people read what is written, at once, or write what is read.
func people(stream any) bool {
	if w, ok := stream.(io.Writer); ok {
		stream = report.Under(w)
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// IsTerminal says whether that is on a terminal which can be painted, and steered.
func IsTerminal(w io.Writer) bool { return people(w) && os.Getenv("TERM") != "dumb" }

// painted has the screen let the program's colours through.
func painted(w io.Writer, on bool) bool {
	if s, ok := w.(*report.Screen); ok && on {
		s.Paint()
	}
	return on
}

// terminalWidth is the width of the terminal that w is, 80 where it cannot be known.
func terminalWidth(w io.Writer) int { return cmp.Or(Width(w), 80) }

// Width is the width of the terminal that w is, 0 where it is none.
func Width(w io.Writer) int {
	if f, ok := report.Under(w).(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}
