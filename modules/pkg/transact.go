package pkg

import (
	"context"
	"errors"
	"slices"
	"strings"

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
	if before, err = s.database(ctx, h); err != nil {
		return nil, nil, err
	}
	err = h.Do(ctx, host.Deed{What: what, On: host.FactPackage, Do: do, Foretell: func(o host.Host) error {
		steps, err := told()
		o.Promise(effects(steps)...)
		return err
	}})
	after, derr := s.database(ctx, h)
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
	db, err := s.database(ctx, h)
	if err != nil || !r.asks() {
		return nil, err
	}
	steps, err := s.provider.Simulate(ctx, h, db, r)
	for i, step := range steps {
		old := db.Get(step.Name)
		steps[i].New = step.left(db.Version(step.Name))
		keeps, ok := s.provider.(keeper)
		steps[i].Purged = step.Purged || !ok || old != nil && !keeps.Leaves(h, old)
	}
	return steps, host.Sure(err)
}

// left are the versions that are there after the step: where a package is there in several, one more or one less.
func (s Step) left(now string) string {
	there := strings.Split(now, ",")
	switch {
	case s.New == "" && len(there) > 1:
		there = slices.DeleteFunc(there, func(v string) bool { return v == s.Old })
	case s.Beside && now != "" && now != absent:
		there = slices.Sorted(slices.Values(append(there, s.New)))
	default:
		return s.New
	}
	return strings.Join(there, ",")
}

// replayed works out a request on a machine that is as it was promised, for package managers that know only the real
// one: what was promised to come is installed along with it, and what it does beyond that is what it would do.
func replayed(db *Database, r Request, simulate func(Request) ([]Step, error)) ([]Step, error) {
	if db == nil || db.base == nil {
		return simulate(r)
	}
	var steps []Step
	real := r
	real.Install = slices.Clone(r.Install)
	for i, s := range real.Install {
		real.Install[i].Old = db.base.Version(s.Name)
	}
	if len(r.Remove) > 0 {
		real.Remove = nil
		for _, n := range r.Remove {
			if db.base.Version(n) != "" {
				real.Remove = append(real.Remove, n)
			} else {
				steps = append(steps, Step{Name: n, Old: db.Version(n)})
			}
		}
	} else {
		real.Install = append(db.coming(r), real.Install...)
	}
	if !real.asks() {
		return steps, nil
	}
	told, err := simulate(real)
	for _, s := range told {
		if now := db.Version(s.Name); s.New == "" && now != "" || s.New != "" && s.New != now {
			s.Old, s.Beside = now, s.Beside && db.base.Version(s.Name) != ""
			steps = append(steps, s)
		}
	}
	return steps, err
}

// coming are the packages that were promised and that the request does not name itself.
func (d *Database) coming(r Request) (out []Spec) {
	for _, p := range d.fresh() {
		named := func(s Spec) bool { return s.Name == p.Name }
		if p.control != "" || slices.ContainsFunc(r.Install, named) {
			continue
		}
		s := Spec{Name: p.Name, Version: p.Version, Old: d.base.Version(p.Name)}
		if s.Version == "installed" {
			s.Version = ""
		}
		out = append(out, s)
	}
	return out
}

// asks says whether the request asks for anything.
func (r Request) asks() bool { return r.DistUpgrade || r.Upgrade || len(r.Install)+len(r.Remove) > 0 }
