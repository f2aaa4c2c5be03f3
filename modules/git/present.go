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

// Present keeps a repository there, be it empty.
type Present struct {
	Name     string      `arg:"name,required,path" doc:"The folder."`
	Bare     bool        `arg:"bare" default:"true" doc:"A repository without checkout."`
	Force    bool        `arg:"force" doc:"Remove a folder that is no such repository, with what is in it."`
	Template string      `arg:"template,path" doc:"The folder of templates."`
	Separate string      `arg:"separate_git_dir,path" doc:"The folder of the repository itself, beside the checkout."`
	Shared   value.Value `arg:"shared" doc:"Who may write: group, all, or a mode such as 660."`
	User     string      `arg:"user,word" doc:"Who runs git."`
	Ignored  value.Value `arg:"password,secret" doc:"No effect."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.present",
		Doc:     "Keeps a repository there; a new one is empty.",
		Example: "/srv/git/app.git:\n  git.present: []",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Act makes it where it is not.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	mark := p.Name + "/HEAD"
	if !p.Bare {
		mark = p.Name + "/.git" // the folder, or the file of a worktree
	}
	switch _, err := h.Stat(mark); {
	case err == nil:
		return state.Settled(""), nil
	case host.IsUnknown(err):
		return state.Effect{}, err
	}
	entries, err := h.ReadDir(p.Name)
	there := err == nil
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return state.Effect{}, err
	case len(entries) > 0 && !p.Force:
		return state.Effect{}, fmt.Errorf("Target '%s' exists, is non-empty, and is not a git repository. Set the 'force' "+
			"option "+
			"to True to remove this directory's contents and proceed with initializing a repository", p.Name)
	}
	if err := modules.Needs(h, "git"); err != nil {
		return state.Effect{}, err
	}
	e := p.foretold(there && p.Force)
	err = change(ctx, h, "git init "+p.Name, p.Name, func() error { return p.make(ctx, h, there && p.Force) })
	return state.Done(e, err)
}

func (p *Present) foretold(forced bool) state.Effect {
	e, bare := state.NewEffect(), ""
	if p.Bare {
		bare = "bare "
	}
	said := []string{fmt.Sprintf("Initialized %srepository in %s", bare, p.Name)}
	if p.Template != "" {
		said = append(said, "Template directory set to "+p.Template)
	}
	if p.Separate != "" {
		said = append(said, "Gitdir set to "+p.Separate)
	}
	e.Comment, e.Preview = joined(said), fmt.Sprintf("New %srepository would be created", bare)
	if forced {
		e.Changes.SetStr("forced init", value.Bool(true))
		e.Preview = fmt.Sprintf("Target directory %s exists. Since force=True, the contents of %[1]s would be deleted, and a "+
			"%srepository would be initialized in its place.", p.Name, bare)
	}
	e.Changes.SetStr("new", value.Str(p.Name))
	return e
}

func (p *Present) make(ctx context.Context, h host.Host, forced bool) error {
	if forced {
		if err := h.RemoveAll(p.Name); err != nil {
			return fmt.Errorf("Unable to remove %s: %w", p.Name, err)
		}
	}
	words := []string{"init", "-q"}
	if p.Bare {
		words = append(words, "--bare")
	}
	if p.Template != "" {
		words = append(words, "--template="+p.Template)
	}
	if p.Separate != "" {
		words = append(words, "--separate-git-dir="+p.Separate)
	}
	if s := sharedOption(p.Shared); s != "" {
		words = append(words, s)
	}
	return repo{user: p.User}.into(h, p.Name).do(ctx, h, append(words, "--", p.Name)...)
}
