package grains

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ListPresent keeps values in a grain that is a list.
type ListPresent struct {
	named
	Value value.Value `arg:"value,required,text" doc:"The value, or a list of them."`
}

func listPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "grains.list_present",
		Doc:     "Keeps values in a grain that is a list, which is made when it is missing.",
		Example: "roles:\n  grains.list_present:\n    - value:\n      - web\n      - db",
		New:     func() modules.StateFunc { return &ListPresent{} },
	}
}

// Act adds those that are missing. Salt differs: it adds all of a list of which one is missing.
func (p *ListPresent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	key, text := p.key(), value.String(p.Value)
	l, there, err := s.list(key)
	if err != nil {
		return state.Effect{}, err
	}
	added := 0
	for _, v := range each(p.Value) {
		if !contains(l, v) {
			l.Items = append(l.Items, v)
			added++
		}
	}
	if added == 0 {
		return state.Settled(fmt.Sprintf("Value %s is already in grain %s", text, key)), nil
	}
	e := state.Effect{Comment: fmt.Sprintf("Append value %s to grain %s", text, key),
		Preview: fmt.Sprintf("Grain %s is set to be added", key)}
	if there {
		e.Preview = fmt.Sprintf("Value %s is set to be appended to grain %s", text, key)
	}
	changes, err := s.set(key, l, true, false)
	if err != nil {
		return state.Effect{}, err
	}
	e.Changes = value.DictOf("new", changes)
	return e, s.write(h)
}
