package pip

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func venvSpecs() []modules.ExecSpec {
	look := func(name, doc, program string, params ...string) modules.ExecSpec {
		return modules.NewExec("virtualenv."+name, doc, within(program), append([]string{"venv"}, params...)...)
	}
	return append(modules.Writing(modules.NewExec("virtualenv.create", "Makes a virtual environment.", createVenv,
		"path", "venv_bin=None", "system_site_packages=false", "distribute=false", "clear=false", "python=None",
		"extra_search_dir:list=None", "never_download=None", "prompt=None", "pip=false", "symlinks=None", "upgrade=None",
		"user=None", "use_vt=false", "saltenv=base", "runas=None")), []modules.ExecSpec{
		look("get_site_packages", "Gives the folder of the packages of a virtual environment.",
			`import sysconfig; print(sysconfig.get_path("purelib"))`),
		look("get_distribution_path", "Gives the folder in which a virtual environment has a package.",
			`import sys; from importlib.metadata import distribution as d; print(d(sys.argv[1]).locate_file(""))`,
			"distribution"),
		look("get_resource_path", "Gives the path of a file of a package in a virtual environment.",
			found+`print(path)`, "package=None", "resource=None"),
		look("get_resource_content", "Gives what a file of a package in a virtual environment holds.",
			found+`print(open(path, "rb").read())`, "package=None", "resource=None"),
	}...)
}

// found finds a file of a package.
const found = `import sys, os; from importlib.util import find_spec as f
path = os.path.join(list(f(sys.argv[1]).submodule_search_locations)[0], sys.argv[2])
`

// within asks the Python of an environment; the program is given all parameters but the environment.
func within(program string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		python := c.Str("venv") + "/bin/python"
		if _, err := c.Host.Stat(python); err != nil {
			return nil, value.Raise("CommandExecutionError",
				"Path '%s' does not appear to be a virtualenv: bin/python not found.", c.Str("venv"))
		}
		args := []string{python, "-B", "-c", program}
		for _, p := range []string{"distribution", "package", "resource"} {
			if c.Has(p) {
				args = append(args, c.Str(p))
			}
		}
		out, err := c.Ask(ctx, args...)
		if err != nil {
			return nil, err
		}
		if out.Code != 0 {
			return nil, value.Raise("CommandExecutionError", "%s\n%s", out.Stdout, out.Stderr)
		}
		return value.Str(strings.TrimRight(string(out.Stdout), "\n")), nil
	}
}

func createVenv(ctx context.Context, c *modules.Call) (value.Value, error) {
	v := &Venv{VenvBin: c.Str("venv_bin"), Python: c.Str("python"), System: c.Bool("system_site_packages"),
		Clear: c.Bool("clear"), Prompt: c.Str("prompt"), Extra: c.Strs("extra_search_dir"), Never: c.Bool("never_download"),
		Symlinks: c.Bool("symlinks"), Renew: c.Bool("upgrade")}
	user := c.Str("user")
	if user == "" {
		user = c.Str("runas")
	}
	if what := v.refused(); what != "" {
		return nil, value.Raise("CommandExecutionError", "The `%s`(`--%s`) option is not supported by '%s'", what,
			strings.ReplaceAll(what, "_", "-"), v.VenvBin)
	}
	path := c.Str("path")
	if strings.HasPrefix(path, "-") {
		return nil, fmt.Errorf("virtualenv.create: %s is no path", path)
	}
	if err := v.ready(c.Host, path, user); err != nil {
		return nil, err
	}
	err := v.make(ctx, c.Host, path, user, func() error { return nil })
	if host.IsUnknown(err) {
		return nil, err
	}
	return answer("", err), nil
}
