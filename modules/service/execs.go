package service

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An execFn is an execution function that is given the provider.
type execFn func(ctx context.Context, c *modules.Call, p Provider) (value.Value, error)

func exec(name, doc string, params []string, fn execFn) modules.ExecSpec {
	return modules.ExecSpec{Name: "service." + name, Doc: doc, Params: params,
		Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
			p, err := providerOf(ctx, c.Env, c.Host)
			switch {
			case err != nil:
				return nil, err
			case c.Bool("root"):
				return nil, errors.New("a call works where its run does: give --root to gostate")
			}
			return fn(ctx, c, p)
		}}
}

// A root other than the run's is refused: --root says where a run works.
const root = "root=None"

func execSpecs() []modules.ExecSpec {
	one, rooted := []string{"name:file"}, []string{"name:file", root}
	jobs := func(noBlock string) []string {
		return []string{"name:file", "no_block=" + noBlock, "unmask=false", "unmask_runtime=false"}
	}
	runtime := []string{"name:file", "runtime=false", root}
	return append(modules.Writing(
		exec("start", "Starts the service.", jobs("false"), do(Start)),
		exec("stop", "Stops the service.", []string{"name:file", "no_block=false"}, do(Stop)),
		exec("restart", "Restarts the service.", jobs("false"), do(Restart)),
		exec("reload", "Reloads the service.", jobs("false"), do(Reload)),
		exec("force_reload", "Reloads the service, or restarts it where it cannot.", jobs("true"), do(ReloadOrRestart)),
		exec("enable", "Makes the service start at boot.", append(jobs("false"), root), files(Enable)),
		exec("disable", "Keeps the service from starting at boot.", []string{"name:file", "no_block=false", root},
			files(Disable)),
		exec("mask", "Makes the service impossible to start.", runtime, files(Mask)),
		exec("unmask_", "Makes the service possible to start again.", runtime, files(Unmask)),
		exec("unmask", "Makes the service possible to start again.", runtime, files(Unmask)),
		exec("systemctl_reload", "Makes systemd read its files again.", nil, reloadManager),
	), []modules.ExecSpec{
		exec("available", "Says whether the service exists.", one, unitTest(Unit.Exists)),
		exec("missing", "Says whether the service does not exist.", one, unitTest(func(u Unit) bool { return !u.Exists() })),
		exec("enabled", "Says whether the service starts at boot.", rooted, unitTest(Unit.Enabled)),
		exec("disabled", "Says whether the service does not start at boot.", rooted,
			unitTest(func(u Unit) bool { return !u.Enabled() })),
		exec("masked", "Says whether the service is masked.", runtime, masked),
		exec("status", "Says whether the service runs; for a pattern, a map of those that match.",
			[]string{"name", "sig=None"}, status),
		exec("get_all", "Lists all services.", []string{root}, list(func(Unit) bool { return true })),
		exec("get_enabled", "Lists the services that start at boot.", []string{root},
			list(func(u Unit) bool { return u.FileState == "enabled" })),
		exec("get_disabled", "Lists the services that do not start at boot.", []string{root},
			list(func(u Unit) bool { return u.FileState == "disabled" })),
		exec("get_static", "Lists the services that are static.", []string{root},
			list(func(u Unit) bool { return u.FileState == "static" })),
		exec("get_running", "Lists the services that run.", nil, running),
		exec("show", "Shows what systemd knows of the service.", rooted, show),
		exec("execs", "Tells the program that each service starts.", []string{root}, execs),
		exec("offline", "Says whether services can be enabled and not started, as below --root.", nil, offline),
	}...)
}

func unitTest(is func(Unit) bool) execFn {
	return func(ctx context.Context, c *modules.Call, _ Provider) (value.Value, error) {
		s, err := look(ctx, c.Env, c.Host, c.Str("name"))
		if err != nil {
			return nil, err
		}
		return value.Bool(is(s.now)), nil
	}
}

func masked(ctx context.Context, c *modules.Call, _ Provider) (value.Value, error) {
	s, err := look(ctx, c.Env, c.Host, c.Str("name"))
	if err != nil {
		return nil, err
	}
	return value.Bool(s.masked(c.Host, c.Bool("runtime"))), nil
}

// status of a pattern is that of all services that it fits.
func status(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	name := c.Str("name")
	if !strings.ContainsAny(name, "*?[") {
		return unitTest(Unit.Running)(ctx, c, p)
	}
	all, err := sorted(ctx, c, p)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, u := range all {
		if ok, _ := path.Match(name, short(u.ID)); ok && u.FileState != "" {
			out.SetStr(short(u.ID), value.Bool(u.Running()))
		}
	}
	return out, nil
}

// sorted are all units in the order of their names.
func sorted(ctx context.Context, c *modules.Call, p Provider) ([]Unit, error) {
	all, err := p.Units(ctx, c.Host)
	slices.SortFunc(all, func(a, b Unit) int { return strings.Compare(short(a.ID), short(b.ID)) })
	return all, err
}

func do(verb Verb) execFn {
	return changed(func(ctx context.Context, c *modules.Call, s *sight) error {
		return s.deed(ctx, c.Host, string(verb), func(ctx context.Context) error {
			if s.now.NeedReload {
				if err := s.provider.ReloadManager(ctx, c.Host); err != nil {
					return err
				}
			}
			return s.provider.Do(ctx, c.Host, verb, s.unit, !c.Bool("no_block"))
		}, s.reaches(verb != Stop))
	})
}

func files(verb FileVerb) execFn {
	return changed(func(ctx context.Context, c *modules.Call, s *sight) error {
		runtime := c.Bool("runtime")
		if verb == Unmask && !s.masked(c.Host, runtime) {
			return nil
		}
		return s.files(ctx, c.Host, verb, runtime)
	})
}

// changed does something to a service, unmasked before where that is asked for, and gives True.
func changed(deed func(ctx context.Context, c *modules.Call, s *sight) error) execFn {
	return func(ctx context.Context, c *modules.Call, _ Provider) (value.Value, error) {
		s, err := look(ctx, c.Env, c.Host, c.Str("name"))
		if err == nil {
			err = Uncover{c.Bool("unmask"), c.Bool("unmask_runtime")}.uncover(ctx, c.Host, s)
		}
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
	h := c.Host
	err := h.Do(ctx, host.Deed{What: "reload systemd", On: host.FactService,
		Foretell: func(host.Host) error { return nil },
		Do:       func(ctx context.Context) error { return p.ReloadManager(ctx, h) }})
	if err != nil {
		return nil, err
	}
	return value.Bool(true), nil
}

// list gives the services whose files say so: units without a file (devices, scopes) are no services.
func list(is func(Unit) bool) execFn {
	return func(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
		return pick(ctx, c, p, func(u Unit) bool { return u.FileState != "" && is(u) })
	}
}

func running(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	return pick(ctx, c, p, func(u Unit) bool { return u.Sub == "running" })
}

func pick(ctx context.Context, c *modules.Call, p Provider, is func(Unit) bool) (value.Value, error) {
	all, err := p.Units(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, u := range all {
		if kind := path.Ext(u.ID); kind == ".slice" || kind == ".scope" {
			continue // not among Salt's services
		}
		if u.FileState = scripted(c.Host, u.ID, u.FileState); is(u) {
			names = append(names, short(u.ID))
		}
	}
	slices.Sort(names)
	return value.From(names), nil
}

func offline(_ context.Context, c *modules.Call, _ Provider) (value.Value, error) {
	return value.Bool(systemctl{root: c.Host.Root()}.offline()), nil
}

// show gives the properties that systemctl prints, in Salt's form: a structure is a map, an order a list.
func show(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	all, err := properties(ctx, c.Host, p.Canonical(c.Str("name")))
	if err != nil || len(all) == 0 {
		return value.NewDict(0), err
	}
	return all[0], nil
}

func properties(ctx context.Context, h host.Reader, words ...string) ([]*value.Dict, error) {
	out, err := h.Query(ctx, host.Cmd{Args: append([]string{"systemctl", "show", "--no-pager"}, words...)})
	if err != nil {
		return nil, fmt.Errorf("systemctl show: %w", err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("systemctl show: %s", lastLine(out))
	}
	var all []*value.Dict
	for text := range strings.SplitSeq(strings.TrimSpace(string(out.Stdout)), "\n\n") {
		one := value.NewDict(0)
		for line := range strings.SplitSeq(text, "\n") {
			key, val, _ := strings.Cut(line, "=")
			one.SetStr(key, property(key, val))
		}
		all = append(all, one)
	}
	return all, nil
}

func property(key, val string) value.Value {
	if !strings.HasPrefix(val, "{") {
		if key == "Before" || key == "After" || key == "Wants" {
			return value.From(strings.Fields(val))
		}
		return value.Str(val)
	}
	out := value.NewDict(0)
	for item := range strings.SplitSeq(strings.NewReplacer("{", "", "}", "").Replace(val), " ; ") {
		k, v, _ := strings.Cut(item, "=")
		out.SetStr(strings.TrimSpace(k), value.Str(strings.TrimSpace(v)))
	}
	return out
}

func execs(ctx context.Context, c *modules.Call, p Provider) (value.Value, error) {
	all, err := sorted(ctx, c, p)
	if err != nil {
		return nil, err
	}
	words := []string{"--property=Id,ExecStart", "--"}
	for _, u := range all {
		if u.FileState != "" && !template(u.ID) {
			words = append(words, u.ID)
		}
	}
	shown, err := properties(ctx, c.Host, words...)
	out := value.NewDict(len(shown))
	for _, one := range shown {
		id, _ := one.GetStr("Id")
		if start, ok := one.GetStr("ExecStart"); ok {
			if d, ok := start.(*value.Dict); ok {
				program, _ := d.GetStr("path")
				out.SetStr(short(value.String(id)), program)
			}
		}
	}
	return out, err
}
