package pkg

import (
	"context"
	"errors"
	"fmt"
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
	Version   string `arg:"version" doc:"Only when it is installed in this version."`
	Normalize bool   `arg:"normalize" default:"true" doc:"Drop the architecture from a name when it is the machine's own."`
	IgnEpoch  *bool  `arg:"ignore_epoch" doc:"Compare versions without the epoch; by default where a version is given exactly and without one."`

	purge bool
	batch []*Removed // later states whose packages are removed along with this one's
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

// present are the packages that have to go, sorted.
func (r *Removed) present(s *session, db *Database) ([]string, error) {
	targets, _ := r.targets(r.Version)
	var out []string
	for _, t := range targets {
		rule, err := parseConstraint(t.Version, s.provider.Compare)
		if err != nil {
			return nil, err
		}
		name := db.Normalize(t.Name)
		now := db.Version(name)
		gone := now == "" && !(r.purge && leftovers(db, name))
		if gone || !rule.any() && !rule.latest && !rule.holds(now, r.IgnEpoch) || slices.Contains(out, name) {
			continue
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out, nil
}

// words are what the package manager is asked to remove: of a package that is there in several versions, those that are
// meant. Salt differs: it takes only equal versions.
func (r *Removed) words(s *session, db *Database, gone []string) (out []string) {
	rules := map[string]constraint{}
	targets, _ := r.targets(r.Version)
	for _, t := range targets {
		rules[db.Normalize(t.Name)], _ = parseConstraint(t.Version, s.provider.Compare)
	}
	for _, name := range gone {
		rule, now := rules[name], db.Version(name)
		if !strings.Contains(now, ",") || rule.any() || rule.latest {
			out = append(out, name)
			continue
		}
		for v := range strings.SplitSeq(now, ",") {
			if rule.holds(v, r.IgnEpoch) {
				out = append(out, name+"="+v)
			}
		}
	}
	return out
}

// leftovers says whether the package is removed and left its configuration files.
func leftovers(db *Database, name string) bool {
	p := db.Get(name)
	return p != nil && p.State != "not-installed" && p.Want != "install"
}

func (r *Removed) word() string {
	if r.purge {
		return "purged"
	}
	return "removed"
}

// Act removes or purges in one call.
func (r *Removed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, db, err := lookUp(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	m, err := r.removal(s, db)
	if err != nil || len(m.gone)+len(m.claimed) == 0 {
		return state.Settled("All specified packages are already absent"), err
	}
	e := state.Effect{Comment: fmt.Sprintf("All targeted packages were %s.", r.word()),
		Preview: fmt.Sprintf("The following packages will be %s: %s.", r.word(),
			strings.Join(slices.Concat(m.gone, m.claimed), ", "))}
	e.Changes, err = r.remove(ctx, env, h, m)
	after, derr := s.database(ctx, h)
	if derr != nil {
		return e, errors.Join(err, derr)
	}
	left, lerr := r.present(s, after)
	switch {
	case lerr == nil && len(left) == 0: // if the call failed, it was for another package, broken before
		if err != nil {
			e.Warnings = append(e.Warnings, err.Error())
		}
		return e, nil
	case err == nil: // apk keeps what another one needs
		err = host.Sure(fmt.Errorf("The following packages failed to %s: %s.", r.verb(), strings.Join(left, ", "))) //nolint:staticcheck // Salt's words
		return e, err
	}
	return e, fmt.Errorf("An error was encountered while removing package(s): %w", err)
}

// versions are what the changes are the difference of: what is installed and, for a purge, what was removed and left
// something.
func (r *Removed) versions(db *Database) []map[string]string {
	left := map[string]string{}
	for _, p := range db.All() {
		if p.Want == "deinstall" && !p.Installed() && p.State != "not-installed" {
			left[p.Name] = p.Version
		}
	}
	return []map[string]string{db.Versions(), left}
}

func (r *Removed) verb() string {
	if r.purge {
		return "purge"
	}
	return "remove"
}

// shape are the changes as Salt has them; those of a purge are nested where what is removed leaves something.
func (r *Removed) shape(s *session) func(before, after *Database) *value.Dict {
	if _, ok := s.provider.(keeper); !ok {
		return installs
	}
	return r.nested
}

func (r *Removed) nested(before, after *Database) *value.Dict {
	was, is := r.versions(before), r.versions(after)
	installed, removed := difference(was[0], is[0]), difference(was[1], is[1])
	switch {
	case !r.purge:
		return installed
	case installed.Len()+removed.Len() == 0:
		return nil
	}
	return value.DictOf("installed", installed, "removed", removed)
}
