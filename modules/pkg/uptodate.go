package pkg

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Uptodate keeps all packages in the newest version that the sources have.
type Uptodate struct {
	Selection
	Fetching
	DistUpgrade bool `arg:"dist_upgrade" default:"true" alias:"dist-upgrade?" doc:"also install and remove packages where an upgrade needs it"`
}

func uptodateSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.uptodate",
		Doc:     "Keeps all packages, or those of pkgs, in the newest version that the sources have.",
		Example: "everything:\n  pkg.uptodate:\n    - refresh: true",
		New:     func() modules.StateFunc { return &Uptodate{} },
		AnyArgs: true,
	}
}

func (u *Uptodate) asked() Request {
	r := u.request()
	if u.Pkgs != nil {
		r.Install, r.OnlyUpgrade = names(u.Pkgs), true
		return r
	}
	r.DistUpgrade, r.Upgrade = u.DistUpgrade, !u.DistUpgrade
	return r
}

// Check says what would be upgraded. Lists that are not fetched yet cannot be foretold.
func (u *Uptodate) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := sessionOf(env.Cache, env.Grains, env.Opts, h)
	if err != nil {
		return state.Forecast{}, err
	}
	steps, err := s.provider.Simulate(ctx, h, u.asked())
	if err != nil {
		return state.Forecast{}, err
	}
	steps = unpromised(h, steps)
	if len(steps) == 0 && !u.wantsRefresh(s, h) {
		return state.Forecast{Comment: "System is already up-to-date"}, nil
	}
	return state.Forecast{Pending: true, Changes: foretold(steps), Comment: "System update will be performed", Effects: effects(steps),
		Action: len(steps) == 0}, nil
}

// Apply upgrades in one call.
func (u *Uptodate) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := sessionOf(env.Cache, env.Grains, env.Opts, h)
	if err != nil {
		return state.Applied{}, err
	}
	var done state.Applied
	if u.wantsRefresh(s, h) {
		if err := s.refresh(ctx, env, h); err != nil {
			done.Warnings = append(done.Warnings, err.Error())
		}
	}
	steps, err := s.provider.Simulate(ctx, h, u.asked())
	if err != nil {
		return done, err
	}
	if len(steps) == 0 {
		done.Comment = "System is already up-to-date"
		return done, nil
	}
	done.Changes, err = s.transact(ctx, env, h, u.asked())
	if err != nil {
		return done, fmt.Errorf("An error was encountered while upgrading packages: %w", err)
	}
	done.Comment = "Upgrade ran successfully"
	return done, nil
}

// transact runs a request and gives the difference of the database.
func (s *session) transact(ctx context.Context, env *modules.Env, h host.Host, r Request) (*value.Dict, error) {
	db, err := s.database(h)
	if err != nil {
		return nil, err
	}
	before := db.Versions()
	err = s.provider.Run(ctx, env, h, r)
	s.forget()
	after, derr := s.database(h)
	if derr != nil {
		return nil, derr
	}
	return difference(before, after.Versions()), err
}
