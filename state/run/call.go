package run

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// call runs a state function with all that surrounds it: conditions, retry, check_cmd, and mod_watch where a watch fired
// and the state itself made no change. It may run in any goroutine: it only reads the executor.
func (x *executor) call(t *task) *state.Result {
	r := x.retry(t, func() *state.Result { return x.attempt(t, t.fn, false) })
	if !t.watch || r.How == state.Conditional || didChange(r, x.cfg.Preview) {
		return r
	}
	w, ok := t.fn.(modules.Watcher)
	if !ok {
		return r
	}
	// As in Salt, mod_watch's result stands, even where the state itself had failed.
	mod := w.ModWatch()
	again := x.retry(t, func() *state.Result { return x.attempt(t, mod, true) })
	again.How, again.Start = state.Watched, r.Start
	again.Duration += r.Duration
	if t.owed != nil {
		again.Comment += "\n" + t.owed.comment()
	}
	return again
}

// attempt is one try of a function.
func (x *executor) attempt(t *task, fn modules.StateFunc, watched bool) (r *state.Result) {
	r = &state.Result{Low: t.low, ID: t.low.ID, Func: t.low.Func, Ran: true, Start: x.cfg.Now()}
	env := x.env(t, watched)
	defer func() {
		if p := recover(); p != nil {
			r.Outcome, r.Comment = state.Failed, fmt.Sprintf("%s panicked: %v", t.low.Fun(), p)
			if x.cfg.Debug {
				r.Comment += "\n" + string(debug.Stack())
			}
		}
		r.Duration = x.cfg.Now().Sub(r.Start)
	}()
	if odd := t.low.Odd(); odd != "" {
		r.Outcome, r.Comment = state.Failed, odd
		return r
	}
	if fn == nil { // let through only by Salt's lenient way
		r.Outcome, r.Comment = state.Failed, "State '"+t.low.Fun()+"' was not found"
		return r
	}
	if !watched {
		if holds := x.conditions(env, r, t.waits); !holds {
			x.checkCmd(fn, env, r)
			return r
		}
	}
	x.act(t, fn, env, r)
	x.checkCmd(fn, env, r)
	return r
}

func (x *executor) env(t *task, watched bool) *modules.Env {
	env := &modules.Env{}
	if e := x.cfg.Env(t.low); e != nil {
		*env = *e
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
	return env
}

// named are the states that a requisite of the state names.
func (x *executor) named(low *state.Low, ref state.Ref) []*state.Low {
	var out []*state.Low
	for _, g := range x.plan.Groups[low.Index] {
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

// act does what the state asks for: in a preview on the run's overlay, else on the machine, once a forecast says that there is
// something to do; then it looks again.
func (x *executor) act(t *task, fn modules.StateFunc, env *modules.Env, r *state.Result) {
	ctx := x.cfg.Abort
	if x.cfg.Preview {
		x.foretell(ctx, t, fn, env, r)
		return
	}
	f, err := x.look(ctx, t.low, fn, env)
	r.Comment, r.Warnings = f.Comment, f.Warnings
	switch {
	case err != nil:
		fail(r, err)
	case f.Alters(), f.Once: // what is done rather than kept is done in every run
		x.apply(ctx, t, fn, env, f, r)
	}
}

// look gives the forecast of a state function: what it does to an overlay that is thrown away. What cannot be told before it is
// done counts as something to do.
func (x *executor) look(ctx context.Context, low *state.Low, fn modules.StateFunc, env *modules.Env) (state.Effect, error) {
	over := host.Forecast(x.cfg.Host)
	over.Acting(low.Fun() + " " + low.ID)
	e, err := fn.Act(ctx, env.On(over), over)
	if over.Doubt() != nil && !x.cfg.Preview {
		e.Pending, err = true, nil
	}
	return e, err
}

// foretell lets a state act on the preview's overlay, where what follows sees it.
func (x *executor) foretell(ctx context.Context, t *task, fn modules.StateFunc, env *modules.Env, r *state.Result) {
	over, _ := x.cfg.Host.(*host.Overlay)
	if over != nil {
		over.Acting(t.low.Fun() + " " + t.low.ID)
		over.Doubt()
	}
	e, err := fn.Act(ctx, env, x.cfg.Host)
	r.Comment, r.Warnings, r.Changes = e.Comment, e.Warnings, e.Changes
	if e.Preview != "" {
		r.Comment = e.Preview
	}
	if e.Foretold != nil {
		r.Changes = e.Foretold
	}
	switch by := x.inDoubt(over, t.waits, err); {
	case by != "":
		r.Outcome, r.Comment = state.Pending, cannotTell(by, err)
	case err != nil:
		fail(r, err)
	case e.Alters():
		r.Outcome = state.Pending
	default:
		r.Changes = nil
	}
}

// inDoubt gives the state that has to be applied before it is known what becomes of another: one that settles what the other asked
// for or, where it fails, one that it requires, or one that may have changed anything. "" when there is no doubt.
func (x *executor) inDoubt(over *host.Overlay, waits *state.Low, err error) string {
	var u *host.Unknown
	if over != nil {
		u = over.Doubt()
	}
	switch {
	case u != nil:
		return u.By
	case err == nil:
		return ""
	case waits != nil:
		return waits.Fun() + " " + waits.ID
	case over != nil:
		return over.Loose()
	}
	return ""
}

func cannotTell(by string, err error) string {
	if err == nil || host.IsUnknown(err) {
		return fmt.Sprintf("cannot tell until %s is applied", by)
	}
	return fmt.Sprintf("cannot tell until %s is applied: %v", by, err)
}

func (x *executor) apply(ctx context.Context, t *task, fn modules.StateFunc, env *modules.Env, f state.Effect, r *state.Result) {
	if f.Alters() && !t.listener {
		x.owing.owe(append(t.also, t.low)...)
	}
	e, err := fn.Act(ctx, env, x.cfg.Host)
	altered := e.Changes != nil && e.Changes.Len() > 0
	if altered && !f.Alters() && !t.listener {
		x.owing.owe(t.low)
	}
	if ctx.Err() == nil { // of what was aborted nobody knows what it did
		x.owing.applied(t.low, altered)
		for _, low := range t.also {
			x.owing.applied(low, false) // its own result will tell
		}
	}
	r.Changes, r.Warnings = e.Changes, e.Warnings
	if e.Comment != "" {
		r.Comment = e.Comment
	}
	if err != nil {
		if e.Comment != "" && e.Comment != err.Error() {
			err = fmt.Errorf("%s\n%w", e.Comment, err)
		}
		fail(r, err)
		return
	}
	if e.Once {
		return
	}
	again, err := x.look(ctx, t.low, fn, env)
	switch {
	case err != nil:
		fail(r, fmt.Errorf("%s\ncannot check what was done: %w", r.Comment, err))
	case again.Alters():
		fail(r, fmt.Errorf("did not converge: %s", still(again)))
	}
}

// still names what differs after it was applied.
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
	case e.Comment != "":
		return "after it was applied it still says: " + e.Comment
	}
	return "after it was applied it still wants changes"
}

// relies gives, in a preview, the first state that this one requires, however far away, that has not really been applied.
func (x *executor) relies(low *state.Low) *state.Low {
	if !x.cfg.Preview {
		return nil
	}
	for _, g := range x.plan.Groups[low.Index] {
		if g.Kind == state.Onfail || g.Kind == state.Prereq {
			continue
		}
		for _, t := range g.Targets {
			if t.Set == requisite.NotFound {
				continue
			}
			if w := x.setWaits(t.Set); w != nil {
				x.waits[low.Index] = w
				return w
			}
		}
	}
	return nil
}

// setWaits is the first state of the set, or that one of the set relies on, which is pending.
func (x *executor) setWaits(set int32) *state.Low {
	s := &x.sets[set]
	if s.waitsKnown {
		return s.waits
	}
	for _, i := range x.plan.Sets[set] {
		if r := x.results[i]; r != nil && r.Outcome == state.Pending {
			s.waits = r.Low
			break
		}
		if s.waits = x.waits[i]; s.waits != nil {
			break
		}
	}
	s.waitsKnown = s.known
	return s.waits
}

// retry tries until the result is what the state wants, as often as it may.
func (x *executor) retry(t *task, attempt func() *state.Result) *state.Result {
	r, o := attempt(), t.low.Opts.Retry
	if o == nil {
		return r
	}
	if x.cfg.Preview {
		if r.Outcome == state.Pending {
			r.Comment = fmt.Sprintf("%s  The state would be retried every %s seconds (with a splay of up to %s seconds) a maximum of %d times or until a result of %s is returned",
				r.Comment, seconds(o.Interval), seconds(o.Splay), o.Attempts, pyBool(o.Until))
		}
		return r
	}
	var said strings.Builder
	start, spent := r.Start, r.Duration
	for n := 1; n < o.Attempts && (r.Outcome == state.Succeeded) != o.Until && x.ctx.Err() == nil; n++ {
		fmt.Fprintf(&said, "Attempt %d: Returned a result of \"%s\", with the following comment: \"%s\"\n", n, outcomeText(r.Outcome), r.Comment)
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
func (x *executor) foresee(t *task) (out *forecast) {
	defer func() {
		if p := recover(); p != nil {
			out = &forecast{outcome: state.Failed, comment: fmt.Sprintf("%s panicked: %v", t.low.Fun(), p)}
		}
	}()
	if t.fn == nil {
		return &forecast{outcome: state.Failed, comment: "State '" + t.low.Fun() + "' was not found"}
	}
	r := &state.Result{Low: t.low}
	env := x.env(t, false)
	if !x.conditions(env, r, t.waits) {
		return &forecast{outcome: r.Outcome, comment: r.Comment}
	}
	f, err := x.look(x.cfg.Abort, t.low, t.fn, env)
	if t.watch && (err != nil || !f.Alters()) {
		if w, ok := t.fn.(modules.Watcher); ok {
			f, err = x.look(x.cfg.Abort, t.low, w.ModWatch(), x.env(t, true))
		}
	}
	over, _ := x.cfg.Host.(*host.Overlay)
	switch {
	case err != nil && x.inDoubt(over, t.waits, err) == "":
		return &forecast{outcome: state.Failed, comment: err.Error()}
	case err != nil || f.Alters():
		return &forecast{outcome: state.Pending, comment: said(f)}
	}
	return &forecast{outcome: state.Succeeded, comment: f.Comment}
}

// said is what a forecast says of itself.
func said(e state.Effect) string {
	if e.Preview != "" {
		return e.Preview
	}
	return e.Comment
}

func fail(r *state.Result, err error) { r.Outcome, r.Comment = state.Failed, err.Error() }
