package alternatives

import "github.com/gostate/gostate/state"

// Relate says on what alternatives.install stands: what the link may point to.
func (i *Install) Relate(r *state.Relations) { r.Need(state.TieTarget, i.Path) }
