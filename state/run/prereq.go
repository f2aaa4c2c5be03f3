package run

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// A forecast is what a prereq's target would do, asked before its turn.
// Salt differs: it runs the target in test mode, which may write.
type forecast struct {
	outcome state.Outcome // Pending: it would change
	comment string
	held    bool // by its own onchanges or onfail
}

// A prereqSay is what the targets of a prereq say together.
type prereqSay struct {
	asked,
	fail,
	needed, // one would change
	idle, // one would not
	known bool // one was really asked, not held back by its own requisites
}

// judgePrereq puts together what the targets would do.
func (x *executor) judgePrereq(low *state.Low, g *requisite.Group, v *verdict) prereqSay {
	say := prereqSay{asked: true}
	for _, t := range g.Targets {
		if t.Set == requisite.NotFound {
			v.lost = append(v.lost, t)
			continue
		}
		for _, i := range x.plan.Sets[t.Set] {
			f := x.pre[i]
			if f == nil || int(i) == low.Index {
				continue
			}
			say.known = say.known || !f.held
			switch f.outcome {
			case state.Failed:
				say.fail = true
				if r := x.results[i]; r != nil {
					v.addFailure(r)
				} else {
					v.addFailure(&state.Result{Low: x.plan.Low[i], ID: x.plan.Low[i].ID, Func: x.plan.Low[i].Func, Outcome: state.Failed, Comment: f.comment})
				}
			case state.Pending:
				say.needed = true
			default:
				say.idle = say.idle || !f.held
			}
		}
	}
	return say
}

// forecast asks a prereq's target what it would do, and says whether that was its end. As in Salt, one that nothing had to run
// for is over when its requisites hold it back; otherwise it has its turn, whatever they say.
func (x *executor) forecast(low *state.Low, fresh bool) (over bool) {
	x.drain() // it looks at the machine as the state would find it
	if r := x.results[low.Index]; r != nil {
		x.pre[low.Index] = &forecast{outcome: r.Outcome, comment: r.Comment}
		return false
	}
	v := x.gate(low, false)
	held := v.status == onfailOff || v.status == onchangesOff
	if r := x.held(low, v); r != nil && (fresh || len(v.lost) > 0) {
		x.begun[low.Index] = true
		x.finish(x.slot(), r)
		x.pre[low.Index] = &forecast{outcome: r.Outcome, comment: r.Comment, held: held}
		return true
	}
	t := x.newTask(low, v)
	t.watch = t.watch && (!fresh || t.owed != nil) // as in Salt, a watch counts only where the forecast ran what it watches
	x.pre[low.Index] = x.foresee(t)
	return false
}

// namesPrereq says whether a names low as its prereq target other than by a pattern: as in Salt, what a pattern names does not
// fail with the state that has it as prereq.
func (x *executor) namesPrereq(a int32, low *state.Low) bool {
	for _, g := range x.plan.Groups[a] {
		if g.Kind != state.Prereq {
			continue
		}
		for _, t := range g.Targets {
			if t.Set == requisite.NotFound || t.Req.To.Module != "sls" && strings.ContainsAny(t.Req.To.Target, "*?[") {
				continue
			}
			if slices.Contains(x.plan.Sets[t.Set], int32(low.Index)) {
				return true
			}
		}
	}
	return false
}
