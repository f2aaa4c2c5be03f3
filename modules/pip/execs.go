package pip

import (
	"context"
	"errors"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

type execFn func(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error)

// exec is a function that is given the pip of its arguments; some are its own parameters, before those that name the
// pip.
func exec(name, doc string, own []string, fn execFn) modules.ExecSpec {
	params := append(own, "bin_env=None", "user=None", "cwd=None", "env_vars:map+env=None")
	return modules.ExecSpec{Name: "pip." + name, Doc: doc, Params: params,
		Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
			return fn(ctx, c, &Installed{Common: Common{BinEnv: c.Str("bin_env"), User: c.Str("user"), Cwd: c.Str("cwd"),
				EnvVars: c.Dict("env_vars")}})
		}}
}

func execSpecs() []modules.ExecSpec {
	return append(modules.Writing(
		exec("install", "Installs packages, as the state pip.installed does.",
			[]string{"pkgs:list=None", "requirements:list=None", "editable=None", "upgrade=false", "force_reinstall=false"},
			install),
		exec("uninstall", "Removes packages.", []string{"pkgs:list=None"}, uninstall),
	), []modules.ExecSpec{
		exec("list", "Lists the installed packages with their versions, those whose name begins with prefix.",
			[]string{"prefix=None"}, list),
		exec("freeze", "Lists the installed packages as requirements.", nil, freeze),
		exec("version", "Gives the version of pip, empty where there is none.", nil, version),
		exec("is_installed", "Says whether the package is installed.", []string{"pkgname"}, isInstalled),
		exec("list_upgrades", "Lists the packages of which the index has newer versions.", nil, listUpgrades),
		exec("upgrade_available", "Says whether the index has a newer version of the package.", []string{"pkg"},
			upgradeAvailable),
	}...)
}

// versions are the installed packages by the names that they have.
func versions(ctx context.Context, c *modules.Call, pip *Installed) (*value.Dict, error) {
	out, err := pip.ask(ctx, c.Host, "list", "--format=freeze")
	if err != nil {
		return nil, err
	}
	all := value.NewDict(0)
	for line := range strings.Lines(string(out.Stdout)) {
		if n, v, ok := strings.Cut(strings.TrimSpace(line), "=="); ok {
			all.SetStr(n, value.Str(v))
		}
	}
	return all, nil
}

func list(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	all, err := versions(ctx, c, pip)
	if err != nil {
		return nil, err
	}
	out, prefix := value.NewDict(0), strings.ToLower(c.Str("prefix"))
	for n, v := range all.All() {
		if strings.HasPrefix(strings.ToLower(value.String(n)), prefix) {
			out.Set(n, v)
		}
	}
	return out, nil
}

func freeze(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	all, err := pip.frozen(ctx, c.Host)
	return value.From(all), err
}

func version(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	out, err := pip.ask(ctx, c.Host, "--version")
	if err != nil {
		return value.Str(""), nil // as Salt, which asks it whether there is one
	}
	words := append(strings.Fields(string(out.Stdout)), "", "")
	return value.Str(words[1]), nil
}

func isInstalled(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	have, err := pip.have(ctx, c.Host)
	_, ok := have[normal(c.Str("pkgname"))]
	return value.Bool(ok), err
}

func listUpgrades(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	newer, err := pip.outdated(ctx, c.Host)
	return value.From(newer), err
}

func upgradeAvailable(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	newer, err := pip.outdated(ctx, c.Host)
	for _, n := range newer {
		if n == normal(c.Str("pkg")) {
			return value.Bool(true), err
		}
	}
	return value.Bool(false), err
}

func install(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	pip.Pkgs, pip.Requirements, pip.Editable = c.Strs("pkgs"), c.Strs("requirements"), c.Str("editable")
	pip.Upgrade, pip.Force = c.Bool("upgrade"), c.Bool("force_reinstall")
	if pip.Pkgs == nil && pip.Requirements == nil && pip.Editable == "" {
		return nil, errors.New("pip.install needs pkgs, requirements or editable")
	}
	e, err := pip.Act(ctx, c.Env, c.Host)
	return answer(e.Comment, err), nil
}

func uninstall(ctx context.Context, c *modules.Call, pip *Installed) (value.Value, error) {
	names := c.Strs("pkgs")
	if names == nil {
		return nil, errors.New("pip.uninstall needs pkgs")
	}
	err := c.Host.Do(ctx, host.Deed{What: "pip uninstall " + strings.Join(names, " "), On: host.FactLibrary,
		Do: func(ctx context.Context) error {
			_, err := pip.run(ctx, c.Host, append([]string{"uninstall", "-y"}, names...)...)
			return err
		},
		Foretell: func(o host.Host) error {
			gone := map[string]string{}
			for _, n := range names {
				gone[normal(n)] = ""
			}
			pip.promise(o, gone)
			return nil
		}})
	return answer("", err), nil
}

// answer is what a command of pip gave, in Salt's form.
func answer(out string, err error) *value.Dict {
	code, fault := 0, ""
	if err != nil {
		code, fault = 1, err.Error()
	}
	return value.DictOf("retcode", value.Int(code), "stdout", value.Str(out), "stderr", value.Str(fault))
}
