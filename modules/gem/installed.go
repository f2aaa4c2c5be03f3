package gem

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Installed keeps a gem installed.
type Installed struct {
	Common
	Version string `arg:"version" doc:"the version"`
	RDoc    bool   `arg:"rdoc" doc:"make its documentation too"`
	RI      bool   `arg:"ri" doc:"make its documentation for ri too"`
	Pre     bool   `arg:"pre_releases" doc:"also versions before a release"`
	Proxy   string `arg:"proxy" doc:"a proxy"`
	Source  string `arg:"source" doc:"where to get it"`
}

func installedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "gem.installed",
		Doc:     "Keeps a Ruby gem installed.",
		Example: "bundler:\n  gem.installed:\n    - version: 2.4.0",
		New:     func() modules.StateFunc { return &Installed{} },
	}
}

// Check says whether it would be installed.
func (i *Installed) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	vs, err := i.versions(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if has(vs, i.Version) {
		return state.Forecast{Comment: "Gem is already installed."}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(i.Name, value.Str("Installed")), Comment: fmt.Sprintf("The gem %s would have been installed", i.Name)}, nil
}

// Apply installs it.
func (i *Installed) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	args := []string{"install", i.Name}
	add := func(on bool, words ...string) {
		if on {
			args = append(args, words...)
		}
	}
	add(i.Version != "", "--version", i.Version)
	add(!i.RDoc && !i.RI, "--no-document")
	add(i.Pre, "--pre")
	add(i.Proxy != "", "--http-proxy", i.Proxy)
	add(i.Source != "", "--source", i.Source)
	env.Progress("gem install " + i.Name)
	if err := i.run(ctx, h, args...); err != nil {
		return state.Applied{}, fmt.Errorf("Could not install gem %s: %w", i.Name, err)
	}
	return state.Applied{Changes: f.Changes, Comment: "Gem was successfully installed"}, nil
}
