package run

import (
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
					v.addFailure(&state.Result{Low: x.plan.Low[i], ID: x.plan.Low[i].ID, Func: x.plan.Low[i].Func,
						Outcome: state.Failed, Comment: f.comment})
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

// forecast asks a prereq's target what it would do, and says whether that was its end. As in Salt, one that nothing had
// to run for is over when its requisites hold it back; otherwise it has its turn, whatever they say.
func (x *executor) forecast(low *state.Low, fresh bool) (over bool) {
	x.drain() // it looks at the machine as the state would find it
	if r := x.results[low.Index]; r != nil {
		x.pre[low.Index] = &forecast{outcome: r.Outcome, comment: r.Comment}
		return false
	}
	v := x.gate(low, false)
	if r := x.held(low, v); r != nil && (fresh || len(v.lost) > 0) {
		x.hold(low, v, r)
		return true
	}
	t := x.newTask(low, v)
	// as in Salt, a watch counts only where the forecast ran what it watches
	t.watch = t.watch && (!fresh || t.owed != nil)
	x.pre[low.Index] = x.foresee(t)
	return false
}

// early finishes a state that its own requisites fail, or that is not needed, before the states that have it as prereq.
func (x *executor) early(low *state.Low) (over bool) {
	v := x.gate(low, false)
	if v.status != failed && v.status != notNeeded {
		return false
	}
	x.hold(low, v, x.held(low, v))
	return true
}

// hold finishes a state that its requisites keep from running: that is what it would do, for those that have it as
// prereq.
func (x *executor) hold(low *state.Low, v verdict, r *state.Result) {
	x.begun[low.Index] = true
	x.finish(x.slot(), r)
	if f := x.pre[low.Index]; f == nil || v.status != failed {
		x.pre[low.Index] = &forecast{outcome: r.Outcome, comment: r.Comment, held: v.status == onfailOff ||
			v.status == onchangesOff}
	}
}
