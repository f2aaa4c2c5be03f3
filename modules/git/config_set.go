package git

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

// ConfigSet keeps a setting of git's.
type ConfigSet struct {
	Config
	Value string   `arg:"value" doc:"the value"`
	Multi []string `arg:"multivar" doc:"several values"`
}

func configSetSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.config_set",
		Doc:     "Keeps a setting of git's.",
		Example: "user.name:\n  git.config_set:\n    - value: Web Server\n    - global: true\n    - user: www-data",
		New:     func() modules.StateFunc { return &ConfigSet{} },
		AnyArgs: true,
	}
}

func (c *ConfigSet) want() []string {
	if c.Multi != nil {
		return c.Multi
	}
	return []string{c.Value}
}

// Check says whether the setting would change.
func (c *ConfigSet) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	now, err := c.now(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if slices.Equal(now, c.want()) {
		return state.Forecast{Comment: fmt.Sprintf("'%s' is already set to '%s'", c.Name, strings.Join(now, ", "))}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("old", texts(now), "new", texts(c.want())),
		Comment: fmt.Sprintf("'%s' would be set to '%s'", c.Name, strings.Join(c.want(), ", "))}, nil
}

// Apply sets it.
func (c *ConfigSet) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	r, scope := c.git()
	for i, v := range c.want() {
		verb := "--replace-all"
		if i > 0 {
			verb = "--add"
		}
		if err := r.do(ctx, h, "config", scope, verb, c.Name, v); err != nil {
			return state.Applied{}, err
		}
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("'%s' was set to '%s'", c.Name, strings.Join(c.want(), ", "))}, nil
}
