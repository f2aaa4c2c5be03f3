package pkg

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Unheld lets upgrades in again.
type Unheld struct {
	Selection
	Version string `arg:"version" doc:"release it only in this version"`
	All     bool   `arg:"all" doc:"release every held package"`
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

func (p *Unheld) marks(env *modules.Env, h host.Reader) (*session, marks, error) {
	s, db, err := lookUp(env, h)
	if err != nil {
		return nil, marks{}, err
	}
	var m marks
	targets, _ := p.targets(p.Version)
	for _, t := range targets {
		rule, err := parseConstraint(t.Version)
		if err != nil {
			return nil, m, err
		}
		now, _ := versionNow(h, db, t.Name)
		if isHeld(h, db, t.Name) && (rule.any() || rule.holds(now, false)) {
			m.release = append(m.release, t.Name)
		}
	}
	if p.All {
		m.release = nil
		for _, e := range db.All() {
			if e.Held() {
				m.release = append(m.release, e.Name)
			}
		}
	}
	return s, m, nil
}

// Check says what would be released.
func (p *Unheld) Check(_ context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	_, m, err := p.marks(env, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if m.empty() {
		targets, _ := p.targets("")
		return state.Forecast{Comment: alreadySet(targets, "unheld")}, nil
	}
	return state.Forecast{Pending: true, Changes: m.changes(), Effects: m.facts(), Comment: m.comment("", "Package %s is set to be released")}, nil
}

// Apply releases.
func (p *Unheld) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, m, err := p.marks(env, h)
	if err != nil {
		return state.Applied{}, err
	}
	return m.apply(ctx, s, h)
}
