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

// addTo adds the marks to the changes, beside the version where the package changes too.
func (m marks) addTo(changes *value.Dict) {
	for k, mark := range m.changes().All() {
		if v, ok := changes.Get(k); ok {
			v.(*value.Dict).SetStr("hold", mark)
			continue
		}
		changes.Set(k, mark)
	}
}

func (m marks) facts() []host.Fact {
	var out []host.Fact
	for _, n := range m.hold {
		out = append(out, host.Fact{Kind: host.FactHold, Name: n, Value: "hold"})
	}
	for _, n := range m.release {
		out = append(out, host.Fact{Kind: host.FactHold, Name: n, Value: "install"})
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

// set sets the marks.
func (m marks) set(ctx context.Context, s *session, h host.Host) error {
	return h.Do(ctx, host.Deed{What: "hold or release packages", On: host.FactPackage,
		Do: func(ctx context.Context) error {
			var errs []error
			if len(m.hold) > 0 {
				errs = append(errs, s.provider.Hold(ctx, h, m.hold, true))
			}
			if len(m.release) > 0 {
				errs = append(errs, s.provider.Hold(ctx, h, m.release, false))
			}
			return errors.Join(errs...)
		},
		Foretell: func(o host.Host) error {
			o.Promise(m.facts()...)
			return nil
		}})
}

// act sets the marks; settled says that they are as they should be.
func (m marks) act(ctx context.Context, s *session, h host.Host, settled string) (state.Effect, error) {
	if m.empty() {
		return state.Settled(settled), nil
	}
	return state.Effect{Changes: m.changes(), Comment: m.comment("Package %s is now being held", "Package %s is no longer held"),
		Preview: m.comment("Package %s is set to be held", "Package %s is set to be released")}, m.set(ctx, s, h)
}

func alreadySet(ts []Target, word string) string {
	var out []string
	for _, t := range ts {
		out = append(out, fmt.Sprintf("Package %s is already %s", t.Name, word))
	}
	return strings.Join(out, "\n")
}

func lookUp(env *modules.Env, h host.Reader) (*session, *Database, error) {
	s, err := sessionOf(env, h)
	if err != nil {
		return nil, nil, err
	}
	db, err := s.database(h)
	return s, db, err
}
