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
	if f, ok := h.Fact(host.FactHold, name); ok {
		return f.Value == "hold"
	}
	p := db.Get(name)
	return p != nil && p.Held()
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
