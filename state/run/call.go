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

// act checks, and does what the check asks for.
func (x *executor) act(t *task, fn modules.StateFunc, env *modules.Env, r *state.Result) {
	ctx := x.cfg.Abort
	f, err := fn.Check(ctx, env, x.cfg.Host)
	r.Comment, r.Warnings = f.Comment, f.Warnings
	switch {
	case err != nil && x.cfg.Preview && t.waits != nil:
		r.Outcome = state.Pending
		r.Comment = cannotTell(t.waits, err)
	case err != nil:
		fail(r, err)
	case !f.Pending && (x.cfg.Preview || !unforeseen(fn)):
	case x.cfg.Preview:
		x.promise(ctx, t, fn, env, f, r)
	default:
		x.apply(ctx, t, fn, env, f, r)
	}
}

func cannotTell(waits *state.Low, err error) string {
	return fmt.Sprintf("cannot tell until %s %s is applied: %v", waits.Fun(), waits.ID, err)
}

func unforeseen(fn modules.StateFunc) bool { _, is := fn.(modules.Unforeseen); return is }

// promise does what a preview does of a pending state: what touches only files goes to the overlay, of the rest the
// effects are noted.
func (x *executor) promise(ctx context.Context, t *task, fn modules.StateFunc, env *modules.Env, f state.Forecast, r *state.Result) {
	r.Outcome, r.Changes = state.Pending, f.Changes
	if _, ok := fn.(modules.FileEffect); ok {
		a, err := fn.Apply(ctx, env, x.cfg.Host, f)
		r.Warnings = append(r.Warnings, a.Warnings...)
		if !r.Changed() {
			r.Changes = a.Changes
		}
		switch {
		case err != nil && t.waits != nil:
			r.Comment = cannotTell(t.waits, err)
		case err != nil:
			fail(r, err)
		}
	}
	x.cfg.Host.Promise(f.Effects...)
}

func (x *executor) apply(ctx context.Context, t *task, fn modules.StateFunc, env *modules.Env, f state.Forecast, r *state.Result) {
	if f.Pending && !t.listener {
		x.owing.owe(append(t.also, t.low)...)
	}
	a, err := fn.Apply(ctx, env, x.cfg.Host, f)
	altered := a.Changes != nil && a.Changes.Len() > 0
	if altered && !f.Pending && !t.listener {
		x.owing.owe(t.low)
	}
	if ctx.Err() == nil { // of what was aborted nobody knows what it did
		x.owing.applied(t.low, altered)
		for _, low := range t.also {
			x.owing.applied(low, false) // its own result will tell
		}
	}
	r.Changes = a.Changes
	r.Warnings = append(r.Warnings, a.Warnings...)
	if a.Comment != "" {
		r.Comment = a.Comment
	}
	if err != nil {
		if a.Comment != "" && a.Comment != err.Error() {
			err = fmt.Errorf("%s\n%w", a.Comment, err)
		}
		fail(r, err)
		return
	}
	if f.Action {
		return
	}
	again, err := fn.Check(ctx, env, x.cfg.Host)
	switch {
	case err != nil:
		fail(r, fmt.Errorf("%s\ncannot check what was done: %w", r.Comment, err))
	case again.Pending:
		fail(r, fmt.Errorf("did not converge: %s", still(again)))
	}
}

// still names what differs after Apply.
func still(f state.Forecast) string {
	var keys []string
	if f.Changes != nil {
		for k := range f.Changes.All() {
			keys = append(keys, value.String(k))
		}
	}
	switch {
	case len(keys) > 0:
		return "after it was applied it still differs in " + strings.Join(keys, ", ")
	case f.Comment != "":
		return "after it was applied it still says: " + f.Comment
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
	f, err := t.fn.Check(x.cfg.Abort, env, x.cfg.Host)
	if t.watch && (err != nil || !f.Pending) {
		if w, ok := t.fn.(modules.Watcher); ok {
			f, err = w.ModWatch().Check(x.cfg.Abort, x.env(t, true), x.cfg.Host)
		}
	}
	switch {
	case err != nil && (!x.cfg.Preview || t.waits == nil):
		return &forecast{outcome: state.Failed, comment: err.Error()}
	case err != nil || f.Pending:
		return &forecast{outcome: state.Pending, comment: f.Comment}
	}
	return &forecast{outcome: state.Succeeded, comment: f.Comment}
}

func fail(r *state.Result, err error) { r.Outcome, r.Comment = state.Failed, err.Error() }
