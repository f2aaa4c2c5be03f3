package archive

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// Relate says that archive.extracted makes its folder, and on what that stands.
func (x *Extracted) Relate(r *state.Relations) {
	r.Make(state.ThingPath, x.Name)
	r.Need(state.TieDirectory, x.Name)
	user, _ := x.User.(value.Str)
	group, _ := x.Group.(value.Str)
	r.Need(state.TieOwner, string(user))
	r.Need(state.TieGroup, string(group))
	if len(x.Source) == 1 {
		r.Need(state.TieGiven, x.Source[0])
	}
}
