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

// Config are the arguments that say whose configuration.
type Config struct {
	Name   string `arg:"name,required" doc:"the setting: user.name"`
	Repo   string `arg:"repo" doc:"the repository, where it is not global"`
	User   string `arg:"user" doc:"whose configuration"`
	Global bool   `arg:"global" doc:"the user's configuration, not a repository's"`
}

// git gives the repository and the scope.
func (c *Config) git() (repo, string) {
	if c.Global || c.Repo == "" {
		return repo{user: c.User}, "--global"
	}
	return repo{dir: c.Repo, user: c.User}, "--local"
}

// now are the values of the setting.
func (c *Config) now(ctx context.Context, h host.Reader) ([]string, error) {
	r, scope := c.git()
	text, ok, err := r.ask(ctx, h, "config", scope, "--get-all", c.Name)
	if err != nil || !ok {
		return nil, err
	}
	return strings.Split(text, "\n"), nil
}

func texts(ss []string) value.Value {
	l := value.NewList()
	for _, s := range ss {
		l.Items = append(l.Items, value.Str(s))
	}
	return l
}

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
