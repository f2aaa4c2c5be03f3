package ssh

import "github.com/gostate/gostate/state"

// Relate says on what the states of ssh_auth stand.
func (a *Auth) Relate(r *state.Relations) {
	r.Need(state.TieUser, a.User)
	r.Need(state.TieDirectory, a.Config)
	r.Need(state.TieGiven, a.Source)
}

// Relate says on what the states of ssh_known_hosts stand.
func (k *Known) Relate(r *state.Relations) {
	r.Need(state.TieUser, k.User)
	r.Need(state.TieDirectory, k.Config)
}
