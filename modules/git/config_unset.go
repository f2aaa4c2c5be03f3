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
	All   bool        `arg:"all" doc:"also when it has several values"`
	Regex value.Value `arg:"value_regex" doc:"no effect"`
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

// Check says whether the setting would go.
func (c *ConfigUnset) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	now, err := c.now(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if len(now) == 0 {
		return state.Forecast{Comment: fmt.Sprintf("'%s' is not set", c.Name)}, nil
	}
	if len(now) > 1 && !c.All {
		return state.Forecast{}, fmt.Errorf("'%s' has %d values; all: true unsets them all", c.Name, len(now))
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(c.Name, texts(now)), Comment: fmt.Sprintf("'%s' would be unset", c.Name)}, nil
}

// Apply unsets it.
func (c *ConfigUnset) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	r, scope := c.git()
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("'%s' has been unset", c.Name)}, r.do(ctx, h, "config", scope, "--unset-all", c.Name)
}
