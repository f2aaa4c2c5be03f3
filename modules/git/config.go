package git

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Config are the arguments that say whose configuration.
type Config struct {
	Name   string `arg:"name,required" doc:"The setting: user.name."`
	Repo   string `arg:"repo,path" doc:"The repository, where it is not global."`
	User   string `arg:"user,word" doc:"Whose configuration."`
	Global bool   `arg:"global" doc:"The user's configuration, not a repository's."`
}

// git gives the repository and the scope.
func (c *Config) git() (repo, string) {
	if c.Global || c.Repo == "" {
		return repo{user: c.User}, "--global"
	}
	return repo{dir: c.Repo, user: c.User}, "--local"
}

// id names the setting among what was promised.
func (c *Config) id() string {
	if c.Global || c.Repo == "" {
		return c.User + " " + strings.ToLower(c.Name)
	}
	return c.Repo + " " + strings.ToLower(c.Name)
}

// now are the values of the setting.
func (c *Config) now(ctx context.Context, h host.Reader) ([]string, error) {
	if err := modules.Needs(h, "git"); err != nil {
		return nil, err
	}
	if f, ok := h.Fact(host.FactGit, c.id()); ok {
		return split(f.Value), nil
	}
	r, scope := c.git()
	if r.dir != "" {
		if _, err := h.Stat(r.dir); err != nil { // git would be asked about a folder that is not there, or not yet
			return nil, fmt.Errorf("look at %s: %w", r.dir, err)
		}
	}
	args := []string{"config", scope, "--get-all", c.Name}
	_, cmd := r.looking().cmd(h, args)
	out, err := h.Query(ctx, cmd)
	const notSet = 1
	switch {
	case err != nil:
		return nil, fmt.Errorf("git config: %w", err)
	case out.Code == notSet:
		return nil, nil
	case out.Code != 0:
		return nil, failure("config", out)
	}
	return split(strings.TrimSpace(string(out.Stdout))), nil
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// set changes the setting by calls of git config, and promises its values.
func (c *Config) set(ctx context.Context, h host.Host, want []string, calls ...[]string) error {
	r, scope := c.git()
	return h.Do(ctx, host.Deed{What: "git config " + c.Name, On: host.FactGit, Do: func(context.Context) error {
		for _, call := range calls {
			if err := r.do(ctx, h, append([]string{"config", scope}, call...)...); err != nil {
				return err
			}
		}
		return nil
	}, Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactGit, Name: c.id(), Value: strings.Join(want, "\n")},
			host.Fact{Kind: host.FactPath, Name: c.file(o), Value: "unknown"})
		return nil
	}})
}

// file is where the setting is written down.
func (c *Config) file(h host.Reader) string {
	r, _ := c.git()
	if r.dir != "" {
		if _, err := h.Stat(path.Join(r.dir, ".git")); err == nil {
			return path.Join(r.dir, ".git/config")
		}
		return path.Join(r.dir, "config")
	}
	u, err := h.User(c.User)
	if c.User == "" {
		u, err = h.UserByID(host.IdentityOf(h).UID)
	}
	if err != nil {
		return "/etc/gitconfig"
	}
	return path.Join(u.Home, ".gitconfig")
}
