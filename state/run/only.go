package run

import (
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// Split reports each prereq of which the run is about the target alone: what is to be done before a change would be
// left out while the change is made. only is Config.Only.
func Split(plan *requisite.Plan, only []bool) error {
	var out diag.List
	for i, of := range plan.PrereqOf {
		for _, a := range of {
			if only == nil || !only[i] || only[a] {
				continue
			}
			before, target := plan.Low[a], plan.Low[i]
			out.Add(diag.Errorf(before.Pos, "%s is left out by its tags, and prereq puts it before %s, which would be applied",
				requisite.Named(before), requisite.Named(target)).
				WithHint("select both (--with-requirements), or leave both out (%s)", target.Pos))
		}
	}
	return out.Err()
}

// wanted counts the states that the run is about.
func wanted(cfg Config) int {
	n := len(cfg.Plan.Low)
	for i := range cfg.Only {
		if !cfg.Only[i] {
			n--
		}
	}
	return n
}

// leaves says whether the run is about others than this state.
func (x *executor) leaves(low *state.Low) bool { return x.cfg.Only != nil && !x.cfg.Only[low.Index] }

// leave passes a state over: for what refers to it, it had nothing to do and did not run. Nobody is shown that.
func (x *executor) leave(low *state.Low) {
	x.begun[low.Index] = true
	x.results[low.Index] = &state.Result{Low: low, ID: low.ID, Func: low.Func, Start: x.cfg.Now(), How: state.Left}
	x.pre[low.Index] = &forecast{outcome: state.Succeeded}
}
