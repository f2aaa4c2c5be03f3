package run

import "github.com/gostate/gostate/state"

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
