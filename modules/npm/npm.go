// Package npm keeps Node packages installed, or not, through the npm command: for the whole machine, or in a folder.
package npm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "npm", States: []modules.StateSpec{installedSpec(), removedSpec()}}
}

// Common are the arguments that say where, and as whom.
type Common struct {
	Name string `arg:"name,required" doc:"The package; name@version for a version."`
	Dir  string `arg:"dir,path" doc:"The folder; the whole machine when not given."`
	User string `arg:"user,word" doc:"Who runs npm."`
}

func (c *Common) cmd(env *value.Dict, args ...string) host.Cmd {
	if c.Dir == "" {
		args = append(args, "--global")
	}
	cmd := host.Cmd{Args: append([]string{"npm"}, args...), RunAs: c.User, Dir: c.Dir,
		Env: []string{"LC_ALL=C.UTF-8", "NPM_CONFIG_FUND=false", "NPM_CONFIG_AUDIT=false"}}
	if env != nil {
		for k, v := range env.All() {
			cmd.Env = append(cmd.Env, value.String(k)+"="+value.String(v))
		}
	}
	return cmd
}

// have are the installed packages with their versions, and what earlier states of a preview promised.
func (c *Common) have(ctx context.Context, h host.Reader) (map[string]string, error) {
	cmd := c.cmd(nil, "list", "--json", "--depth=0")
	// it makes no ~/.npm
	cmd.Env = append(cmd.Env, "NPM_CONFIG_CACHE=/tmp", "NPM_CONFIG_LOGS_MAX=0", "NPM_CONFIG_UPDATE_NOTIFIER=false")
	out, err := h.Query(ctx, cmd)
	if err != nil {
		return nil, fmt.Errorf("ask npm what is installed: %w", err)
	}
	var doc struct {
		Dependencies map[string]struct{ Version string }
	}
	// the exit code is no help: it tells of peers that are missing
	if err := json.Unmarshal(out.Stdout, &doc); err != nil {
		return nil, fmt.Errorf("ask npm what is installed: %s", reason(out))
	}
	m := map[string]string{}
	for n, d := range doc.Dependencies {
		if d.Version != "" {
			m[n] = d.Version
		}
	}
	modules.Promised(h, c.fact(), m)
	return m, nil
}

// fact is how the names of what is promised of packages begin.
func (c *Common) fact() string { return "npm " + c.Dir + " " }

// change runs npm; then there are the packages in these versions, "" for none.
func (c *Common) change(ctx context.Context, h host.Host, env *value.Dict, versions map[string]string,
	args ...string) error {
	return h.Do(ctx, host.Deed{What: "npm " + strings.Join(args, " "), On: host.FactLibrary,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, c.cmd(env, args...))
			if err == nil && out.Code != 0 {
				err = errors.New(reason(out))
			}
			return err
		},
		Foretell: func(o host.Host) error {
			modules.PromiseLibraries(o, c.fact(), versions)
			return nil
		}})
}

func reason(out *host.Output) string {
	for line := range strings.Lines(string(out.Stderr)) {
		l := strings.TrimSpace(line)
		if l = strings.TrimPrefix(strings.TrimPrefix(l, "npm ERR! "), "npm error "); l != "" &&
			!strings.HasPrefix(l, "npm warn") && !strings.HasPrefix(l, "code ") {
			return l
		}
	}
	return fmt.Sprintf("it ended with exit code %d", out.Code)
}

// split parts a package from its version: "@scope/x@1.0" is "@scope/x" and "1.0".
func split(spec string) (name, version string) {
	if i := strings.LastIndexByte(spec, '@'); i > 0 {
		return spec[:i], spec[i+1:]
	}
	return spec, ""
}
