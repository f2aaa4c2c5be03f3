package group

import (
	"strconv"

	"github.com/gostate/gostate/state"
)

// Relate says that group.present makes a group. It waits for no member: users stand on their groups.
func (p *Present) Relate(r *state.Relations) {
	r.Make(state.ThingGroup, p.Name)
	if p.GID != nil {
		r.Make(state.ThingGroup, state.GID(strconv.Itoa(*p.GID)))
	}
}
