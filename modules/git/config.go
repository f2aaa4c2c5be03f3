package git

import (
	"context"
	"strings"

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
