package pkg

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// change lets the package manager do something, or promises what it says that it would do, and gives the database
// before and after.
// Both are there even beside an error: what came along is there.
func (s *session) change(ctx context.Context, h host.Host, what string, do func(ctx context.Context) error,
	told func() ([]Step, error)) (
	before, after *Database, err error) {
	if before, err = s.database(h); err != nil {
		return nil, nil, err
	}
	err = h.Do(ctx, host.Deed{What: what, On: host.FactPackage, Do: do, Foretell: func(o host.Host) error {
		steps, err := told()
		o.Promise(effects(steps)...)
		return err
	}})
	after, derr := s.database(h)
	if derr != nil {
		after = before
	}
	return before, after, errors.Join(err, derr)
}

// installs are the changes of what is installed.
func installs(before, after *Database) *value.Dict {
	return difference(before.Versions(), after.Versions())
}

// transact makes a request and gives the difference of the database, in the shape that is asked for.
func (s *session) transact(ctx context.Context, env *modules.Env, h host.Host, r Request,
	shape func(before, after *Database) *value.Dict) (*value.Dict, error) {
	before, after, err := s.change(ctx, h, "change packages",
		func(ctx context.Context) error { return s.provider.Run(ctx, env, h, r) },
		func() ([]Step, error) { return s.simulate(ctx, h, r) })
	if before == nil {
		return nil, err
	}
	return shape(before, after), err
}

// simulate asks the package manager what a request would do.
func (s *session) simulate(ctx context.Context, h host.Reader, r Request) ([]Step, error) {
	db, err := s.database(h)
	if err != nil || !r.asks() {
		return nil, err
	}
	steps, err := s.provider.Simulate(ctx, h, db, r)
	for i, step := range steps {
		old := db.Get(step.Name)
		steps[i].Purged = step.Purged || old != nil && !s.provider.Leaves(h, old)
	}
	return steps, host.Sure(err)
}

// asks says whether the request asks for anything.
func (r Request) asks() bool { return r.DistUpgrade || r.Upgrade || len(r.Install)+len(r.Remove) > 0 }
