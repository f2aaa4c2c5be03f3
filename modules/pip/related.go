package pip

import "github.com/gostate/gostate/state"

// relate says on what pip stands: its environment, and who runs it where.
func (c *Common) relate(r *state.Relations) {
	r.Need(state.TieGiven, c.BinEnv)
	r.Need(state.TieScript, c.PipBin)
	r.Need(state.TieUser, c.User)
	r.Need(state.TieCwd, c.Cwd)
}

// Relate says on what pip.installed stands.
func (p *Installed) Relate(r *state.Relations) {
	p.relate(r)
	r.Need(state.TieGiven, p.Constraint)
	r.Need(state.TieDirectory, p.Target)
	for _, file := range p.Requirements {
		r.Need(state.TieGiven, file)
	}
}

// Relate says that virtualenv.managed makes its folder, and on what that stands.
func (m *Managed) Relate(r *state.Relations) {
	r.Make(state.ThingPath, m.Name)
	r.Need(state.TieDirectory, m.Name)
	m.Installed.Relate(r)
}
