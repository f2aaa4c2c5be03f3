package hg

import "github.com/gostate/gostate/state"

// Relate says that hg.latest makes its folder, and on what that stands.
func (l *Latest) Relate(r *state.Relations) {
	r.Make(state.ThingPath, l.Target)
	r.Need(state.TieDirectory, l.Target)
	r.Need(state.TieUser, l.User)
	r.Need(state.TieGiven, l.Identity)
}
