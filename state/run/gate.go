package run

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// A status is what the requisites of a state make of it.
type status uint8

const (
	met status = iota
	changed
	onchangesOff
	onfailOff
	notNeeded
	failed
)

// A verdict is what the gates of a state say, all kinds together.
type verdict struct {
	status   status
	failures []*state.Result // of requisites, each state once, in the order of the requisites
	cause    *state.Result   // the first failure in the chain that led here
	calls    *state.Low      // the first noop state that would trigger this one
	lost     []requisite.Target
	fired    []*state.Low
	unsaid   []string // why failures of what no requisite names count
	missed   *Debt    // what it runs on changed in an earlier run
	rests    *Debt    // likewise, and it failed too lately to be tried
	// watched and subscribed say which kinds fired; events is what subscribed to fired for, see eventful.
	watched, subscribed bool
	events              []*state.Low
	stage               string // the run stage that failed before that of the state
}

// listed is how many failures a result names: a state that requires ten thousand failed ones says so in a few lines.
// Salt differs: it names them all.
const listed = 20

// A summary is what is known of a set of states once they all have finished.
type summary struct {
	next       int32    // members before it have finished
	waits      reliance // see setRelies
	waitsKnown bool
	known,
	fail, // one failed
	okRan, // one did not fail, and ran
	changed, // one did not fail, and changed
	unchanged, // one did not fail, and did not change
	wasTrue, // one succeeded, skipped ones count
	notTrue, // one did not succeed, and ran
	would, // a noop one would change or be refreshed
	altered, // one changed, whether or not it failed
	refreshed bool // one did not fail, and was refreshed
}

// finished says whether all states of the set have a result. Its cost is spread over the members.
func (x *executor) finished(set int32) bool {
	s, members := &x.sets[set], x.plan.Sets[set]
	for int(s.next) < len(members) && x.results[members[s.next]] != nil {
		s.next++
	}
	return int(s.next) == len(members)
}

// summarize tells of a set; what it says of a finished one is kept.
func (x *executor) summarize(set int32) summary {
	if s := &x.sets[set]; s.known {
		return *s
	}
	whole := x.finished(set)
	sum := summary{next: x.sets[set].next, waits: x.sets[set].waits, waitsKnown: x.sets[set].waitsKnown}
	for _, i := range x.plan.Sets[set] {
		if r := x.results[i]; r != nil {
			sum.add(r, x.cfg.Preview)
		}
	}
	if sum.known = whole || x.final; sum.known {
		x.sets[set] = sum
	}
	return sum
}

func (s *summary) add(r *state.Result, preview bool) {
	ok := r.Outcome == state.Succeeded
	if preview || r.Noop {
		ok = r.Outcome != state.Failed // what would change is foretold to succeed
	}
	changed := didChange(r, preview)
	if r.Noop {
		s.would, changed = s.would || r.Refreshed || didChange(r, true), false
	}
	s.altered = s.altered || changed
	s.wasTrue = s.wasTrue || ok
	s.notTrue = s.notTrue || !ok && r.Ran
	if r.Outcome == state.Failed {
		s.fail = true
		return
	}
	s.okRan = s.okRan || r.Ran
	s.refreshed = s.refreshed || r.Refreshed && !r.Noop
	if changed {
		s.changed = true
	} else {
		s.unchanged = true
	}
}

// didChange says whether a result counts as a change for what reacts to it: a command in a preview has no changes to
// show.
// Salt differs: in test mode it counts what would change as neither changed nor succeeded.
func didChange(r *state.Result, preview bool) bool {
	return r.Changed() || preview && r.Outcome == state.Pending && r.How != state.RequireFail
}

// A group's say is one of these, as bits, since a state has several groups.
type say struct{ fail, changed, onfailOff, onchangesOff, onchangesMet bool }

// gate judges a state by its requisites. full also asks those that have it as their prereq target; a forecast does not.
func (x *executor) gate(low *state.Low, full bool) verdict {
	var all say
	var v verdict
	var prereq prereqSay
	for i := range x.plan.Groups[low.Index] {
		g := &x.plan.Groups[low.Index][i]
		if g.Kind == state.Staged && !full && !x.over(g) {
			continue // a forecast does not wait for earlier stages
		}
		if g.Kind == state.Prereq {
			prereq = x.judgePrereq(low, g, &v)
			all.fail = all.fail || prereq.fail
			continue
		}
		s := x.judge(low, g, &v)
		all.fail = all.fail || s.fail
		all.changed = all.changed || s.changed
		all.onfailOff = all.onfailOff || s.onfailOff
		all.onchangesOff = all.onchangesOff || s.onchangesOff
		all.onchangesMet = all.onchangesMet || s.onchangesMet
	}
	// as in Salt, what is not listed does not fail with the state that has it as prereq
	if full && len(low.Prerequired) > 0 {
		for _, a := range x.plan.PrereqOf[low.Index] {
			if r := x.results[a]; r != nil && r.Outcome == state.Failed {
				all.fail = true
				v.addFailure(r)
			}
		}
	}
	switch {
	case len(v.lost) > 0 || all.fail:
		v.status = failed
	case prereq.needed && prereq.idle: // as in Salt, then nothing else is asked
	case prereq.asked && !prereq.needed && prereq.known:
		v.status = notNeeded
	case all.onfailOff && !(all.onchangesMet && all.changed): // as in Salt, a watch and an onchanges outweigh an onfail
		v.status = onfailOff
	case all.onchangesOff && !all.onchangesMet:
		v.status = onchangesOff
	case prereq.asked && !prereq.needed:
		v.status = notNeeded
	case all.changed:
		v.status = changed
	}
	return v
}

// judge asks one group, as the table of requisites has it.
func (x *executor) judge(low *state.Low, g *requisite.Group, v *verdict) say {
	var sum summary
	for _, t := range g.Targets {
		if t.Set == requisite.NotFound {
			v.lost = append(v.lost, t)
			continue
		}
		sum.merge(x.summarize(t.Set))
	}
	switch {
	case sum.would && x.noop(low):
		sum.changed = true
	case sum.would:
		x.noteCall(low, g, v)
	}
	row := state.KindOf(g.Kind, g.Mode)
	s := rule(row.Gate, sum)
	if s.fail {
		x.listFailures(low, g, v)
	}
	if s.onchangesOff && !s.fail {
		if v.missed, v.rests = x.owing.owed(low, state.Onchanges); v.missed != nil {
			s.onchangesOff, s.onchangesMet = false, true
		}
	}
	switch {
	case row.Reaction == state.ReactWatch && sum.changed:
		s.changed, v.watched = true, true
		x.listFired(low, g, v)
	case row.Reaction == state.ReactSubscribe && (sum.changed || sum.refreshed):
		s.changed, v.subscribed = true, true
		x.listEvents(low, g, v)
	}
	return s
}

func (s *summary) merge(o summary) {
	s.fail, s.okRan, s.changed, s.unchanged = s.fail || o.fail, s.okRan || o.okRan, s.changed || o.changed, s.unchanged ||
		o.unchanged
	s.wasTrue, s.notTrue, s.refreshed = s.wasTrue || o.wasTrue, s.notTrue || o.notTrue, s.refreshed || o.refreshed
	s.would = s.would || o.would
}

// rule is what a gate says of the states it looks at.
func rule(gate state.Gate, s summary) say {
	switch gate {
	case state.GateSucceeded:
		return say{fail: s.fail}
	case state.GateAnySucceeded:
		// As in Salt, a skipped state is no failure, but does not make up for one.
		return say{fail: s.fail && !s.okRan}
	case state.GateChanged:
		return say{fail: s.fail, onchangesMet: s.changed && !s.fail, onchangesOff: !s.changed}
	case state.GateAnyChanged:
		return say{fail: s.fail && !s.changed, onchangesMet: s.changed, onchangesOff: !s.changed}
	case state.GateFailed:
		return say{onfailOff: !s.notTrue}
	case state.GateAllFailed:
		return say{onfailOff: s.wasTrue}
	}
	return say{}
}

func (x *executor) listFailures(low *state.Low, g *requisite.Group, v *verdict) {
	for _, t := range g.Targets {
		if t.Set == requisite.NotFound {
			continue
		}
		if g.Kind == state.Staged {
			x.listRoots(t, v)
			continue
		}
		for _, i := range x.plan.Sets[t.Set] {
			r := x.results[i]
			if r == nil || r.Outcome != state.Failed || int(i) == low.Index {
				continue
			}
			if g.Mode == state.Automatic && len(v.unsaid) < listed {
				v.unsaid = append(v.unsaid, requisite.Named(r.Low)+", "+t.Req.Tie.Said())
			}
			if v.addFailure(r); len(v.failures) == listed {
				return
			}
		}
	}
}

func (x *executor) listFired(low *state.Low, g *requisite.Group, v *verdict) {
	if g.Mode != state.All {
		return // Salt's test.mod_watch tells only of watch
	}
	for t := range x.plan.States(g.Targets) {
		r := x.results[t.Index]
		if r != nil && t != low && didChange(r, x.looks(low)) && (!r.Noop || x.noop(low)) {
			v.fired = append(v.fired, t)
		}
	}
}

func (v *verdict) addFailure(r *state.Result) {
	if v.cause == nil {
		if v.cause = r; r.Cause != nil {
			v.cause = r.Cause
		}
	}
	for _, f := range v.failures {
		if f.Low.SLS == r.Low.SLS && f.Low.ID == r.Low.ID {
			return
		}
	}
	if len(v.failures) < listed {
		v.failures = append(v.failures, r)
	}
}

// comment is what Salt says of a failed requisite.
func (v *verdict) comment() string {
	var b strings.Builder
	if len(v.lost) > 0 {
		b.WriteString("The following requisites were not found:\n")
		last := ""
		for _, t := range v.lost {
			key := state.KindOf(t.Req.Kind, t.Req.Mode).Key
			if key != last {
				fmt.Fprintf(&b, "%19s%s:\n", "", key)
				last = key
			}
			fmt.Fprintf(&b, "%23s%s: %s\n", "", t.Req.To.Module, t.Req.To.Target)
		}
		return b.String()
	}
	b.WriteString("One or more requisite failed: ")
	for i, f := range v.failures {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Low.SLS + "." + f.Low.ID)
	}
	if len(v.failures) == listed {
		b.WriteString(", ...")
	}
	for _, why := range v.unsaid {
		b.WriteString("\nIt requires automatically " + why)
	}
	if v.stage != "" {
		b.WriteString("\nall of the run stage '" + v.stage + "' comes before this state")
	}
	return b.String()
}

// awaitTargets waits until everything that the state refers to has finished.
func (x *executor) awaitTargets(low *state.Low) {
	for _, g := range x.plan.Groups[low.Index] {
		for _, t := range g.Targets {
			for t.Set != requisite.NotFound && g.Kind != state.Prereq && !x.finished(t.Set) && x.pool.busy() {
				x.await()
			}
		}
	}
	for _, a := range x.plan.PrereqOf[low.Index] {
		for x.results[a] == nil && x.pool.busy() {
			x.await()
		}
	}
}
