// Package run is the executor: it walks a requisite.Plan, asks of each state whether its requisites let it run, checks,
// applies, checks again, reacts to watches and listeners, and tells what became of every state.
//
// It promises that results are the same, in the same order, whatever Config.Jobs is; that nothing runs before what it
// requires; that no state runs twice; and that in a preview nothing but the host it was given (an overlay) is written
// to.
// It never prints, never reads SLS files and never decides what a state function does.
package run

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/schedule"
)

// Config is what a run needs. Plan, Bound, Host and Env must be set.
type Config struct {
	Plan *requisite.Plan
	// Bound are the state functions, by state.Low.Index. One that is nil fails its state: the function was not found, and
	// what was asked for is Salt's way, in which the others run.
	Bound []modules.StateFunc
	// Only says, by state.Low.Index, which states the run is about: the others are as if they had found nothing to do. nil
	// is all. What they would react to stays owed.
	Only []bool
	// Schedules are what `schedule` of a state may name; Kept is what is known of states from earlier runs, nil for
	// nothing.
	Schedules map[string]*schedule.Schedule
	Kept      Kept
	// Host is the machine; in a preview it is an overlay.
	Host    host.Host
	Preview bool
	// Noop makes every state noop that does not say otherwise. Aside makes what noop states act on, an overlay of Host;
	// nil takes a plain one. It is not asked where there is no such state.
	Noop  bool
	Aside func() *host.Overlay
	// Env makes what a state function may know of the run, for each try anew, and must be safe for concurrent use.
	Env func(low *state.Low) *modules.Env
	// Exec calls the execution functions of `fun:` conditions; nil has none.
	Exec modules.Exec
	// Jobs is how many states may run at once; below 2 it is one.
	Jobs int
	// Failhard stops the run after the first failure. Aggregate marks every state for aggregation.
	Failhard, Aggregate bool
	// Debug adds the stack of a panic to its result.
	Debug bool
	// Events is told of each state that starts and finishes; calls come one at a time.
	Events func(Event)
	// Output is told, line by line, what the commands of a state print while they run; nil asks for nothing. It may be
	// called from several goroutines.
	Output func(low *state.Low, line string)
	// Looked is told of what each state would do before it does it, calls come one at a time; its error keeps the state
	// from that, and fails it. nil: nobody wants to know, and what states read and write is not noted.
	Looked func(*Look) error
	// Samples has a preview keep the first lines of files that would be new.
	Samples bool
	// Journal keeps what states owe from run to run; nil keeps nothing. Whole says that the plan is all that this machine
	// should be: what is owed by states that are not in it is forgotten.
	Journal Journal
	Whole   bool
	// Outside are, by the tags of states, those who react to them and are not in the plan: see Outside.
	Outside map[string][]Debtor
	// Reload is called after a state with reload_grains, reload_pillar or reload_modules has changed something; no state
	// runs meanwhile. nil does nothing.
	Reload func(low *state.Low)
	// Abort, when it is done, ends the commands of the states that still run. nil: they always finish.
	Abort context.Context
	// Now, Sleep and Splay are the clock and the dice; nil takes the machine's.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration)
	Splay func(limit time.Duration) time.Duration
}

// An Event says that a state starts (Result is nil), is carried out beside others after it was looked at (Doing) or has
// finished. Done counts the finished ones.
type Event struct {
	Low         *state.Low
	Result      *state.Result
	Doing       bool
	Done, Total int
}

// A Look is what a state would do, seen on an overlay.
type Look struct {
	Low *state.Low
	// Watched says that it is the state's reaction to what it watches, Listened to what it listens to.
	Watched, Listened bool
	// Todo says that there is something to do. Result says what.
	Todo   bool
	Result *state.Result
	// Over is the overlay, with what the state and, in a preview, those before it left there; Foot is what this one read
	// and wrote.
	Over *host.Overlay
	Foot *host.Footprint
}

// A Report is what became of a run.
type Report struct {
	// Results are in the order of the run; RunNum counts them from 0.
	Results []*state.Result
	// NotRun are the states that the run was stopped before, in plan order.
	NotRun []*state.Low
	// NotCalled are the listeners that something changed for, and that the run was stopped before.
	NotCalled []*state.Low
	// Handled are the failed results that states with `onfail_stop: false` handle, and these succeeded: they do not make
	// the run fail.
	Handled map[*state.Result]bool
	// Stopped is the state whose failhard ended the run, nil when none did.
	Stopped *state.Result
	// Interrupted says that the context ended the run.
	Interrupted bool
	Preview     bool
	Duration    time.Duration
}

// Run carries out the plan. It returns when every state has a result or the run was stopped: by failhard, or by ctx,
// which lets the states that run finish and starts no other.
func Run(ctx context.Context, cfg Config) *Report {
	cfg.setDefaults()
	begin := cfg.Now()
	x := newExecutor(ctx, cfg)
	x.started = begin
	x.walk()
	x.runListeners()
	if cfg.Whole && !x.report.Interrupted && x.report.Stopped == nil {
		x.owing.forget()
	}
	x.noteHeld()
	x.report.NotRun = x.notRun()
	x.report.Handled = x.handled()
	x.report.Duration = cfg.Now().Sub(begin)
	return x.report
}

func (c *Config) setDefaults() {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Splay == nil {
		c.Splay = func(limit time.Duration) time.Duration { return rand.N(limit + 1) }
	}
	if c.Events == nil {
		c.Events = func(Event) {}
	}
	if c.Reload == nil {
		c.Reload = func(*state.Low) {}
	}
	if c.Abort == nil {
		c.Abort = context.Background()
	}
	if c.Preview || c.Jobs < 1 {
		c.Jobs = 1 // a preview's states see each other's promises, in order
	}
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
