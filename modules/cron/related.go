package cron

import "github.com/gostate/gostate/state"

// Relate says on what cron.present stands.
func (p *Present) Relate(r *state.Relations) { r.Need(state.TieUser, p.User) }

// Relate says on what cron.absent stands.
func (a *Absent) Relate(r *state.Relations) { r.Need(state.TieUser, a.User) }

// Relate says on what cron.env_present stands.
func (e *EnvPresent) Relate(r *state.Relations) { r.Need(state.TieUser, e.User) }

// Relate says on what cron.env_absent stands.
func (e *EnvAbsent) Relate(r *state.Relations) { r.Need(state.TieUser, e.User) }

// Relate says on what cron.file stands.
func (f *File) Relate(r *state.Relations) {
	r.Need(state.TieUser, f.User)
	r.Need(state.TieGiven, f.Name)
}
