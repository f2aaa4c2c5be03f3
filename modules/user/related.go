package user

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// Relate says that user.present makes a user, who stands on the groups.
func (p *Present) Relate(r *state.Relations) {
	r.Make(state.ThingUser, p.Name)
	switch gid := p.GID.(type) {
	case value.Int:
		r.Need(state.TieMember, state.GID(value.String(gid)))
	case value.Str:
		r.Need(state.TieMember, string(gid))
	}
	if p.FromName {
		r.Need(state.TieMember, p.Name)
	}
	for _, groups := range [][]string{p.Groups, p.Optional} {
		for _, g := range groups {
			r.Need(state.TieMember, g)
		}
	}
}
