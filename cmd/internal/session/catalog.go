package session

import (
	"context"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/sls/puppet/catalog"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/schedule"
)

// PuppetEnv is the environment of the file server that holds the files of Puppet modules.
const PuppetEnv = "__puppet__"

// Catalog carries out what a Puppet catalog came to, by Puppet's rules: states wait for what they stand on.
//
// drawn is given the plan before anything is run, if it is not nil.
func (s *Session) Catalog(ctx context.Context, c *catalog.Compiled, warnings *diag.List, command string,
	drawn func(*requisite.Plan) error) error {
	p, err := s.prepareCatalog(c, warnings)
	if err == nil && drawn != nil {
		err = drawn(p.Plan)
	}
	if err != nil {
		return err
	}
	return s.carryOut(ctx, p, command)
}

func (s *Session) prepareCatalog(c *catalog.Compiled, faults *diag.List) (*Prepared, error) {
	s.scheduled.Store(&c.Schedules)
	for i, d := range c.High.Decls {
		d.States[0].Args = append(d.States[0].Args, state.OrderArg(10000+i))
	}
	s.markHigh(c.High)
	for _, text := range c.Secrets {
		s.secrets.MarkText(text)
	}
	made, more := state.CompileAll(c.High, state.CompileOptions{Takes: s.registry.Takes})
	faults.Add(more.All...)
	s.ownSchedules(faults)
	return s.prepareLow(&compiled{low: made.Low, faults: faults})
}

// ownSchedules are the schedules of the configuration and those of a Puppet catalog.
func (s *Session) ownSchedules(faults *diag.List) map[string]*schedule.Schedule {
	out := s.config.Schedules()
	made := s.scheduled.Load()
	if made == nil {
		return out
	}
	for _, d := range *made {
		out[d.Name] = schedule.Parse(d.Name, d.Words, func(string) diag.Pos { return d.Pos }, faults)
	}
	return out
}
