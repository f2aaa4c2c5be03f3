package pkg

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Held keeps upgrades away from packages. Salt differs: it says that it held a package that is not installed, which
// dpkg does not do.
type Held struct {
	Selection
	NoReaction
	Version value.Value `arg:"version" doc:"Of other package managers; no effect here."`
	Replace bool        `arg:"replace" doc:"Release all other packages."`
}

func heldSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.held",
		Doc:     "Keeps upgrades away from installed packages.",
		Example: "linux-image-amd64:\n  pkg.held: []",
		New:     func() modules.StateFunc { return &Held{} },
		AnyArgs: true,
	}
}

func (p *Held) marks(ctx context.Context, env *modules.Env, h host.Reader) (*session, marks, error) {
	s, db, err := lookUp(ctx, env, h)
	if err != nil {
		return nil, marks{}, err
	}
	m := s.marks()
	targets, _ := p.targets("")
	for _, t := range targets {
		switch {
		case db.Version(t.Name) == "":
			return nil, m, fmt.Errorf("Package %s is not installed, so it cannot be held", t.Name)
		case !db.Held(t.Name):
			m.hold = append(m.hold, t.Name)
		}
	}
	if p.Replace {
		keep := names(targets)
		for _, e := range db.All() {
			if e.Held() && !slices.Contains(keep, e.Name) {
				m.release = append(m.release, e.Name)
			}
		}
	}
	return s, m, nil
}

// Act holds.
func (p *Held) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, m, err := p.marks(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	targets, _ := p.targets("")
	return m.act(ctx, s, h, alreadySet(targets, "held"))
}
