// Command gostate brings a machine to the state that a tree of SLS files describes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
	"github.com/gostate/gostate/state/report"
)

// The exit codes. With --detailed-exitcodes the report's own take the place of exitOK and exitFailed.
const (
	exitOK     = 0                          // all well
	exitInput  = 1                          // the input is wrong and nothing was touched
	exitFailed = 2                          // at least one state failed
	exitUsage  = 64                         // the command line is wrong
	exitPipe   = 128 + int(syscall.SIGPIPE) // who reads the output of a command that looks has gone away
)

func main() {
	host.Begin() // so are the keepers of commands
	view.Begin() // a view's processes are this program
	os.Exit(realMain(os.Args))
}

// realMain is the program on the process's own streams and signals; args begin with its name.
func realMain(args []string) int {
	i := newInterrupts(os.Stderr)
	p := &program{signals: i, Process: session.Process{
		In: os.Stdin, Out: report.NewScreen(os.Stdout), Err: report.NewScreen(os.Stderr), Abort: i.abort, Opened: i.listen,
		Begin:   i.start,
		Since:   time.Now(),
		Version: versionText,
	}}
	p.salt = isSaltCall(args[0])
	p.SaltCall = p.salt
	return p.guarded(func() int { return p.exitCode(p.execute(i.stop, args[1:])) })
}

// execute is the program: words are the command line without the program's name. It gives the exit code.
func (p *program) execute(ctx context.Context, words []string) int {
	if hub := hubWords(words); hub != nil && !p.salt {
		return p.finish(handOver(hub))
	}
	words = p.saltOptions(words)
	p.words = words
	p.help = len(words) == 0 || slices.ContainsFunc(words,
		func(w string) bool { return w == "--help" || w == "-h" || w == "help" })
	app := newApp(p)
	words, err := p.arrange(app, words)
	defer p.leave()
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, words...))
	}
	return p.finish(err)
}

// program is what the commands share.
type program struct {
	session.Process
	words []string // the command line, without the program's name
	// help says that the command line asks for help.
	help bool
	// salt says that the command line is salt-call's. fun and args are the function of Salt's that is called and its
	// arguments, "" where none is.
	salt bool
	fun  string
	args []string
	// passthrough is --retcode-passthrough; unknownFunction says that there is no function of the name.
	passthrough, unknownFunction bool
	// file is that of --out-file; nil without.
	file *os.File
	// signals are taken from when a session begins.
	signals *interrupts
}

// finish reports what ended the command and gives the exit code.
func (p *program) finish(err error) int {
	var usage *usageError
	var exit cli.ExitCoder
	var path *fs.PathError
	switch {
	case p.signals.stopped():
		return exitInput // which was told
	case err == nil:
		return p.Code
	case errors.Is(err, syscall.EPIPE) && errors.As(err, &path) && path.Path == os.Stdout.Name():
		return exitPipe
	case errors.As(err, &exit): // the library's own: help of an unknown command
		fmt.Fprintf(p.Err, "error: %v\nhint: gostate --help lists the commands\n", err)
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintln(p.Err, "error: "+usage.msg)
		p.printErrors(&diag.List{All: []*diag.Diagnostic{diag.Errorf(diag.Pos{}, "%s", usage.msg)}})
		return exitUsage
	}
	var l diag.List
	l.AddErr(err)
	l.Sort()
	p.Diagnose(&l)
	p.printErrors(&l)
	return exitInput
}

// leave ends what the command started.
func (p *program) leave() {
	if p.Typed != "" {
		os.Remove(p.Typed)
	}
	if p.file != nil {
		p.file.Close()
	}
	p.Close()
}
