package pkgrepo

import "github.com/gostate/gostate/state"

// Relate says on what pkgrepo.managed stands: the directory of its file, and the files of its key.
func (m *Managed) Relate(r *state.Relations) {
	r.Need(state.TieDirectory, m.File)
	r.Need(state.TieGiven, m.KeyURL)
	r.Need(state.TieGiven, m.SignedBy)
}
