package service

import (
	"path"

	"github.com/gostate/gostate/state"
)

// relate says on what a service stands: its unit file and, where it is one of a template, that of the template; and the
// package of its SLS.
func relate(r *state.Relations, name string) {
	unit := canonical(name)
	r.Need(state.TieUnit, unit)
	if base, _, ok := cutAt(unit); ok {
		r.Need(state.TieUnit, base+"@"+path.Ext(unit))
	}
	r.Need(state.TiePackage, name)
}

// Relate says on what service.running and service.dead stand.
func (c *Common) Relate(r *state.Relations) { relate(r, c.Name) }

// Relate says on what service.enabled stands. What service.masked masks need not be there.
func (e *Enabled) Relate(r *state.Relations) { relate(r, e.Name) }

// Relate says on what service.disabled stands.
func (d *Disabled) Relate(r *state.Relations) { relate(r, d.Name) }
