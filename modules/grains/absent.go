package grains

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a grain without a value, or away.
type Absent struct {
	named
	Destructive bool `arg:"destructive" doc:"Takes the grain itself away; else its value becomes None."`
	Force       bool `arg:"force" doc:"Takes a map or a list away, too."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "grains.absent",
		Doc:     "Keeps a grain without a value, or out of the file of grains.",
		Example: "tier:\n  grains.absent:\n    - destructive: true",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Act takes it away.
func (a *Absent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := open(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	key := a.key()
	now, there := s.get(key)
	switch {
	case !there:
		return state.Settled(fmt.Sprintf("Grain %s does not exist", key)), nil
	case isNone(now) && !a.Destructive:
		return state.Settled("Grain is already set"), nil
	}
	top, _, _ := strings.Cut(key, ":")
	_, noted := s.now.GetStr(top)
	if _, err := s.set(key, value.None, a.Force, a.Destructive); err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf("grain", value.Str(key), "value", value.None),
		Comment: fmt.Sprintf("Value for grain %s was set to None", key),
		Preview: fmt.Sprintf("Value for grain %s is set to be deleted (None)", key)}
	if a.Destructive {
		e = state.Effect{Changes: value.DictOf("deleted", value.Str(key)), Comment: fmt.Sprintf("Grain %s was deleted", key),
			Preview: fmt.Sprintf("Grain %s is set to be deleted", key), Once: !noted} // what the machine itself has comes again
	}
	return e, s.write(h)
}
