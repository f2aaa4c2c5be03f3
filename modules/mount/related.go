package mount

import "github.com/gostate/gostate/state"

// Relate says what mount.mounted makes and stands on: its folder, what is mounted above it, and a device that is a
// path.
func (m *Mounted) Relate(r *state.Relations) {
	r.Make(state.ThingMount, m.Name)
	r.Need(state.TieFolder, m.Name)
	r.Need(state.TieDirectory, m.Name)
	r.Need(state.TieDevice, m.Device)
	r.Need(state.TieOwner, m.User)
}

// Relate says on what mount.swap stands.
func (s *Swap) Relate(r *state.Relations) { r.Need(state.TieDevice, s.Name) }
