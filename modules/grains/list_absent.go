package grains

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

// ListAbsent keeps values out of a grain that is a list.
type ListAbsent struct {
	named
	Value value.Value `arg:"value,required,text" doc:"The value, or a list of them."`
}

func listAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "grains.list_absent",
		Doc:     "Keeps values out of a grain that is a list.",
		Example: "roles:\n  grains.list_absent:\n    - value: db",
		New:     func() modules.StateFunc { return &ListAbsent{} },
	}
}

// Act takes them out.
func (a *ListAbsent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	key := a.key()
	l, there, err := s.list(key)
	if err != nil {
		return state.Effect{}, err
	}
	if !there {
		return state.Settled(fmt.Sprintf("Grain %s does not exist", key)), nil
	}
	var did, would []string
	deleted := value.NewList()
	for _, v := range each(a.Value) {
		i := slices.IndexFunc(l.Items, func(item value.Value) bool { return value.Equal(item, v) })
		if i < 0 {
			did = append(did, fmt.Sprintf("Value %s is absent from grain %s", value.String(v), key))
			continue
		}
		l.Items = slices.DeleteFunc(l.Items, func(item value.Value) bool { return value.Equal(item, v) })
		deleted.Items = append(deleted.Items, v)
		did = append(did, fmt.Sprintf("Value %s was deleted from grain %s", value.String(v), key))
		would = append(would, fmt.Sprintf("Value %s in grain %s is set to be deleted", value.String(v), key))
	}
	e := state.Effect{Comment: strings.Join(did, "\n"), Preview: strings.Join(would, "\n")}
	if len(deleted.Items) == 0 {
		return e, nil
	}
	if _, err := s.set(key, l, true, false); err != nil {
		return state.Effect{}, err
	}
	e.Changes = value.DictOf("deleted", deleted)
	return e, s.write(h)
}
