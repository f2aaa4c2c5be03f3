// Command gostate brings a machine to the state that a tree of SLS files describes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host/view"
)

// The exit codes. With --detailed-exitcodes the report's own take the place of exitOK and exitFailed.
const (
	exitOK     = 0  // all well
	exitInput  = 1  // the input is wrong and nothing was touched
	exitFailed = 2  // at least one state failed
	exitUsage  = 64 // the command line is wrong
)

func main() {
	view.Begin() // a view's processes are this program
	os.Exit(realMain(os.Args[1:]))
}

// realMain is the program on the process's own streams and signals.
func realMain(words []string) int {
	i := newInterrupts(os.Stderr)
	p := &program{streams: streams{os.Stdin, os.Stdout, os.Stderr}, abort: i.abort, signals: i}
	return p.execute(i.stop, words)
}

// streams are the three standard streams of a run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// execute is the program: words are the command line without the program's name. It gives the exit code.
func (p *program) execute(ctx context.Context, words []string) int {
	p.words = words
	p.help = len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return w == "--help" || w == "-h" || w == "help" })
	app := newApp(p)
	words, err := arrange(app, words)
	defer p.leave()
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, words...))
	}
	return p.finish(err)
}

// program is what the commands share: the streams, and the exit code that the command chose.
type program struct {
	streams
	words []string // the command line, without the program's name
	code  int
	// help says that the command line asks for help.
	help bool
	// abort ends the commands of running states.
	abort context.Context
	// signals are taken from when a session begins, if not nil.
	signals *interrupts
	// inside is the rehearsal that this program runs in; nil where it runs in none.
	inside *view.Inside
	// runner runs the users' commands of a preview; nil until there is one.
	runner *view.Runner
	// show prints diagnostics as the options ask; nil until they are known.
	show func(l *diag.List)
}

// finish reports what ended the command and gives the exit code.
func (p *program) finish(err error) int {
	var usage *usageError
	var exit cli.ExitCoder
	switch {
	case p.signals != nil && p.signals.stopped():
		return exitInput // which was told
	case err == nil:
		return p.code
	case errors.As(err, &exit): // the library's own: help of an unknown command
		fmt.Fprintf(p.err, "error: %v\nhint: gostate --help lists the commands\n", err)
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintln(p.err, "error: "+usage.msg)
		return exitUsage
	}
	var l diag.List
	l.AddErr(err)
	l.Sort()
	p.diagnose(&l)
	return exitInput
}

// leave ends what the command started.
func (p *program) leave() {
	if p.runner != nil {
		p.runner.Close()
	}
}

// begin says that from now on the machine may be touched: a signal lets what runs finish.
func (p *program) begin() error {
	if p.signals != nil && !p.signals.begin() {
		return errors.New("stopped before anything was touched")
	}
	return nil
}
