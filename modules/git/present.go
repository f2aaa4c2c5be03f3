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
	Name     string      `arg:"name,required" doc:"the folder"`
	Bare     bool        `arg:"bare" default:"true" doc:"a repository without checkout"`
	Template string      `arg:"template" doc:"the folder of templates"`
	User     string      `arg:"user" doc:"who runs git"`
	Force    value.Value `arg:"force" alias:"separate_git_dir,shared,password" doc:"no effect"`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.present",
		Doc:     "Keeps a repository there; a new one is empty.",
		Example: "/srv/git/app.git:\n  git.present: []",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Check says whether it would be made.
func (p *Present) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	for _, head := range []string{p.Name + "/HEAD", p.Name + "/.git/HEAD"} {
		if _, err := h.Stat(head); err == nil {
			return state.Forecast{Comment: "Repository exists"}, nil
		}
	}
	if entries, err := h.ReadDir(p.Name); err == nil && len(entries) > 0 {
		return state.Forecast{}, fmt.Errorf("%s exists, is non-empty and is not a git repository", p.Name)
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("new", value.Str(p.Name)), Comment: fmt.Sprintf("New repository would be created at %s", p.Name)}, nil
}

// Apply makes it.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	args := []string{"init", "-q"}
	if p.Bare {
		args = append(args, "--bare")
	}
	if p.Template != "" {
		args = append(args, "--template="+p.Template)
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("New repository created at %s", p.Name)}, repo{user: p.User}.do(ctx, h, append(args, "--", p.Name)...)
}
