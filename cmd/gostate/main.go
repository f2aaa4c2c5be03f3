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
	i := newInterrupts()
	p := &program{streams: streams{os.Stdin, os.Stdout, os.Stderr}, abort: i.abort, listen: i.listen}
	os.Exit(p.execute(i.stop, os.Args[1:]))
}

// interrupts are two contexts: SIGINT or SIGTERM ends stop, which lets the running state finish and starts no other; a
// second signal ends abort, which ends the running state's commands, too.
type interrupts struct {
	stop, abort       context.Context
	stopNow, abortNow context.CancelCauseFunc
}

func newInterrupts() *interrupts {
	var i interrupts
	i.stop, i.stopNow = context.WithCancelCause(context.Background())
	i.abort, i.abortNow = context.WithCancelCause(context.Background())
	return &i
}

// listen starts to take signals; until then they end the process at once. It costs a thread, which commands that touch
// nothing do without.
func (i *interrupts) listen() {
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		i.stopNow(fmt.Errorf("stopped by signal: %v", <-ch))
		i.abortNow(fmt.Errorf("aborted by signal: %v", <-ch))
	}()
}

// streams are the three standard streams of a run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// execute is the program: words are the command line without the program's name. It gives the exit code.
func (p *program) execute(ctx context.Context, words []string) int {
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
	// listen starts to take signals, if not nil.
	listen func()
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
