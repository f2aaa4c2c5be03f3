// Command gostate brings a machine to the state that a tree of SLS files describes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gostate/gostate/state/diag"
)

// The exit codes. With --detailed-exitcodes the report's own take the place of exitOK and exitFailed.
const (
	exitOK     = 0  // all well
	exitInput  = 1  // the input is wrong and nothing was touched
	exitFailed = 2  // at least one state failed
	exitUsage  = 64 // the command line is wrong
)

func main() {
	ctx, abort := signals()
	os.Exit(execute(ctx, abort, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// signals gives two contexts: SIGINT or SIGTERM ends the first, which lets the running state finish and starts no other; a
// second signal ends the other, which ends the running state's commands, too.
func signals() (stop, abort context.Context) {
	stop, stopNow := context.WithCancelCause(context.Background())
	abort, abortNow := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		stopNow(fmt.Errorf("stopped by signal: %v", <-ch))
		abortNow(fmt.Errorf("aborted by signal: %v", <-ch))
	}()
	return stop, abort
}

// streams are the three standard streams of a run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// execute is the program: words are the command line without the program's name. It gives the exit code.
func execute(ctx, abort context.Context, words []string, s streams) int {
	p := &program{streams: s, abort: abort}
	app := newApp(p)
	words, err := arrange(app, words)
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, words...))
	}
	return p.finish(err)
}

// program is what the commands share: the streams, and the exit code that the command chose.
type program struct {
	streams
	code int
	// abort ends the commands of running states.
	abort context.Context
	// show prints diagnostics as the options ask; nil until they are known.
	show func(l *diag.List)
}

// finish reports what ended the command and gives the exit code.
func (p *program) finish(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return p.code
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
