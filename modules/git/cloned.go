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
	Name     string      `arg:"name,required" doc:"the address of the repository"`
	Target   string      `arg:"target,required" doc:"the folder of the clone"`
	Branch   string      `arg:"branch" doc:"the branch to check out"`
	User     string      `arg:"user" doc:"who runs git"`
	Identity []string    `arg:"identity" doc:"private keys for ssh, paths on the machine"`
	Others   value.Value `arg:"password" alias:"https_user,https_pass,output_encoding" doc:"no effect"`
}

func clonedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.cloned",
		Doc:     "Keeps a clone of a repository there; it is not updated.",
		Example: "https://github.com/example/app.git:\n  git.cloned:\n    - target: /srv/app\n    - branch: main",
		New:     func() modules.StateFunc { return &Cloned{} },
	}
}

// Check says whether it would be cloned, or another branch checked out.
func (c *Cloned) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	if _, err := h.LookPath("git"); err != nil {
		return state.Forecast{}, errors.New("git is not installed")
	}
	r := repo{dir: c.Target, user: c.User, identity: c.Identity}
	entries, err := h.ReadDir(c.Target)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return state.Forecast{Pending: true, Changes: value.DictOf("new", value.Str(c.Name+" => "+c.Target)),
			Comment: fmt.Sprintf("%s would be cloned to %s", c.Name, c.Target)}, nil
	}
	if err != nil {
		return state.Forecast{}, fmt.Errorf("look at %s: %w", c.Target, err)
	}
	branch, ok, err := r.ask(ctx, h, "rev-parse", "--abbrev-ref", "HEAD")
	switch {
	case err != nil:
		return state.Forecast{}, err
	case !ok:
		return state.Forecast{}, fmt.Errorf("Target '%s' exists and is not a git repository", c.Target)
	case c.Branch == "" || branch == c.Branch:
		return state.Forecast{Comment: fmt.Sprintf("Repository already exists at %s", c.Target)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("branch", value.DictOf("old", value.Str(branch), "new", value.Str(c.Branch))),
		Comment: fmt.Sprintf("Branch would be changed to '%s'", c.Branch)}, nil
}

// Apply clones or checks out.
func (c *Cloned) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	r := repo{dir: c.Target, user: c.User, identity: c.Identity}
	if _, fresh := f.Changes.GetStr("new"); !fresh {
		return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Branch changed to '%s'", c.Branch)}, r.do(ctx, h, "checkout", "-q", c.Branch)
	}
	env.Progress("git clone " + c.Name)
	args := []string{"clone", "-q"}
	if c.Branch != "" {
		args = append(args, "--branch", c.Branch)
	}
	r.dir = ""
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("%s cloned to %s", c.Name, c.Target)}, r.do(ctx, h, append(args, "--", c.Name, c.Target)...)
}
