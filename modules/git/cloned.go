package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Cloned keeps a clone there, whatever its revision.
type Cloned struct {
	Name      string      `arg:"name,required" doc:"The address of the repository."`
	Target    string      `arg:"target,required,path" doc:"The folder of the clone."`
	Branch    string      `arg:"branch,word" doc:"The branch to check out."`
	User      string      `arg:"user,word" doc:"Who runs git."`
	Identity  []string    `arg:"identity,path" doc:"Private keys for ssh, paths on the machine."`
	HTTPSUser string      `arg:"https_user" doc:"The account for an https address."`
	HTTPSPass string      `arg:"https_pass,secret" doc:"Its password; it is not written to the repository."`
	Password  value.Value `arg:"password,secret" doc:"No effect."`
	Ignored   value.Value `arg:"output_encoding" doc:"No effect."`
}

func clonedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.cloned",
		Doc:     "Keeps a clone of a repository there; it is not updated.",
		Example: "https://github.com/example/app.git:\n  git.cloned:\n    - target: /srv/app\n    - branch: main",
		New:     func() modules.StateFunc { return &Cloned{} },
	}
}

// Validate refuses contradictions.
func (c *Cloned) Validate() []modules.Fault {
	if !path.IsAbs(c.Target) {
		return []modules.Fault{{Arg: "target", Msg: "'target' path must be absolute"}}
	}
	return refuseAccount(c.Name, c.HTTPSUser, c.HTTPSPass)
}

func (c *Cloned) outside() repo {
	return repo{user: c.User, identity: c.Identity, account: accountFor(c.Name, c.HTTPSUser, c.HTTPSPass)}
}

// Act clones, or checks another branch out.
func (c *Cloned) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if err := modules.Needs(h, "git"); err != nil {
		return state.Effect{}, err
	}
	switch _, err := h.Stat(c.Target); {
	case errors.Is(err, fs.ErrNotExist):
		return c.clone(ctx, env, h)
	case err != nil:
		return state.Effect{}, fmt.Errorf("look at %s: %w", c.Target, err)
	}
	r := c.outside()
	r.dir = c.Target
	branch, err := r.must(ctx, h, "rev-parse", "--abbrev-ref", "HEAD")
	if err != nil {
		return state.Effect{}, err
	}
	if c.Branch == "" || branch == c.Branch {
		return state.Settled("Repository already exists at " + c.Target + c.out(" and is checked out to branch '%s'")), nil
	}
	_, known, err := r.ask(ctx, h, "rev-parse", "--verify", "-q", c.Branch)
	if err != nil {
		return state.Effect{}, err
	}
	words := []string{"checkout", "-q", c.Branch, "--"}
	if !known {
		words = []string{"checkout", "-q", "-b", c.Branch, "origin/" + c.Branch, "--"}
	}
	err = change(ctx, h, "git checkout "+c.Branch, c.Target, func() error { return r.do(ctx, h, words...) })
	return state.Done(state.Effect{Changes: value.DictOf("branch",
		value.DictOf("old", value.Str(branch), "new", value.Str(c.Branch))),
		Comment: fmt.Sprintf("Branch changed to '%s'", c.Branch),
		Preview: fmt.Sprintf("Branch would be changed to '%s'", c.Branch)}, err)
}

// out is a text with the branch, "" where none is asked for.
func (c *Cloned) out(format string) string {
	if c.Branch == "" {
		return ""
	}
	return fmt.Sprintf(format, c.Branch)
}

func (c *Cloned) clone(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	args := []string{"clone", "-q"}
	if c.Branch != "" {
		args = append(args, "--branch", c.Branch)
	}
	err := change(ctx, h, "git clone "+c.Name, c.Target, func() error {
		env.Progress("git clone " + c.Name)
		if err := c.outside().into(h, c.Target).do(ctx, h, append(args, "--", c.Name, c.Target)...); err != nil {
			return fmt.Errorf("Clone failed: %w", err) //nolint:staticcheck // Salt's words
		}
		return nil
	})
	text := redacted(c.Name) + " WORD to " + c.Target + c.out(" with branch '%s'")
	return state.Done(state.Effect{Changes: value.DictOf("new", value.Str(c.Name+" => "+c.Target)),
		Comment: strings.Replace(text, "WORD", "cloned", 1),
		Preview: strings.Replace(text, "WORD", "would be cloned", 1)}, err)
}
