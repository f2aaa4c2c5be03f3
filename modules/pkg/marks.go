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

// marks are the marks to change: to hold and to release, each sorted, and what is to be purged by a mark and is wanted.
type marks struct {
	hold, release []string
	wanted        []Target // with the version that is installed
	idle          string   // the word for what is not held
}

// marks begins with none. dpkg has a word for what is not held, others have none.
func (s *session) marks() marks {
	if _, ok := s.provider.(selector); ok {
		return marks{idle: "install"}
	}
	return marks{}
}

func (m marks) empty() bool { return len(m.hold)+len(m.release)+len(m.wanted) == 0 }

// each calls with every name, sorted, and with the mark before and after.
func (m marks) each(do func(name, old, now string)) {
	for _, n := range slices.Sorted(slices.Values(append(slices.Clone(m.hold), m.release...))) {
		if slices.Contains(m.hold, n) {
			do(n, m.idle, "hold")
		} else {
			do(n, "hold", m.idle)
		}
	}
}

// returned is what Salt's functions that hold and release give: a small result for each package.
func (m marks) returned() *value.Dict {
	out := value.NewDict(0)
	m.each(func(name, old, now string) {
		comment := fmt.Sprintf("Package %s is now being held.", name)
		if now != "hold" {
			comment = fmt.Sprintf("Package %s is no longer being held.", name)
		}
		out.SetStr(name, value.DictOf("name", value.Str(name), "changes", change(old, now), "result", value.Bool(true),
			"comment", value.Str(comment)))
	})
	return out
}

// addTo adds the marks to the changes of an installation, as Salt does: behind the version where the package changes
// too, else only the new mark, and both where nothing was installed.
func (m marks) addTo(changes *value.Dict, installed bool) {
	if len(m.wanted) > 0 {
		selected := value.NewDict(0)
		for _, t := range m.wanted {
			selected.SetStr(t.Name, change(t.Version, ""))
		}
		changes.SetStr("purge_desired", selected)
	}
	m.each(func(name, old, now string) {
		v, ok := changes.GetStr(name)
		switch {
		case !installed:
			changes.SetStr(name, change(old, now))
		case !ok:
			changes.SetStr(name, value.DictOf("new", value.Str(now)))
		default:
			d := v.(*value.Dict)
			d.SetStr("new", below(d, "new", now))
			d.SetStr("old", below(d, "old", old))
		}
	})
}

// below is a text of the changes with a line below it.
func below(d *value.Dict, key, line string) value.Value {
	v, _ := d.GetStr(key)
	if text := value.String(v); text != "" {
		line = text + "\n" + line
	}
	return value.Str(line)
}

func (m marks) facts() []host.Fact {
	var out []host.Fact
	for _, n := range m.hold {
		out = append(out, host.Fact{Kind: host.FactHold, Name: n, Value: "hold"})
	}
	for _, n := range append(names(m.wanted), m.release...) {
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
	keep, _ := s.provider.(holder)
	if len(m.hold)+len(m.release) > 0 {
		if err := s.holds(ctx, h); err != nil {
			return err
		}
	}
	return h.Do(ctx, host.Deed{What: "hold or release packages", On: host.FactPackage,
		Do: func(ctx context.Context) error {
			var errs []error
			if len(m.hold) > 0 {
				errs = append(errs, keep.Hold(ctx, h, m.hold, true))
			}
			if len(m.release) > 0 {
				errs = append(errs, keep.Hold(ctx, h, m.release, false))
			}
			if sel, ok := s.provider.(selector); ok && len(m.wanted) > 0 {
				errs = append(errs, sel.Want(ctx, h, names(m.wanted)))
			}
			return errors.Join(errs...)
		},
		Foretell: func(o host.Host) error {
			o.Promise(m.facts()...)
			return nil
		}})
}

// holds is why the package manager cannot keep upgrades away from packages, nil where it can.
func (s *session) holds(ctx context.Context, h host.Reader) error {
	keep, ok := s.provider.(holder)
	if !ok {
		return host.Sure(errors.New("`hold` function is not implemented for the package manager."))
	}
	db, err := s.database(ctx, h)
	if err != nil {
		return err
	}
	if why := keep.Refusal(h, db); why != "" {
		return host.Sure(errors.New(why))
	}
	return nil
}

// act sets the marks; settled says that they are as they should be.
func (m marks) act(ctx context.Context, s *session, h host.Host, settled string) (state.Effect, error) {
	if m.empty() {
		return state.Settled(settled), nil
	}
	return state.Effect{Changes: m.returned(), Comment: m.comment("Package %s is now being held",
		"Package %s is no longer held"),
		Preview: m.comment("Package %s is set to be held", "Package %s is set to be released")}, m.set(ctx, s, h)
}

func alreadySet(ts []Target, word string) string {
	var out []string
	for _, t := range ts {
		out = append(out, fmt.Sprintf("Package %s is already %s", t.Name, word))
	}
	return strings.Join(out, "\n")
}

func lookUp(ctx context.Context, env *modules.Env, h host.Reader) (*session, *Database, error) {
	s, err := sessionOf(env, h)
	if err != nil {
		return nil, nil, err
	}
	db, err := s.database(ctx, h)
	return s, db, err
}
