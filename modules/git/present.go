package git

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a repository there, be it empty.
type Present struct {
	Name     string      `arg:"name,required,path" doc:"The folder."`
	Bare     bool        `arg:"bare" default:"true" doc:"A repository without checkout."`
	Template string      `arg:"template,path" doc:"The folder of templates."`
	User     string      `arg:"user,word" doc:"Who runs git."`
	Force    value.Value `arg:"force" alias:"separate_git_dir,shared" doc:"No effect."`
	Pass     value.Value `arg:"password,secret" doc:"No effect."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.present",
		Doc:     "Keeps a repository there; a new one is empty.",
		Example: "/srv/git/app.git:\n  git.present: []",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Act makes it where nothing is.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	for _, head := range []string{p.Name + "/HEAD", p.Name + "/.git/HEAD"} {
		switch _, err := h.Stat(head); {
		case err == nil:
			return state.Settled("Repository exists"), nil
		case host.IsUnknown(err):
			return state.Effect{}, err
		}
	}
	if entries, err := h.ReadDir(p.Name); err == nil && len(entries) > 0 {
		return state.Effect{}, fmt.Errorf("%s exists, is non-empty and is not a git repository", p.Name)
	}
	if err := modules.Needs(h, "git"); err != nil {
		return state.Effect{}, err
	}
	args := []string{"init", "-q"}
	if p.Bare {
		args = append(args, "--bare")
	}
	if p.Template != "" {
		args = append(args, "--template="+p.Template)
	}
	err := change(ctx, h, "git init "+p.Name, p.Name, func() error {
		return repo{user: p.User}.into(h, p.Name).do(ctx, h,
			append(args, "--", p.Name)...)
	})
	return state.Done(state.Effect{Changes: value.DictOf("new", value.Str(p.Name)),
		Comment: fmt.Sprintf("New repository created at %s", p.Name),
		Preview: fmt.Sprintf("New repository would be created at %s", p.Name)}, err)
}
