package pkg

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Unheld lets upgrades in again.
type Unheld struct {
	Selection
	NoReaction
	Version value.Value `arg:"version" doc:"Of other package managers; no effect here."`
	All     bool        `arg:"all" doc:"Release every held package."`
}

func unheldSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.unheld",
		Doc:     "Lets upgrades of packages in again.",
		Example: "linux-image-amd64:\n  pkg.unheld: []",
		New:     func() modules.StateFunc { return &Unheld{} },
		AnyArgs: true,
	}
}

func (p *Unheld) marks(ctx context.Context, env *modules.Env, h host.Reader) (*session, marks, error) {
	s, db, err := lookUp(ctx, env, h)
	if err != nil {
		return nil, marks{}, err
	}
	m := s.marks()
	targets, _ := p.targets("")
	for _, e := range db.All() {
		if e.Held() && (p.All || slices.Contains(names(targets), e.Name)) {
			m.release = append(m.release, e.Name)
		}
	}
	return s, m, nil
}

// Act releases.
func (p *Unheld) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, m, err := p.marks(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	targets, _ := p.targets("")
	return m.act(ctx, s, h, alreadySet(targets, "unheld"))
}
