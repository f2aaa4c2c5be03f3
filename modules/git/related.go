package git

import "github.com/gostate/gostate/state"

// relate says of a state that it makes a checkout as a user.
func relate(r *state.Relations, folder, user string, given []string) {
	r.Make(state.ThingPath, folder)
	r.Need(state.TieDirectory, folder)
	r.Need(state.TieUser, user)
	for _, file := range given {
		r.Need(state.TieGiven, file)
	}
}

// Relate says what git.latest makes and stands on.
func (l *Latest) Relate(r *state.Relations) { relate(r, l.Target, l.User, l.Identity) }

// Relate says what git.cloned makes and stands on.
func (c *Cloned) Relate(r *state.Relations) { relate(r, c.Target, c.User, c.Identity) }

// Relate says what git.present makes and stands on.
func (p *Present) Relate(r *state.Relations) { relate(r, p.Name, p.User, nil) }

// Relate says on what the states of git.config stand.
func (c *Config) Relate(r *state.Relations) {
	r.Need(state.TieUser, c.User)
	r.Need(state.TieEdited, c.Repo)
}
