package cmd

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
)

// relate says on what a command stands, beside the files that it reads.
func (c *common) relate(r *state.Relations) {
	r.Need(state.TieCwd, c.Cwd)
	r.Need(state.TieUser, c.RunAs)
	r.Need(state.TieGroup, c.Group)
	r.Need(state.TieScript, c.Shell)
}

// Relate says on what cmd.run and cmd.wait stand. What is in another root is not at the path that is written.
func (c *common) Relate(r *state.Relations) {
	c.relate(r)
	if c.Root == "" {
		modules.NeedScripts(r, c.Name)
	}
}

// Relate says on what cmd.script stands.
func (s *Script) Relate(r *state.Relations) {
	s.relate(r)
	source, _ := s.from()
	r.Need(state.TieScript, source)
}
