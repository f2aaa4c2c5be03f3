package pkg

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Aggregate takes over the packages of later states: one call of the package manager removes them all, and each state
// reports its own.
func (r *Removed) Aggregate(_ context.Context, _ *modules.Env, others []modules.StateFunc) {
	for _, o := range others {
		if o, ok := o.(*Removed); ok && o.purge == r.purge {
			r.batch = append(r.batch, o)
		}
	}
}

// A removal is what one call removes.
type removal struct {
	s           *session
	gone, words []string // of the state itself
	theirs      []string // of the batch's other states
	claimed     []string // that a batch removed for this state
}

// claims of removed packages stand beside those of installed ones.
func claimOf(name string) string { return "-" + name }

func (r *Removed) removal(s *session, db *Database) (*removal, error) {
	m := &removal{s: s}
	var err error
	if m.gone, err = r.present(s, db); err != nil {
		return nil, err
	}
	m.words = r.words(s, db, m.gone)
	targets, _ := r.targets(r.Version)
	for _, t := range targets {
		if _, ok := s.claim(claimOf(t.Name), false); ok {
			m.claimed = append(m.claimed, t.Name)
		}
	}
	for _, o := range r.batch {
		names, err := o.present(s, db)
		if err != nil {
			continue // that state will say so itself
		}
		for _, w := range o.words(s, db, names) {
			if !slices.Contains(m.words, w) {
				m.theirs = append(m.theirs, w)
			}
		}
	}
	return m, nil
}

// run removes all. What fails may be another's package: then ours alone.
func (m *removal) run(ctx context.Context, env *modules.Env, h host.Host, purge bool) error {
	for _, n := range m.claimed {
		m.s.claim(claimOf(n), true)
	}
	if len(m.words) == 0 {
		return nil
	}
	r := Request{Remove: slices.Concat(m.words, m.theirs), Purge: purge}
	err := m.s.provider.Run(ctx, env, h, r)
	if err != nil && len(m.theirs) > 0 {
		r.Remove, m.theirs = m.words, nil
		err = m.s.provider.Run(ctx, env, h, r)
	}
	return err
}

// remove makes the call and gives the changes of this state: without those of the batch's others, which are kept for
// them, and with those that a batch made for it.
func (r *Removed) remove(ctx context.Context, env *modules.Env, h host.Host, m *removal) (*value.Dict, error) {
	claimed := map[string]Step{}
	for _, n := range m.claimed {
		claimed[n], _ = m.s.claim(claimOf(n), false)
	}
	before, after, err := m.s.change(ctx, h, "remove packages",
		func(ctx context.Context) error { return m.run(ctx, env, h, r.purge) },
		func() ([]Step, error) {
			return m.s.simulate(ctx, h, Request{Remove: m.words, Purge: r.purge})
		})
	if before == nil {
		return nil, err
	}
	changes := r.shape(m.s)(before, after)
	for _, o := range r.batch {
		targets, _ := o.targets(o.Version)
		for _, t := range targets {
			if name := before.Normalize(t.Name); !slices.Contains(m.gone, name) {
				m.keep(changes, name)
			}
		}
	}
	for _, n := range m.claimed {
		changes = r.put(m.s, changes, n, claimed[n])
	}
	return changes, err
}

// keep takes a package out of the changes for the state that it belongs to.
func (m *removal) keep(changes *value.Dict, name string) {
	if changes == nil {
		return
	}
	for _, part := range []string{"", "installed", "removed"} {
		d := changes
		if inner, ok := changes.GetStr(part); part != "" && ok {
			d, _ = inner.(*value.Dict)
		}
		one, ok := d.GetStr(name)
		if c, is := one.(*value.Dict); ok && is {
			old, _ := c.GetStr("old")
			m.s.mu.Lock()
			m.s.claims[claimOf(name)] = Step{Name: name, Old: value.String(old), Purged: part == "removed"}
			m.s.mu.Unlock()
			d.Delete(value.Str(name))
			return
		}
	}
}

// put adds to the changes what a batch did for this state.
func (r *Removed) put(s *session, changes *value.Dict, name string, step Step) *value.Dict {
	_, nested := s.provider.(keeper)
	if !r.purge || !nested {
		if changes == nil {
			changes = value.NewDict(1)
		}
		changes.SetStr(name, change(step.Old, ""))
		return changes
	}
	if changes == nil {
		changes = value.DictOf("installed", value.NewDict(0), "removed", value.NewDict(0))
	}
	part := "installed"
	if step.Purged {
		part = "removed"
	}
	d, _ := changes.GetStr(part)
	d.(*value.Dict).SetStr(name, change(step.Old, ""))
	return changes
}
