package pkg

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Removed keeps packages away.
type Removed struct {
	Selection
	Version   string `arg:"version" doc:"only when it is installed in this version"`
	Normalize bool   `arg:"normalize" default:"true" doc:"drop the architecture from a name when it is the machine's own"`
	IgnEpoch  bool   `arg:"ignore_epoch" doc:"compare versions without the epoch"`

	purge bool
}

func removedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.removed",
		Doc:     "Keeps packages away. Their configuration files stay.",
		Example: "telnetd:\n  pkg.removed: []",
		New:     func() modules.StateFunc { return &Removed{} },
		AnyArgs: true,
	}
}

func purgedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.purged",
		Doc:     "Keeps packages away, with their configuration files.",
		Example: "telnetd:\n  pkg.purged: []",
		New:     func() modules.StateFunc { return &Removed{purge: true} },
		AnyArgs: true,
	}
}

// present are the packages that have to go, sorted; a name may be a pattern.
func (r *Removed) present(h host.Reader, db *Database) ([]string, error) {
	targets, _ := r.targets(r.Version)
	var out []string
	for _, t := range targets {
		rule, err := parseConstraint(t.Version)
		if err != nil {
			return nil, err
		}
		for _, name := range r.matching(h, db, t.Name) {
			now, _ := versionNow(h, db, name)
			gone := now == "" && !(r.purge && leftovers(h, db, name))
			if gone || !rule.any() && !rule.latest && !rule.holds(now, r.IgnEpoch) || slices.Contains(out, name) {
				continue
			}
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// leftovers says whether the package is removed and left its configuration files.
func leftovers(h host.Reader, db *Database, name string) bool {
	if f, ok := h.Fact(host.FactPackage, name); ok && f.Value == absent {
		return f.Attrs["purged"] == ""
	}
	p := db.Get(name)
	return p != nil && p.State != "not-installed" && p.Want != "install"
}

func (r *Removed) matching(_ host.Reader, db *Database, name string) []string {
	if !strings.ContainsAny(name, "*?[") {
		return []string{db.Normalize(name)}
	}
	var out []string
	for _, p := range db.All() {
		if ok, _ := path.Match(name, p.Name); ok {
			out = append(out, p.Name)
		}
	}
	return out
}

func (r *Removed) word() string {
	if r.purge {
		return "purged"
	}
	return "removed"
}

// Check says what would go, with what needs it.
func (r *Removed) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := sessionOf(env.Cache, env.Grains, env.Opts, h)
	if err != nil {
		return state.Forecast{}, err
	}
	db, err := s.database(h)
	if err != nil {
		return state.Forecast{}, err
	}
	gone, err := r.present(h, db)
	if err != nil {
		return state.Forecast{}, err
	}
	if len(gone) == 0 {
		return state.Forecast{Comment: "All specified packages are already absent"}, nil
	}
	steps, err := r.simulate(ctx, s, h, db, gone)
	if err != nil {
		return state.Forecast{}, err
	}
	facts := effects(steps)
	for i := range facts {
		if r.purge && facts[i].Value == absent {
			facts[i].Attrs = map[string]string{"purged": "true"}
		}
	}
	f := state.Forecast{Pending: true, Changes: r.shape(foretold(steps)), Effects: facts}
	f.Comment = fmt.Sprintf("The following packages will be %s: %s.", r.word(), strings.Join(gone, ", "))
	return f, nil
}

// simulate asks the package manager; what an earlier state would install is not there yet and is removed alone.
func (r *Removed) simulate(ctx context.Context, s *session, h host.Reader, db *Database, gone []string) ([]Step, error) {
	var steps []Step
	var there []string
	for _, n := range gone {
		if p := db.Get(n); p != nil && p.State != "not-installed" {
			there = append(there, n)
			continue
		}
		now, _ := versionNow(h, db, n)
		steps = append(steps, Step{Name: n, Old: now})
	}
	if len(there) == 0 {
		return steps, nil
	}
	told, err := s.provider.Simulate(ctx, h, Request{Remove: there, Purge: r.purge})
	if err != nil {
		return nil, err
	}
	for _, t := range told {
		if t.Old == "" && t.New == "" { // only configuration files are left of it
			t.Old = db.Get(t.Name).Version
		}
		steps = append(steps, t)
	}
	return steps, nil
}

// shape nests the changes of a purge as Salt does.
func (r *Removed) shape(changes *value.Dict) *value.Dict {
	if !r.purge || changes.Len() == 0 {
		return changes
	}
	return value.DictOf("installed", value.NewDict(0), "removed", changes)
}

// Apply removes or purges in one call.
func (r *Removed) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := sessionOf(env.Cache, env.Grains, env.Opts, h)
	if err != nil {
		return state.Applied{}, err
	}
	db, err := s.database(h)
	if err != nil {
		return state.Applied{}, err
	}
	gone, err := r.present(h, db)
	if err != nil {
		return state.Applied{}, err
	}
	before := r.versions(db)
	err = s.provider.Run(ctx, env, h, Request{Remove: gone, Purge: r.purge})
	s.forget()
	after, derr := s.database(h)
	if derr != nil {
		return state.Applied{}, derr
	}
	done := state.Applied{Changes: r.shape(difference(before, r.versions(after)))}
	left, lerr := r.present(h, after)
	switch {
	case err != nil && lerr == nil && len(left) == 0: // another package, broken before, made the call fail
		done.Warnings = append(done.Warnings, err.Error())
	case err != nil:
		return done, fmt.Errorf("An error was encountered while removing package(s): %w", err)
	}
	done.Comment = fmt.Sprintf("All targeted packages were %s.", r.word())
	return done, nil
}

// versions are what the changes are the difference of: for a purge, what left configuration files counts too.
func (r *Removed) versions(db *Database) map[string]string {
	out := db.Versions()
	if r.purge {
		for _, p := range db.All() {
			if p.State != "not-installed" {
				out[p.Name] = p.Version
			}
		}
	}
	return out
}
