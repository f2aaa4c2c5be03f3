package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/gostate/gostate/state/host"
)

// unwind is how long a stopped program may take to end what it looks at with; then it ends all the same.
const unwind = 500 * time.Millisecond

// interrupts turn SIGINT, SIGTERM and SIGHUP into what a user means by them. Before anything was begun the first one
// ends the program, whatever it waits for. After that the first ends stop, which lets the running states finish and
// starts no other; the second ends abort, which ends the running states' commands, too; the third kills those and ends
// the program at once.
type interrupts struct {
	stop, abort       context.Context
	stopNow, abortNow context.CancelCauseFunc
	kill              context.CancelFunc
	err               io.Writer
	exit              func(code int)

	mu    sync.Mutex // guards begun and ended
	begun bool       // the machine may have been touched
	ended bool       // a signal came before that
}

func newInterrupts(err io.Writer) *interrupts {
	i := &interrupts{err: err, exit: os.Exit}
	i.stop, i.stopNow = context.WithCancelCause(context.Background())
	kill, killNow := context.WithCancel(context.Background())
	i.kill = killNow
	i.abort, i.abortNow = context.WithCancelCause(host.WithKill(context.Background(), kill))
	return i
}

// listen starts to take signals; until then they end the process at once. It costs a thread, which commands that touch
// nothing do without. A signal that whoever started the program told it to ignore stays ignored.
func (i *interrupts) listen() {
	ch := make(chan os.Signal, 3)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(ch, s)
		}
	}
	// Who reads the output may go away in the middle of a run (`gostate highstate 2>&1 | head`). A write then fails, in place
	// of ending the program; commands that it starts have the signal as ever.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go i.obey(ch)
}

func (i *interrupts) obey(ch <-chan os.Signal) {
	first := <-ch
	if i.end() {
		fmt.Fprintf(i.err, "error: stopped before anything was touched: %v\n", first)
		i.stopNow(fmt.Errorf("stopped by signal: %v", first))
		i.abortNow(fmt.Errorf("stopped by signal: %v", first))
		select {
		case <-ch:
		case <-time.After(unwind):
		}
		i.exit(exitInput)
		return
	}
	i.stopNow(fmt.Errorf("stopped by signal: %v", first))
	fmt.Fprintf(i.err, "%v: what runs now is finished, nothing else is started; once more ends its commands\n", first)
	second := <-ch
	i.abortNow(fmt.Errorf("aborted by signal: %v", second))
	fmt.Fprintf(i.err, "%v: the running commands are ended; once more ends gostate at once\n", second)
	third := <-ch
	fmt.Fprintf(i.err, "%v: ended at once; what was running may be half-done, its commands were killed\n", third)
	i.kill()
	time.Sleep(unwind)
	i.exit(exitFailed)
}

// begin says that from now on the machine may be touched. It is false when a signal has come before.
func (i *interrupts) begin() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.ended {
		i.begun = true
	}
	return i.begun
}

// isBegun says whether the machine may have been touched.
func (i *interrupts) isBegun() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.begun
}

// start is begin with its error.
func (i *interrupts) start() error {
	if !i.begin() {
		return errors.New("stopped before anything was touched")
	}
	return nil
}

// end says whether a signal came before anything was begun.
func (i *interrupts) end() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.begun {
		i.ended = true
	}
	return i.ended
}

// stopped says whether the program is at its end because of a signal that came before anything was begun.
func (i *interrupts) stopped() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.ended
}
