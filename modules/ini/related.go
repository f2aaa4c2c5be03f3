package ini

import "github.com/gostate/gostate/state"

// Relate says on what the states of ini stand. They make a file that is not there.
func (f *file) Relate(r *state.Relations) { r.Need(state.TieDirectory, f.Name) }
