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
	Pkgs     []string    `arg:"pkgs" doc:"several packages"`
	Force    bool        `arg:"force_reinstall" doc:"install anew at every run"`
	Registry string      `arg:"registry" doc:"where to get them"`
	Env      *value.Dict `arg:"env" doc:"the environment of npm"`
}

func installedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "npm.installed",
		Doc:     "Keeps Node packages installed.",
		Example: "gulp-cli@2.3.0:\n  npm.installed: []",
		New:     func() modules.StateFunc { return &Installed{} },
	}
}

// lacking are the packages that are not there, or in another version than a plain one that is asked for. A tag or a range
// ("latest", "^1.2") is met by any version, as in Salt.
func (i *Installed) lacking(ctx context.Context, h host.Reader) ([]string, error) {
	want := i.Pkgs
	if want == nil {
		want = []string{i.Name}
	}
	have, err := i.have(ctx, h)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, spec := range want {
		name, version := split(spec)
		now, there := have[name]
		plain := version != "" && strings.Trim(version, "0123456789.") == "" && strings.Count(version, ".") == 2
		if !there || plain && now != version || i.Force {
			out = append(out, spec)
		}
	}
	return out, nil
}

// Check says what would be installed.
func (i *Installed) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	lack, err := i.lacking(ctx, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if len(lack) == 0 {
		return state.Forecast{Comment: "Package(s) already installed"}, nil
	}
	f := state.Forecast{Pending: true, Action: i.Force, Changes: value.NewDict(len(lack)), Comment: fmt.Sprintf("NPM package(s) '%s' are set to be installed", strings.Join(lack, ", "))}
	for _, l := range lack {
		f.Changes.SetStr(l, value.Str("Installed"))
	}
	return f, nil
}

// Apply installs them in one call.
func (i *Installed) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	lack, err := i.lacking(ctx, h)
	if err != nil {
		return state.Applied{}, err
	}
	args := append([]string{"install"}, lack...)
	if i.Registry != "" {
		args = append(args, "--registry", i.Registry)
	}
	env.Progress("npm install " + strings.Join(lack, " "))
	out, err := h.Run(ctx, i.cmd(i.Env, args...))
	if err != nil {
		return state.Applied{}, fmt.Errorf("run npm: %w", err)
	}
	if out.Code != 0 {
		return state.Applied{}, fmt.Errorf("Could not install %s: %s", strings.Join(lack, ", "), reason(out))
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Package(s) '%s' successfully installed", strings.Join(lack, ", "))}, nil
}
