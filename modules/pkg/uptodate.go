package pkg

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Uptodate keeps all packages in the newest version that the sources have.
type Uptodate struct {
	Selection
	Fetching
	NoReaction
	DistUpgrade bool `arg:"dist_upgrade" alias:"dist-upgrade?" doc:"Also install and remove packages where an upgrade needs it."`
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

// asked is the call of the package manager. Salt differs: it upgrades all on apt where it is given pkgs, and looks only
// at those.
func (u *Uptodate) asked() Request {
	r := u.request()
	if u.Pkgs != nil {
		r.OnlyUpgrade = true
		for _, t := range u.Pkgs {
			r.Install = append(r.Install, Spec{Name: t.Name})
		}
		return r
	}
	r.DistUpgrade, r.Upgrade = u.DistUpgrade, !u.DistUpgrade
	return r
}

// Act upgrades in one call.
func (u *Uptodate) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := sessionOf(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Comment: "Upgrade ran successfully", Preview: "System update will be performed", Once: true}
	if u.wantsRefresh(s, h) {
		if err := s.refresh(ctx, env, h); err != nil {
			e.Warnings = append(e.Warnings, err.Error())
		}
	}
	e.Changes, err = s.transact(ctx, env, h, u.asked(), installs)
	switch {
	case err != nil:
		return e, fmt.Errorf("An error was encountered while upgrading packages: %w", err)
	case e.Alters():
		return e, nil
	case stale(h):
		s.untold(h)
	}
	return state.Effect{Comment: "System is already up-to-date", Warnings: e.Warnings}, nil
}
