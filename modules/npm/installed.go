package npm

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Installed keeps packages installed.
type Installed struct {
	Common
	Pkgs     []string    `arg:"pkgs" doc:"Several packages."`
	Force    bool        `arg:"force_reinstall" doc:"Install anew at every run."`
	Registry string      `arg:"registry" doc:"Where to get them."`
	Env      *value.Dict `arg:"env,env" doc:"The environment of npm."`
}

func installedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "npm.installed",
		Doc:     "Keeps Node packages installed.",
		Example: "gulp-cli@2.3.0:\n  npm.installed: []",
		New:     func() modules.StateFunc { return &Installed{} },
	}
}

// lacking are the packages that are not there, or in another version than a plain one that is asked for. A tag or a
// range ("latest", "^1.2") is met by any version, as in Salt.
func (i *Installed) lacking(ctx context.Context, h host.Reader) ([]string, error) {
	want := i.Pkgs
	if want == nil {
		want = []string{i.Name}
	}
	have, err := i.have(ctx, h)
	var out []string
	for _, spec := range want {
		name, version := split(spec)
		now, there := have[name]
		if !there || plain(version) && now != version || i.Force {
			out = append(out, spec)
		}
	}
	return out, err
}

// plain says whether a version is one, and no tag or range.
func plain(version string) bool {
	return version != "" && strings.Trim(version, "0123456789.") == "" && strings.Count(version, ".") == 2
}

// Act installs them in one call.
func (i *Installed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if _, err := h.LookPath("npm"); err != nil {
		return state.Effect{}, err
	}
	lack, err := i.lacking(ctx, h)
	if err != nil || len(lack) == 0 {
		return state.Settled("Package(s) already installed"), err
	}
	all := strings.Join(lack, ", ")
	e := state.Effect{Once: i.Force, Changes: value.NewDict(len(lack)),
		Comment: fmt.Sprintf("Package(s) '%s' successfully installed", all),
		Preview: fmt.Sprintf("NPM package(s) '%s' are set to be installed", all)}
	versions := map[string]string{}
	for _, spec := range lack {
		e.Changes.SetStr(spec, value.Str("Installed"))
		name, version := split(spec)
		if versions[name] = "installed"; plain(version) {
			versions[name] = version
		}
	}
	args := append([]string{"install"}, lack...)
	if i.Registry != "" {
		args = append(args, "--registry", i.Registry)
	}
	env.Progress("npm install " + strings.Join(lack, " "))
	if err := i.change(ctx, h, i.Env, versions, args...); err != nil {
		return state.Effect{}, fmt.Errorf("Could not install %s: %w", all, err)
	}
	return e, nil
}
