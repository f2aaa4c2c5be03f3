package grains

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Append keeps a value in a grain that is there.
type Append struct {
	named
	Value   value.Value `arg:"value,required,text" doc:"The value."`
	Convert bool        `arg:"convert" doc:"Makes a grain that is no list one."`
}

func appendSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "grains.append",
		Doc:     "Keeps a value in a grain that is a list. The grain has to be there.",
		Example: "roles:\n  grains.append:\n    - value: web",
		New:     func() modules.StateFunc { return &Append{} },
	}
}

// Act appends it.
func (a *Append) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	key := a.key()
	now, there := s.get(key)
	if !there {
		return state.Effect{}, host.Missing("Grain %s does not exist", key)
	}
	l, is := now.(*value.List)
	switch {
	case is && contains(l, a.Value):
		return state.Settled(fmt.Sprintf("Value %s is already in the list for grain %s", value.String(a.Value), key)), nil
	case !is && !a.Convert:
		return state.Effect{}, fmt.Errorf("Grain %s is not a valid list", key) //nolint:staticcheck // Salt's words
	case !is && isNone(now):
		l = value.NewList()
	case !is:
		l = value.NewList(now)
	}
	l.Items = append(l.Items, each(a.Value)...)
	if _, err := s.set(key, l, true, false); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf("added", a.Value),
			Comment: fmt.Sprintf("Value %s was added to grain %s", value.String(a.Value), key),
			Preview: fmt.Sprintf("Value %s in grain %s is set to be added", value.String(a.Value), key), Once: complex(a.Value)},
		s.write(h)
}
