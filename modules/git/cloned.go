package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Cloned keeps a clone there, whatever its revision.
type Cloned struct {
	Name     string      `arg:"name,required" doc:"The address of the repository."`
	Target   string      `arg:"target,required,path" doc:"The folder of the clone."`
	Branch   string      `arg:"branch,word" doc:"The branch to check out."`
	User     string      `arg:"user,word" doc:"Who runs git."`
	Identity []string    `arg:"identity,path" doc:"Private keys for ssh, paths on the machine."`
	Others   value.Value `arg:"https_user" alias:"output_encoding" doc:"No effect."`
	Pass     value.Value `arg:"https_pass,secret" alias:"password" doc:"No effect."`
}

func clonedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.cloned",
		Doc:     "Keeps a clone of a repository there; it is not updated.",
		Example: "https://github.com/example/app.git:\n  git.cloned:\n    - target: /srv/app\n    - branch: main",
		New:     func() modules.StateFunc { return &Cloned{} },
	}
}

// Act clones, or checks another branch out.
func (c *Cloned) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if err := modules.Needs(h, "git"); err != nil {
		return state.Effect{}, err
	}
	r := repo{dir: c.Target, user: c.User, identity: c.Identity}
	entries, err := h.ReadDir(c.Target)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return c.clone(ctx, env, h)
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("look at %s: %w", c.Target, err)
	}
	branch, ok, err := r.ask(ctx, h, "rev-parse", "--abbrev-ref", "HEAD")
	switch {
	case err != nil:
		return state.Effect{}, err
	case !ok:
		return state.Effect{}, fmt.Errorf("Target '%s' exists and is not a git repository", c.Target)
	case c.Branch == "" || branch == c.Branch:
		return state.Settled(fmt.Sprintf("Repository already exists at %s", c.Target)), nil
	}
	err = change(ctx, h, "git checkout "+c.Branch, c.Target,
		func() error { return r.do(ctx, h, "checkout", "-q", c.Branch) })
	return state.Done(state.Effect{Changes: value.DictOf("branch",
		value.DictOf("old", value.Str(branch), "new", value.Str(c.Branch))),
		Comment: fmt.Sprintf("Branch changed to '%s'", c.Branch),
		Preview: fmt.Sprintf("Branch would be changed to '%s'", c.Branch)}, err)
}

func (c *Cloned) clone(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	args := []string{"clone", "-q"}
	if c.Branch != "" {
		args = append(args, "--branch", c.Branch)
	}
	err := change(ctx, h, "git clone "+c.Name, c.Target, func() error {
		env.Progress("git clone " + c.Name)
		return repo{user: c.User, identity: c.Identity}.into(h, c.Target).do(ctx, h, append(args, "--", c.Name, c.Target)...)
	})
	return state.Done(state.Effect{Changes: value.DictOf("new", value.Str(c.Name+" => "+c.Target)),
		Comment: fmt.Sprintf("%s cloned to %s", c.Name, c.Target),
		Preview: fmt.Sprintf("%s would be cloned to %s", c.Name, c.Target)}, err)
}
