package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// An executor is one run. All its fields belong to the goroutine of Run; states that run beside it get a task and hand
// their result back through a channel.
type executor struct {
	ctx     context.Context
	cfg     Config
	plan    *requisite.Plan
	report  *Report
	results []*state.Result // by Low.Index, nil until finished
	begun   []bool          // by Low.Index: issued, or taken out of order
	pre     []*forecast     // by Low.Index: what a prereq's target would do
	sets    []summary       // by number of the set
	slots   int             // results promised so far, in run order
	done    int             // results that there are
	waits   []reliance      // by Low.Index: what it relies on that is not there
	aside   *host.Overlay   // see aside
	pool    *pool
	agg     *aggregation
	owing   *ledger
	total   int
	started time.Time
	final   bool // no more results come but listeners'

	lookedMu sync.Mutex // guards calls of Config.Looked
	// eventsOf and rootsOf are what firstOf keeps of sets.
	eventsOf, rootsOf map[int32][]*state.Low
}

func newExecutor(ctx context.Context, cfg Config) *executor {
	n := len(cfg.Plan.Low)
	x := &executor{
		ctx: ctx, cfg: cfg, plan: cfg.Plan, report: &Report{Preview: cfg.Preview}, total: wanted(cfg),
		results: make([]*state.Result, n), begun: make([]bool, n), pre: make([]*forecast, n),
		sets: make([]summary, len(cfg.Plan.Sets)), waits: make([]reliance, n), agg: newAggregation(cfg),
		owing: newLedger(cfg), aside: aside(cfg), eventsOf: map[int32][]*state.Low{}, rootsOf: map[int32][]*state.Low{},
	}
	limit := room(cfg)
	x.pool = &pool{limit: limit, events: make(chan *task, limit), look: x.lookAhead,
		quit: func() bool { return ctx.Err() != nil },
		call: func(t *task) { t.result = x.call(t) }, begin: x.begin, doing: x.doing}
	return x
}

// room is how many states may be under way at once: with one job, those that are `parallel: true` beside another.
func room(cfg Config) int {
	const most = 64
	n := cfg.Jobs
	if n > 1 || cfg.Preview {
		return n
	}
	for _, l := range cfg.Plan.Low {
		if l.Opts().Parallel && n < most {
			n++
		}
	}
	return n
}

// begin tells of a state that starts.
func (x *executor) begin(t *task) { x.cfg.Events(Event{Low: t.low, Done: x.done, Total: x.total}) }

// doing tells of a state that is carried out.
func (x *executor) doing(t *task) {
	x.cfg.Events(Event{Low: t.low, Doing: true, Done: x.done, Total: x.total})
}

// walk takes the steps of the plan.
func (x *executor) walk() {
	steps := x.plan.Steps()
	for !x.stopped() {
		step, ok := steps.Next()
		if !ok {
			break
		}
		low := x.plan.Low[step.State]
		x.awaitTargets(low)
		switch {
		case x.leaves(low):
			x.leave(low)
			steps.Finish(step.State)
		case x.offSchedule(low) != "":
			x.skip(low, x.offSchedule(low))
			steps.Finish(step.State)
		case step.Stuck:
			x.finish(x.slot(), x.recursive(low))
		case step.Early:
			if x.early(low) {
				steps.Finish(step.State)
			}
		case !step.Preview:
			x.take(low)
		case x.forecast(low, step.Fresh):
			steps.Finish(step.State)
		}
	}
	x.drain()
	x.closeUp()
}

// closeUp takes out the places of states that never began, of an interrupted run.
func (x *executor) closeUp() {
	x.report.Results = slices.DeleteFunc(x.report.Results, func(r *state.Result) bool { return r == nil })
	for i, r := range x.report.Results {
		r.RunNum = i
	}
	x.slots = len(x.report.Results)
}

// take runs one state whose turn it is, or starts it beside others.
func (x *executor) take(low *state.Low) {
	if x.stopped() || x.begun[low.Index] {
		return
	}
	x.begun[low.Index] = true
	v := x.gate(low, true)
	if r := x.held(low, v); r != nil {
		x.hold(low, v, r)
		return
	}
	x.start(x.newTask(low, v))
}

// recursive fails a state that waits for itself: that is found before the run, unless a preview ended otherwise than
// was to be expected.
func (x *executor) recursive(low *state.Low) *state.Result {
	x.begun[low.Index] = true
	return &state.Result{Low: low, ID: low.ID, Func: low.Func, Ran: true, Start: x.cfg.Now(), Outcome: state.Failed,
		How:     state.RequireFail,
		Comment: "Recursive requisite found"}
}

func (x *executor) newTask(low *state.Low, v verdict) *task {
	t := &task{low: low, missed: v.missed, fn: x.cfg.Bound[low.Index], fired: v.fired, watch: v.status == changed,
		watched: v.watched, subscribed: v.subscribed, events: v.events, calls: v.calls}
	rely := x.relies(low)
	if t.waits, t.held = rely.promised, rely.held; t.waits == nil && x.noop(low) {
		t.waits = rely.held
	}
	if v.status == met && reacts(t.fn) {
		if watches, subscribes := x.reactsTo(low); watches || subscribes {
			t.owed, t.rests = x.owing.owed(low, state.Watch)
			t.watch, t.watched, t.subscribed = t.owed != nil, watches, subscribes
		}
	}
	return t
}

// reactsTo says whether the state watches and whether it subscribes to something.
func (x *executor) reactsTo(low *state.Low) (watches, subscribes bool) {
	for i := range x.plan.Groups[low.Index] {
		g := &x.plan.Groups[low.Index][i]
		switch state.KindOf(g.Kind, g.Mode).Reaction {
		case state.ReactWatch:
			watches = true
		case state.ReactSubscribe:
			subscribes = true
		}
	}
	return watches, subscribes
}

// start takes a task into the pool once there is room, and waits for it where nothing may start before it is known how
// it ended.
func (x *executor) start(t *task) {
	t.failhard = x.failhard(t.low)
	x.aggregate(t)
	t.alone = x.alone(t)
	for x.pool.full() {
		x.await()
	}
	t.slot = x.slot()
	x.pool.add(t)
	switch {
	case x.pool.limit == 1 || t.failhard || reloads(t.low):
		x.drain()
	case x.cfg.Jobs == 1 && !t.low.Opts().Parallel:
		for slices.Contains(x.pool.tasks, t) {
			x.await()
		}
	}
}

func (x *executor) drain() {
	for x.pool.busy() {
		x.await()
	}
}

// await waits for the pool to get on, and takes the results of what is gone.
func (x *executor) await() {
	for _, t := range x.pool.next() {
		if t.result == nil { // the run was interrupted before it began
			x.begun[t.low.Index] = false
			continue
		}
		x.complete(t)
	}
	x.pool.advance()
}

// lookAhead is the pool's look at a state: at its first try.
func (x *executor) lookAhead(t *task) {
	over := x.overlay(t)
	over.Track()
	t.seen = x.look(t, t.fn, false, over)
	if t.foot = over.Footprint(); x.cfg.Looked != nil {
		t.seen.over, t.seen.foot = over, t.foot
	}
}

// complete takes the result of a call. Salt differs: it reloads grains and pillar after states that changed nothing,
// too.
func (x *executor) complete(t *task) {
	x.finish(t.slot, t.result)
	if reloads(t.low) && !t.result.Noop && didChange(t.result, x.cfg.Preview) &&
		(t.low.Module == "grains" || t.result.Outcome == state.Succeeded && !x.cfg.Preview) {
		x.cfg.Reload(t.low)
	}
}

// slot promises the next place in the run order.
func (x *executor) slot() int {
	x.report.Results = append(x.report.Results, nil)
	x.slots++
	return x.slots - 1
}

// finish puts a result in its place.
func (x *executor) finish(slot int, r *state.Result) {
	r.RunNum = slot
	x.report.Results[slot] = r
	x.done++
	x.owing.settle(r)
	x.noteRan(r)
	if r.How != state.Listened {
		x.results[r.Low.Index] = r
	}
	if r.Outcome == state.Failed && x.failhard(r.Low) && x.report.Stopped == nil {
		x.report.Stopped = r
	}
	x.cfg.Events(Event{Low: r.Low, Result: r, Done: x.done, Total: x.total})
}

// failhard says whether a failure of the state stops the run. A preview stops nothing, of a run or of one state.
func (x *executor) failhard(low *state.Low) bool {
	switch {
	case x.looks(low):
		return false
	case low.Opts().Failhard != nil && *low.Opts().Failhard:
		return true
	}
	// As in Salt, a state's own `failhard: False` does not lift the configuration's.
	return x.cfg.Failhard
}

func (x *executor) stopped() bool {
	if x.ctx.Err() != nil {
		x.report.Interrupted = true
	}
	return x.report.Interrupted || x.report.Stopped != nil
}

// held gives the result of a state that its requisites keep from running, nil when it may run.
func (x *executor) held(low *state.Low, v verdict) *state.Result {
	if v.status == met || v.status == changed {
		return nil
	}
	r := &state.Result{Low: low, ID: low.ID, Func: low.Func, Ran: true, Start: x.cfg.Now()}
	switch v.status {
	case failed:
		r.Outcome, r.How, r.Cause = state.Failed, state.RequireFail, v.cause
		r.Comment = v.comment()
		if f := x.pre[low.Index]; f != nil && !f.held && len(v.lost) == 0 {
			// As in Salt, a state that has been previewed for a prereq shows that preview, without its changes.
			r.Outcome, r.Comment = f.outcome, f.comment
		}
	case notNeeded:
		r.How, r.Comment = state.PrereqOff, "No changes detected"
	case onfailOff:
		r.How, r.Ran, r.Comment = state.OnfailOff, false, "State was not run because onfail req did not change"
	case onchangesOff:
		r.How, r.Ran, r.Comment = state.OnchangesOff, false, "State was not run because none of the onchanges reqs changed"
		if v.rests != nil {
			r.Comment += "\n" + v.rests.rest()
		}
		if v.calls != nil {
			r.Comment = line(r.Comment, notCalled(v.calls))
		}
	}
	return r
}

func (x *executor) notRun() []*state.Low {
	var out []*state.Low
	for _, low := range x.plan.Order {
		if x.results[low.Index] == nil {
			out = append(out, low)
		}
	}
	return out
}

// handled finds the failures that onfail handlers made good.
func (x *executor) handled() map[*state.Result]bool {
	const none, good, bad = 0, 1, 2
	seen := make([]uint8, len(x.results))
	sets := make([]uint8, len(x.plan.Sets))
	for _, low := range x.plan.Low {
		r := x.results[low.Index]
		if r != nil && (r.How == state.OnfailOff || r.How == state.Left) || !low.Opts().Handles {
			continue // it handled nothing
		}
		ok := r != nil && r.Outcome != state.Failed
		for _, g := range x.plan.Groups[low.Index] {
			if g.Kind != state.Onfail {
				continue
			}
			for _, t := range g.Targets {
				if t.Set == requisite.NotFound {
					continue
				}
				if sets[t.Set] = max(sets[t.Set], good); !ok {
					sets[t.Set] = bad
				}
			}
		}
	}
	for s, mark := range sets {
		if mark == none {
			continue
		}
		for _, i := range x.plan.Sets[s] {
			seen[i] = max(seen[i], mark)
		}
	}
	var out map[*state.Result]bool
	for i, r := range x.results {
		if r != nil && r.Outcome == state.Failed && seen[i] == good {
			if out == nil {
				out = map[*state.Result]bool{}
			}
			out[r] = true
		}
	}
	return out
}

// A task is one call of a state function.
type task struct {
	low      *state.Low
	fn       modules.StateFunc
	fired    []*state.Low // what it watches that changed
	watch    bool         // a watch fired: mod_watch if the state makes no change itself
	owed     *Debt        // the watch fired in an earlier run
	rests    *Debt        // likewise, and failed too lately to be tried
	missed   *Debt        // what it runs on changed in an earlier run
	also     []*state.Low // what is done along with it
	listener bool
	// watched and subscribed say which kinds of requisites fired, events the states that a subscribe fired for.
	watched, subscribed bool
	events              []*state.Low
	refused             bool // by Config.Looked
	foreseen            bool // it is asked what it would do, ahead of its turn
	failhard            bool
	waits               *state.Low // what it requires and is only promised, nil for nothing
	held                *state.Low // what it requires and is noop, nil for nothing
	calls               *state.Low // what would trigger it and is noop, nil for nothing
	slot                int
	result              *state.Result

	// The pool's: where it stands, whether it is done beside no other, what its look gave, and what was done meanwhile.
	phase  phase
	alone  bool
	seen   *outlook
	foot   *host.Footprint
	passed []*task
}
