package pkg

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Held keeps upgrades away from packages.
type Held struct {
	Selection
	Version string `arg:"version" doc:"hold it in this version: it is not changed when it has another"`
	Replace bool   `arg:"replace" doc:"release all other packages"`
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

// marks are the marks to change: to hold and to release, each sorted.
type marks struct{ hold, release []string }

func (m marks) empty() bool { return len(m.hold)+len(m.release) == 0 }

func (m marks) changes() *value.Dict {
	out := value.NewDict(0)
	for _, n := range slices.Sorted(slices.Values(append(slices.Clone(m.hold), m.release...))) {
		if slices.Contains(m.hold, n) {
			out.SetStr(n, change("install", "hold"))
		} else {
			out.SetStr(n, change("hold", "install"))
		}
	}
	return out
}

func (m marks) facts() []host.Fact {
	var out []host.Fact
	for _, n := range m.hold {
		out = append(out, host.Fact{Kind: "hold", Name: n, Value: "hold"})
	}
	for _, n := range m.release {
		out = append(out, host.Fact{Kind: "hold", Name: n, Value: "install"})
	}
	return out
}

func (m marks) comment(hold, release string) string {
	var out []string
	for _, n := range m.hold {
		out = append(out, fmt.Sprintf(hold, n))
	}
	for _, n := range m.release {
		out = append(out, fmt.Sprintf(release, n))
	}
	return strings.Join(out, "\n")
}

func (m marks) apply(ctx context.Context, s *session, h host.Host) (state.Applied, error) {
	for _, set := range []struct {
		names []string
		hold  bool
	}{{m.hold, true}, {m.release, false}} {
		if len(set.names) == 0 {
			continue
		}
		if err := s.provider.Hold(ctx, h, set.names, set.hold); err != nil {
			return state.Applied{}, err
		}
	}
	s.forget()
	return state.Applied{Changes: m.changes(), Comment: m.comment("Package %s is now being held", "Package %s is no longer held")}, nil
}

func isHeld(h host.Reader, db *Database, name string) bool {
	if f, ok := h.Fact("hold", name); ok {
		return f.Value == "hold"
	}
	p := db.Get(name)
	return p != nil && p.Held()
}

func (p *Held) marks(env *modules.Env, h host.Reader) (*session, marks, error) {
	s, db, err := lookUp(env, h)
	if err != nil {
		return nil, marks{}, err
	}
	var m marks
	targets, _ := p.targets(p.Version)
	for _, t := range targets {
		now, _ := versionNow(h, db, t.Name)
		rule, err := parseConstraint(t.Version)
		switch {
		case err != nil:
			return nil, m, err
		case now == "":
			return nil, m, fmt.Errorf("Package %s is not installed, so it cannot be held", t.Name)
		case !rule.any() && !rule.holds(now, false):
			return nil, m, fmt.Errorf("Package %s is installed in version %s, which is not %s", t.Name, now, rule.text)
		case !isHeld(h, db, t.Name):
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

// Check says what would be held.
func (p *Held) Check(_ context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	_, m, err := p.marks(env, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if m.empty() {
		targets, _ := p.targets("")
		return state.Forecast{Comment: alreadySet(targets, "held")}, nil
	}
	return state.Forecast{Pending: true, Changes: m.changes(), Effects: m.facts(),
		Comment: m.comment("Package %s is set to be held", "Package %s is set to be released")}, nil
}

// Apply holds.
func (p *Held) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, m, err := p.marks(env, h)
	if err != nil {
		return state.Applied{}, err
	}
	return m.apply(ctx, s, h)
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

func alreadySet(ts []Target, word string) string {
	var out []string
	for _, t := range ts {
		out = append(out, fmt.Sprintf("Package %s is already %s", t.Name, word))
	}
	return strings.Join(out, "\n")
}

func lookUp(env *modules.Env, h host.Reader) (*session, *Database, error) {
	s, err := sessionOf(env.Cache, env.Grains, env.Opts, h)
	if err != nil {
		return nil, nil, err
	}
	db, err := s.database(h)
	return s, db, err
}
