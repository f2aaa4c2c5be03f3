// Package apache keeps modules, configurations and sites of Debian's Apache enabled, or not: the links that a2enmod and
// its kin make.
package apache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A kind is one of the three things that can be enabled.
type kind struct {
	module, word, dir, enable, disable string
	shown                              string // in comments and changes: "Apache Module"
}

func kinds() []kind {
	return []kind{
		{"apache_module", "module", "mods", "a2enmod", "a2dismod", "Module"},
		{"apache_conf", "configuration", "conf", "a2enconf", "a2disconf", "Conf"},
		{"apache_site", "site", "sites", "a2ensite", "a2dissite", "Site"},
	}
}

// Family lists the functions of the family.
func Family() modules.Family {
	f := modules.Family{Name: "apache"}
	for _, k := range kinds() {
		f.States = append(f.States, k.spec(true), k.spec(false))
	}
	return f
}

// State keeps one thing enabled, or disabled.
type State struct {
	Name string `arg:"name,required" doc:"Its name."`

	kind kind
	on   bool
}

func (k kind) spec(on bool) modules.StateSpec {
	fun, doc := "disabled", "Keeps a "+k.word+" of Apache disabled."
	if on {
		fun, doc = "enabled", "Keeps a "+k.word+" of Apache enabled."
	}
	return modules.StateSpec{
		Name: k.module + "." + fun, Doc: doc, Example: "rewrite:\n  " + k.module + "." + fun + ": []",
		New: func() modules.StateFunc { return &State{kind: k, on: on} },
	}
}

// NeedsRoot is true: only root may change Apache's links.
func (*State) NeedsRoot(*modules.Env) bool { return true }

// files are the endings of a thing's files; the first is the one that counts.
func (k kind) files() []string {
	if k.dir == "mods" {
		return []string{".load", ".conf"}
	}
	return []string{".conf"}
}

func (k kind) enabled(name, ending string) string {
	return "/etc/apache2/" + k.dir + "-enabled/" + name + ending
}

func (k kind) available(name, ending string) string {
	return "/etc/apache2/" + k.dir + "-available/" + name + ending
}

// on says whether a thing is enabled.
func (k kind) on(h host.Reader, name string) (bool, error) {
	_, err := h.Lstat(k.enabled(name, k.files()[0]))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("look at Apache's %s: %w", k.dir, err)
	}
	return err == nil, nil
}

// noted are the names that a module's file lists behind a word, "Depends" or "Conflicts".
func (k kind) noted(h host.Reader, name, word string) []string {
	data, _ := h.ReadFile(k.available(name, k.files()[0]))
	for line := range strings.Lines(string(data)) {
		if names, ok := strings.CutPrefix(line, "# "+word+":"); ok {
			return strings.Fields(names)
		}
	}
	return nil
}

// possible says why a thing cannot be enabled: its file is missing, or a module that it conflicts with is enabled.
func (k kind) possible(h host.Reader, name string) error {
	file := k.available(name, k.files()[0])
	if _, err := h.Stat(file); err != nil {
		return host.Missing("Apache has no %s %s: %s does not exist", k.word, name, file)
	}
	for _, other := range k.noted(h, name, "Conflicts") {
		if on, err := k.on(h, other); on || err != nil {
			return errors.Join(fmt.Errorf("Failed to enable Apache %s %s: %s is enabled, and they conflict", k.word, name,
				other), err)
		}
	}
	return nil
}

// link makes or removes the links of a thing, as a2enmod does: what a module depends on comes along.
func (k kind) link(o host.Host, name string, enable bool) error {
	var errs []error
	for _, ending := range k.files() {
		if _, err := o.Stat(k.available(name, ending)); err == nil && enable {
			errs = append(errs, o.Symlink("../"+k.dir+"-available/"+name+ending, k.enabled(name, ending)))
		} else if err := o.Remove(k.enabled(name, ending)); !enable && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, other := range k.noted(o, name, "Depends") {
		if on, err := k.on(o, other); enable && !on {
			errs = append(errs, err, k.link(o, other, true))
		}
	}
	return errors.Join(errs...)
}

func word(on bool) string {
	if on {
		return "enabled"
	}
	return "disabled"
}

// Act makes or removes the links.
func (s *State) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	name := strings.TrimSuffix(s.Name, s.kind.files()[0])
	on, err := s.kind.on(h, name)
	if err != nil || on == s.on {
		return state.Settled(fmt.Sprintf("%s already %s.", s.Name, word(s.on))), err
	}
	args, old, now := []string{s.kind.disable, "-f", "-q", s.Name}, value.Value(value.Str(s.Name)), value.Value(value.None)
	if s.on {
		args, old, now = []string{s.kind.enable, "-q", s.Name}, now, old
		if err := s.kind.possible(h, name); err != nil {
			return state.Effect{}, err
		}
	}
	e := state.Effect{Changes: value.DictOf("old", old, "new", now),
		Comment: fmt.Sprintf("Apache %s %s was %s", s.kind.shown, s.Name, word(s.on)),
		Preview: fmt.Sprintf("Apache %s %s is set to be %s.", s.kind.shown, s.Name, word(s.on))}
	return e, h.Do(ctx, host.Deed{What: strings.Join(args, " "), On: host.FactApache,
		Do:       func(ctx context.Context) error { return s.run(ctx, h, args) },
		Foretell: func(o host.Host) error { return s.kind.link(o, name, s.on) }})
}

func (s *State) run(ctx context.Context, h host.Host, args []string) error {
	out, err := h.Run(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("run %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return fmt.Errorf("Failed to %s Apache %s %s: %s", strings.TrimSuffix(word(s.on), "d"), s.kind.word, s.Name,
			strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}
