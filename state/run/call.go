package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// call runs a state function with all that surrounds it: conditions, retry, check_cmd, and mod_watch where a watch
// fired and the state itself made no change. It may run in any goroutine: it only reads the executor.
func (x *executor) call(t *task) *state.Result {
	r := x.called(t)
	x.settleNoop(t, r)
	return r
}

func (x *executor) called(t *task) *state.Result {
	r := x.retry(t, func() *state.Result { return x.attempt(t, t.fn, false) })
	if t.rests != nil {
		r.Comment += "\n" + t.rests.rest()
	}
	if t.missed != nil && r.How == state.Called {
		r.Comment += "\n" + t.missed.comment()
	}
	if !t.watch || t.refused {
		return r
	}
	return x.refresh(t, r)
}

// An outlook is what a state would do, asked of an overlay. Its result is the state's where there is nothing to do.
type outlook struct {
	result *state.Result
	effect state.Effect
	env    *modules.Env
	over   *host.Overlay // with foot, nil where nobody wants to know
	foot   *host.Footprint
}

// todo says whether there is something to do on the machine. What is done rather than kept is done in every run, and
// where it is known to fail, too, if it does something before that.
func (o *outlook) todo() bool {
	switch o.result.Outcome {
	case state.Pending:
		return true
	case state.Succeeded:
		return o.effect.Once
	}
	return o.effect.Once && o.effect.Alters()
}

// attempt is one try of a function: a look, then the deed. In a preview there is only the look.
func (x *executor) attempt(t *task, fn modules.StateFunc, watched bool) *state.Result {
	o := t.seen
	if t.seen = nil; o == nil || watched {
		o = x.lookTracked(t, fn, watched)
	}
	if err := x.looked(t, o, watched); err != nil {
		fail(o.result, err)
		o.result.Changes, t.refused = nil, true
		return o.result
	}
	if x.looks(t.low) {
		return o.result
	}
	x.guard(t, o.result, func() {
		if o.todo() {
			x.apply(t, fn, o)
		}
		x.checkCmd(fn, o.env, o.result)
	})
	return o.result
}

// lookTracked is a look of which it is noted what is read and written, where somebody wants to know.
func (x *executor) lookTracked(t *task, fn modules.StateFunc, watched bool) *outlook {
	over := x.overlay(t)
	if x.cfg.Looked == nil {
		return x.look(t, fn, watched, over)
	}
	over.Track()
	o := x.look(t, fn, watched, over)
	o.over, o.foot = over, over.Footprint()
	return o
}

// looked tells of a look. Its error refuses what the state would do.
func (x *executor) looked(t *task, o *outlook, watched bool) error {
	if x.cfg.Looked == nil {
		return nil
	}
	x.lookedMu.Lock()
	defer x.lookedMu.Unlock()
	return x.cfg.Looked(&Look{Low: t.low, Watched: watched && !t.listener, Listened: t.listener,
		Todo: o.todo() && !x.noop(t.low), Result: o.result, Over: o.over, Foot: o.foot})
}

// guard times what is done for a result, and makes a panic its failure.
func (x *executor) guard(t *task, r *state.Result, do func()) {
	begin := x.cfg.Now()
	defer func() {
		if p := recover(); p != nil {
			r.Outcome, r.Comment = state.Failed, fmt.Sprintf("%s panicked: %v", t.low.Fun(), p)
			if x.cfg.Debug {
				r.Comment += "\n" + string(debug.Stack())
			}
		}
		r.Duration += x.cfg.Now().Sub(begin)
	}()
	do()
}

// overlay is what a state is tried on: in a preview the run's overlay, and for noop states theirs, where what follows
// sees what it left; else one that is thrown away.
func (x *executor) overlay(t *task) *host.Overlay {
	base := x.base(t.low)
	over, ok := base.(*host.Overlay)
	if !x.looks(t.low) || !ok {
		over = host.Forecast(base)
	}
	over.Acting(acting(t.low))
	over.Doubt() // what was asked before is not this state's
	return over
}

// acting is how a state is called that others wait for: "cmd.run make".
func acting(low *state.Low) string { return low.Fun() + " " + low.ID }

// look asks a state's conditions and lets it act on an overlay.
func (x *executor) look(t *task, fn modules.StateFunc, watched bool, over *host.Overlay) *outlook {
	r := &state.Result{Low: t.low, ID: t.low.ID, Func: t.low.Func, Ran: true, Start: x.cfg.Now()}
	o := &outlook{result: r, env: x.env(t, watched)}
	x.guard(t, r, func() {
		env := o.env
		switch odd := t.low.Odd(); {
		case odd != "":
			r.Outcome, r.Comment = state.Failed, odd
		case fn == nil: // let through only by Salt's lenient way
			r.Outcome, r.Comment = state.Failed, "State '"+t.low.Fun()+"' was not found"
		case watched || x.conditions(t, env, over, r):
			o.effect = x.foretell(t, fn, env, over, r)
		case r.Outcome == state.Pending:
			x.leaveOpen(t, fn, env, over)
		}
	})
	return o
}

func (x *executor) env(t *task, watched bool) *modules.Env {
	env := x.cfg.Env(t.low)
	if env == nil {
		env = &modules.Env{}
	}
	if env.Low == nil {
		env.Low = t.low
	}
	if env.Progress == nil {
		env.Progress = func(string) {}
	}
	if env.States == nil {
		env.States = func(ref state.Ref) []*state.Low { return x.named(t.low, ref) }
	}
	if watched {
		env.Fired = t.fired
	}
	env.Told = x.looks(t.low) || t.foreseen
	env.Kept = modules.NewCache()
	return env
}

// named are the states that a requisite of the state names.
func (x *executor) named(low *state.Low, ref state.Ref) []*state.Low {
	var out []*state.Low
	for _, g := range x.plan.Groups[low.Index] {
		if g.Mode == state.Automatic {
			continue
		}
		for _, t := range g.Targets {
			if t.Req.To != ref || t.Set == requisite.NotFound {
				continue
			}
			for _, i := range x.plan.Sets[t.Set] {
				out = append(out, x.plan.Low[i])
			}
		}
	}
	return out
}

// foretell lets a state act on an overlay and says what becomes of it there. It is pending when it changes something,
// or when that cannot be told.
func (x *executor) foretell(t *task, fn modules.StateFunc, env *modules.Env, over *host.Overlay,
	r *state.Result) state.Effect {
	e, err := fn.Act(x.cfg.Abort, env.On(over), masked(t.low, over))
	r.Comment, r.Warnings, r.Changes = said(e), e.Warnings, e.Changes
	if e.Foretold != nil {
		r.Changes = e.Foretold
	}
	switch by := inDoubt(t, over, err); {
	case by != "":
		r.Outcome, r.Comment, r.Doubt = state.Pending, cannotTell(by, err), by
		x.leaveOpen(t, nil, env, over)
	case err != nil:
		fail(r, err)
		r.Properties = state.Unkept(err)
		if !e.Once { // it is not tried
			r.Changes = nil
		}
	case e.Alters():
		r.Outcome = state.Pending
		r.Sample = x.sample(over, e)
	default:
		r.Changes = nil
	}
	return e
}

// maxSample is how much of a new file a preview keeps.
const maxSample = 16 << 10

// sample are the first lines of a file that a state would make, "" where they were not asked for or are no text.
func (x *executor) sample(over *host.Overlay, e state.Effect) string {
	if !x.cfg.Samples || !x.cfg.Preview || e.New == "" {
		return ""
	}
	r, err := over.Open(e.New)
	if err != nil {
		return ""
	}
	defer r.Close()
	raw, err := io.ReadAll(io.LimitReader(r, maxSample+1))
	if err != nil || bytes.IndexByte(raw, 0) >= 0 {
		return ""
	}
	if len(raw) > maxSample {
		raw = raw[:bytes.LastIndexByte(raw[:maxSample], '\n')+1]
		raw = append(raw, "..."...)
	}
	return string(raw)
}

// masked is a host with the mask of modes that a state asks for.
func masked(low *state.Low, h host.Host) host.Host {
	if mask, given, err := low.Mask(); given && err == nil {
		return host.Masked(h, mask)
	}
	return h
}

// said is what an effect says of itself before it is had.
func said(e state.Effect) string {
	if e.Preview != "" {
		return e.Preview
	}
	return e.Comment
}

// inDoubt gives the state that has to be applied before it is known what becomes of another: one that settles what the
// other asked for or, where it fails, one that it requires, or the loose one, which may have changed anything, or
// brought what is missing. "" when there is no doubt.
func inDoubt(t *task, over *host.Overlay, err error) string {
	u := over.Doubt()
	switch {
	case errors.As(err, &u), u != nil:
		return u.By
	case err == nil:
		return ""
	case t.waits != nil && !host.IsSure(err):
		return acting(t.waits)
	}
	return over.Loose(err)
}

// leaveOpen notes in a preview that nobody knows what a state does: what it is named for, and what fn would write,
// cannot be told.
func (x *executor) leaveOpen(t *task, fn modules.StateFunc, env *modules.Env, over *host.Overlay) {
	if !x.looks(t.low) {
		return
	}
	wrote := []host.Entry{{Path: t.low.Name}}
	if fn != nil {
		aside := host.Forecast(over)
		_, _ = fn.Act(x.cfg.Abort, env.On(aside), masked(t.low, aside))
		wrote = append(wrote, aside.Journal()...)
	}
	for _, w := range wrote {
		if !path.IsAbs(w.Path) {
			continue
		}
		if i, err := over.Lstat(w.Path); err != nil || !i.IsDir() {
			over.Promise(host.Fact{Kind: host.FactPath, Name: w.Path, Value: "unknown"})
		}
	}
	over.Doubt()
}

func cannotTell(by string, err error) string {
	if err == nil || host.IsUnknown(err) {
		return fmt.Sprintf("cannot tell until %s is applied", by)
	}
	return fmt.Sprintf("cannot tell until %s is applied: %v", by, err)
}

// apply does what the outlook says, then looks again.
func (x *executor) apply(t *task, fn modules.StateFunc, o *outlook) {
	ctx, env, r := x.cfg.Abort, o.env, o.result
	if o.effect.Alters() && !t.listener {
		x.owing.owe(append(t.also, t.low)...)
	}
	if x.cfg.Output != nil {
		ctx = host.WithOutput(ctx, func(line string) { x.cfg.Output(t.low, line) })
	}
	e, err := fn.Act(ctx, env, masked(t.low, x.cfg.Host))
	altered := e.Changes != nil && e.Changes.Len() > 0
	if altered && !o.effect.Alters() && !t.listener {
		x.owing.owe(t.low)
	}
	if ctx.Err() == nil { // of what was aborted nobody knows what it did
		x.owing.applied(t.low, altered)
		for _, low := range t.also {
			x.owing.applied(low, false) // its own result will tell
		}
	}
	r.Outcome, r.Changes, r.Warnings, r.Comment = state.Succeeded, e.Changes, e.Warnings, e.Comment
	r.Properties = e.Properties
	switch {
	case err != nil: // what the effect says of itself holds only where nothing failed
		fail(r, err)
		r.Properties = append(r.Properties, state.Unkept(err)...)
	case !e.Once:
		x.verify(t, fn, env, r)
	}
}

// verify fails what is not as it was to be after it was applied.
func (x *executor) verify(t *task, fn modules.StateFunc, env *modules.Env, r *state.Result) {
	again := &state.Result{}
	e := x.foretell(t, fn, env, x.overlay(t), again)
	switch again.Outcome {
	case state.Failed:
		fail(r, fmt.Errorf("%s\ncannot check what was done: %s", r.Comment, again.Comment))
	case state.Pending:
		fail(r, fmt.Errorf("did not converge: %s", still(e)))
	}
}

// still names what differs after it was applied.
// Salt differs: a state that still wants changes has succeeded there.
func still(e state.Effect) string {
	var keys []string
	if e.Changes != nil {
		for k := range e.Changes.All() {
			keys = append(keys, value.String(k))
		}
	}
	switch {
	case len(keys) > 0:
		return "after it was applied it still differs in " + strings.Join(keys, ", ")
	case said(e) != "":
		return "after it was applied it still says: " + said(e)
	}
	return "after it was applied it still wants changes"
}

// retry tries until the result is what the state wants, as often as it may.
func (x *executor) retry(t *task, attempt func() *state.Result) *state.Result {
	r, o := attempt(), t.low.Opts().Retry
	if o == nil {
		return r
	}
	if x.looks(t.low) {
		if r.Outcome == state.Pending {
			r.Comment = fmt.Sprintf("%s  The state would be retried every %s seconds (with a splay of up to %s seconds) a "+
				"maximum of %d times or until a result of %s is returned",
				r.Comment, seconds(o.Interval), seconds(o.Splay), o.Attempts, pyBool(o.Until))
		}
		return r
	}
	var said strings.Builder
	start, spent := r.Start, r.Duration
	for n := 1; n < o.Attempts && (r.Outcome == state.Succeeded) != o.Until && x.ctx.Err() == nil && !t.refused; n++ {
		fmt.Fprintf(&said, "Attempt %d: Returned a result of \"%s\", with the following comment: \"%s\"\n", n,
			outcomeText(r.Outcome), r.Comment)
		wait := o.Interval
		if o.Splay > 0 {
			wait += x.cfg.Splay(o.Splay)
		}
		x.cfg.Sleep(x.ctx, wait)
		r = attempt()
		spent += wait + r.Duration
	}
	r.Comment, r.Start, r.Duration = said.String()+r.Comment, start, spent
	return r
}

func seconds(d time.Duration) string { return fmt.Sprintf("%g", d.Seconds()) }

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func outcomeText(o state.Outcome) string {
	return [...]string{"True", "False", "None"}[o]
}

// foresee says what a state would do if its turn were now.
func (x *executor) foresee(t *task) *forecast {
	t.foreseen = true
	defer func() { t.foreseen = false }()
	try := func(fn modules.StateFunc, watched bool) *state.Result {
		over := host.Forecast(x.base(t.low))
		over.Acting(acting(t.low))
		return x.look(t, fn, watched, over).result
	}
	r := try(t.fn, false)
	if w, ok := t.fn.(modules.Watcher); ok && t.watch && r.How != state.Conditional && r.Outcome != state.Pending {
		r = try(w.ModWatch(), true)
	}
	return &forecast{outcome: r.Outcome, comment: r.Comment}
}

func fail(r *state.Result, err error) { r.Outcome, r.Comment = state.Failed, err.Error() }
