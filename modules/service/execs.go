package service

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An execFn is an execution function that is given the provider.
type execFn func(ctx context.Context, c *modules.Call, p Provider) (value.Value, error)

func exec(name, doc string, params []string, fn execFn) modules.ExecSpec {
	return modules.ExecSpec{Name: "service." + name, Doc: doc, Params: params, Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
		p, err := providerOf(ctx, c.World.Cache, c.World.Host)
		if err != nil {
			return nil, err
		}
		return fn(ctx, c, p)
	}}
}

func execSpecs() []modules.ExecSpec {
	one := []string{"name", "**kwargs"}
	return append(modules.Writing(
		exec("start", "Starts the service.", []string{"name", "no_block=false", "**kwargs"}, do(Start)),
		exec("stop", "Stops the service.", []string{"name", "no_block=false", "**kwargs"}, do(Stop)),
		exec("restart", "Restarts the service.", []string{"name", "no_block=false", "**kwargs"}, do(Restart)),
		exec("reload", "Reloads the service.", []string{"name", "no_block=false", "**kwargs"}, do(Reload)),
		exec("force_reload", "Reloads the service, or restarts it where it cannot.", []string{"name", "no_block=false", "**kwargs"}, do(ReloadOrRestart)),
		exec("enable", "Makes the service start at boot.", one, files(Enable)),
		exec("disable", "Keeps the service from starting at boot.", one, files(Disable)),
		exec("mask", "Makes the service impossible to start.", []string{"name", "runtime=false", "**kwargs"}, files(Mask)),
		exec("unmask_", "Makes the service possible to start again.", []string{"name", "runtime=false", "**kwargs"}, files(Unmask)),
		exec("unmask", "Makes the service possible to start again.", []string{"name", "runtime=false", "**kwargs"}, files(Unmask)),
		exec("systemctl_reload", "Makes systemd read its files again.", nil, reloadManager),
	), []modules.ExecSpec{
		exec("available", "Says whether the service exists.", one, unitTest(Unit.Exists)),
		exec("missing", "Says whether the service does not exist.", one, unitTest(func(u Unit) bool { return !u.Exists() })),
		exec("enabled", "Says whether the service starts at boot.", one, unitTest(Unit.Enabled)),
		exec("disabled", "Says whether the service does not start at boot.", one, unitTest(func(u Unit) bool { return !u.Enabled() })),
		exec("masked", "Says whether the service is masked.", []string{"name", "runtime=false", "**kwargs"}, masked),
		exec("status", "Says whether the service runs; for a pattern, a map of those that match.", []string{"name", "sig=None", "**kwargs"}, status),
		exec("get_all", "Lists all services.", []string{"root=None"}, list(func(Unit) bool { return true })),
		exec("get_enabled", "Lists the services that start at boot.", []string{"root=None"}, list(func(u Unit) bool { return u.FileState == "enabled" })),
		exec("get_disabled", "Lists the services that do not start at boot.", []string{"root=None"}, list(func(u Unit) bool { return u.FileState == "disabled" })),
		exec("get_static", "Lists the services that are static.", []string{"root=None"}, list(func(u Unit) bool { return u.FileState == "static" })),
		exec("get_running", "Lists the services that run.", nil, list(Unit.Running)),
		exec("show", "Shows what systemd knows of the service.", []string{"name"}, show),
	}...)
}

func unitTest(is func(Unit) bool) execFn {
	return func(ctx context.Context, c *modules.Call, _ Provider) (value.Value, error) {
		s, err := look(ctx, c.World.Cache, c.World.Host, c.Str("name"))
		if err != nil {
			return nil, err
		}
		return value.Bool(is(s.now)), nil
	}
}

func masked(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	want := "masked"
	if c.Bool("runtime") {
		want = "masked-runtime"
	}
	return unitTest(func(u Unit) bool { return u.FileState == want })(ctx, c, p)
}

func status(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	name := c.Str("name")
	if !strings.ContainsAny(name, "*?[") {
		return unitTest(Unit.Running)(ctx, c, p)
	}
	all, err := p.Units(ctx, c.World.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, u := range all {
		if ok, _ := path.Match(name, short(u.ID)); ok && strings.HasSuffix(u.ID, ".service") {
			out.SetStr(short(u.ID), value.Bool(u.Running()))
		}
	}
	return out, nil
}

func do(verb Verb) execFn {
	return changed(func(ctx context.Context, c *modules.Call, s *sight) error {
		return s.deed(ctx, c.World.Host, string(verb), func(ctx context.Context) error {
			if s.now.NeedReload {
				if err := s.provider.ReloadManager(ctx, c.World.Host); err != nil {
					return err
				}
			}
			return s.provider.Do(ctx, c.World.Host, verb, s.unit, !c.Bool("no_block"))
		}, s.reaches(verb != Stop))
	})
}

func files(verb FileVerb) execFn {
	return changed(func(ctx context.Context, c *modules.Call, s *sight) error {
		return s.files(ctx, c.World.Host, verb, c.Has("runtime") && c.Bool("runtime"))
	})
}

// changed does something to a service and gives True.
func changed(deed func(ctx context.Context, c *modules.Call, s *sight) error) execFn {
	return func(ctx context.Context, c *modules.Call, _ Provider) (value.Value, error) {
		s, err := look(ctx, c.World.Cache, c.World.Host, c.Str("name"))
		if err == nil {
			err = deed(ctx, c, s)
		}
		if err != nil {
			return nil, err
		}
		return value.Bool(true), nil
	}
}

func reloadManager(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	h := c.World.Host
	err := h.Do(ctx, host.Deed{What: "reload systemd", On: host.FactService, Foretell: func(host.Host) error { return nil },
		Do: func(ctx context.Context) error { return p.ReloadManager(ctx, h) }})
	if err != nil {
		return nil, err
	}
	return value.Bool(true), nil
}

func list(is func(Unit) bool) execFn {
	return func(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
		all, err := p.Units(ctx, c.World.Host)
		if err != nil {
			return nil, err
		}
		out := value.NewList()
		for _, u := range all {
			if is(u) && u.Exists() {
				out.Items = append(out.Items, value.Str(short(u.ID)))
			}
		}
		return out, nil
	}
}

func show(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	u, err := p.Unit(ctx, c.World.Host, p.Canonical(c.Str("name")))
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", c.Str("name"), err)
	}
	return value.DictOf("Id", value.Str(u.ID), "LoadState", value.Str(u.Load), "ActiveState", value.Str(u.Active), "SubState", value.Str(u.Sub),
		"UnitFileState", value.Str(u.FileState), "FragmentPath", value.Str(u.Fragment), "NeedDaemonReload", value.Bool(u.NeedReload),
		"CanReload", value.Bool(u.CanReload)), nil
}
