package svn

import "github.com/gostate/gostate/state"

// Relate says that svn.latest and svn.export make their folder, and on what that stands.
func (t *Tree) Relate(r *state.Relations) {
	r.Make(state.ThingPath, t.Target)
	r.Need(state.TieDirectory, t.Target)
	r.Need(state.TieUser, t.User)
}
