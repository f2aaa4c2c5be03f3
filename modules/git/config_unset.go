package git

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ConfigUnset keeps a setting of git's away.
type ConfigUnset struct {
	Config
	All   bool        `arg:"all" doc:"Also when it has several values."`
	Regex value.Value `arg:"value_regex" doc:"No effect."`
}

func configUnsetSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.config_unset",
		Doc:     "Keeps a setting of git's away.",
		Example: "http.proxy:\n  git.config_unset:\n    - global: true",
		New:     func() modules.StateFunc { return &ConfigUnset{} },
		AnyArgs: true,
	}
}

// Act unsets it.
func (c *ConfigUnset) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := c.now(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case len(now) == 0:
		return state.Settled(fmt.Sprintf("'%s' is not set", c.Name)), nil
	case len(now) > 1 && !c.All:
		return state.Effect{}, fmt.Errorf("'%s' has %d values; all: true unsets them all", c.Name, len(now))
	}
	return state.Done(state.Effect{Changes: value.DictOf(c.Name, modules.TextList(now)),
		Comment: fmt.Sprintf("'%s' has been unset", c.Name),
		Preview: fmt.Sprintf("'%s' would be unset", c.Name)}, c.set(ctx, h, nil, []string{"--unset-all", c.Name}))
}
