package gem

import (
	"cmp"
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
	Version string `arg:"version" doc:"The version."`
	RDoc    bool   `arg:"rdoc" doc:"Make its documentation too."`
	RI      bool   `arg:"ri" doc:"Make its documentation for ri too."`
	Pre     bool   `arg:"pre_releases" doc:"Also versions before a release."`
	Proxy   string `arg:"proxy" doc:"A proxy."`
	Source  string `arg:"source" doc:"Where to get it."`
}

func installedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "gem.installed",
		Doc:     "Keeps a Ruby gem installed.",
		Example: "bundler:\n  gem.installed:\n    - version: 2.4.0",
		New:     func() modules.StateFunc { return &Installed{} },
	}
}

// Act installs it.
func (i *Installed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if _, err := h.LookPath(i.bin()); err != nil {
		return state.Effect{}, err
	}
	vs, err := i.versions(ctx, h)
	if err != nil || has(vs, i.Version) {
		return state.Settled("Gem is already installed."), err
	}
	env.Progress("gem install " + i.Name)
	if err := i.change(ctx, h, append(vs, cmp.Or(i.Version, "installed")), i.args()...); err != nil {
		return state.Effect{}, fmt.Errorf("Could not install gem %s: %w", i.Name, err)
	}
	return state.Effect{Changes: value.DictOf(i.Name, value.Str("Installed")), Comment: "Gem was successfully installed",
		Preview: fmt.Sprintf("The gem %s would have been installed", i.Name)}, nil
}

func (i *Installed) args() []string {
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
	return args
}
