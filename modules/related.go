package modules

import "github.com/gostate/gostate/state"

// A Related state function tells what it makes and what it stands on, for automatic relationships (auto_require). It
// reads no machine: what it tells is the same whenever it is asked.
type Related interface{ Relate(r *state.Relations) }

// Relate asks a state, which fn is bound for, what it makes and what it stands on: its function, and its conditions.
func Relate(low *state.Low, fn StateFunc, r *state.Relations) {
	if f, ok := fn.(Related); ok {
		f.Relate(r)
	}
	o := low.Opts()
	if len(o.Onlyif)+len(o.Unless) == 0 {
		return
	}
	r.Need(state.TieUser, o.RunAs)
	r.Need(state.TieCwd, o.Cwd)
	for _, conditions := range [][]state.Condition{o.Onlyif, o.Unless} {
		for _, c := range conditions {
			NeedScripts(r, c.Command)
		}
	}
}
