package run

import (
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// A forecast is what a prereq's target would do, asked before its turn.
type forecast struct {
	outcome state.Outcome // Pending: it would change
	comment string
}

// judgePrereq says whether a forecast failed, and whether one of the targets would change.
func (x *executor) judgePrereq(low *state.Low, g *requisite.Group, v *verdict) (fail, needed bool) {
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
			switch f.outcome {
			case state.Failed:
				fail = true
				if r := x.results[i]; r != nil {
					v.addFailure(r)
				} else {
					v.addFailure(&state.Result{Low: x.plan.Low[i], ID: x.plan.Low[i].ID, Func: x.plan.Low[i].Func, Outcome: state.Failed, Comment: f.comment})
				}
			case state.Pending:
				needed = true
			}
		}
	}
	return fail, needed
}

// forecastPrereqs asks all prereq targets of the state what they would do. A target that is itself a prereq of others is
// asked after those, however long the chain is.
func (x *executor) forecastPrereqs(low *state.Low) {
	stack := x.unknownTargets(low, nil)
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if x.pre[b] != nil {
			stack = stack[:len(stack)-1]
			continue
		}
		n := len(stack)
		if stack = x.unknownTargets(x.plan.Low[b], stack); len(stack) > n {
			continue
		}
		stack = stack[:n-1]
		x.awaitTargets(x.plan.Low[b])
		x.drain() // a forecast looks at the machine as its state would find it
		x.pre[b] = x.forecast(x.plan.Low[b])
	}
}

func (x *executor) unknownTargets(low *state.Low, stack []int32) []int32 {
	for _, g := range x.plan.Groups[low.Index] {
		if g.Kind != state.Prereq {
			continue
		}
		for _, t := range g.Targets {
			if t.Set == requisite.NotFound {
				continue
			}
			for _, i := range x.plan.Sets[t.Set] {
				if x.pre[i] == nil && int(i) != low.Index {
					stack = append(stack, i)
				}
			}
		}
	}
	return stack
}

// forecast asks one state what it would do. One whose requisites failed has its result now, before what has it as prereq.
func (x *executor) forecast(low *state.Low) *forecast {
	if r := x.results[low.Index]; r != nil {
		f := &forecast{outcome: r.Outcome, comment: r.Comment}
		return f
	}
	v := x.gate(low, false)
	switch v.status {
	case failed:
		r := x.held(low, v)
		x.begun[low.Index] = true
		x.finish(x.slot(), r)
		return &forecast{outcome: state.Failed, comment: r.Comment}
	case notNeeded, onfailOff, onchangesOff:
		return &forecast{outcome: state.Succeeded, comment: "No changes detected"}
	}
	return x.foresee(x.newTask(low, v))
}
