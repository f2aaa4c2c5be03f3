// Package apache keeps modules, configurations and sites of Debian's Apache enabled, or not: the links that a2enmod and its kin make.
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
	Name string `arg:"name,required" doc:"its name"`

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

// Locks keeps other changes of Apache out.
func (*State) Locks() []string { return []string{"apache"} }

// NeedsRoot is true: only root may change Apache's links.
func (*State) NeedsRoot(*modules.Env) bool { return true }

func (s *State) suffix() string {
	if s.kind.dir == "mods" {
		return ".load"
	}
	return ".conf"
}

// enabled says whether the link is there, and whether there is something to link to.
func (s *State) enabled(h host.Reader) (on, available bool, err error) {
	name := strings.TrimSuffix(s.Name, s.suffix())
	_, err = h.Lstat("/etc/apache2/" + s.kind.dir + "-enabled/" + name + s.suffix())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, false, fmt.Errorf("look at Apache's %s: %w", s.kind.dir, err)
	}
	on = err == nil
	if f, ok := h.Fact(host.FactApache, s.kind.module+" "+name); ok {
		on = f.Value == "enabled"
	}
	_, err = h.Stat("/etc/apache2/" + s.kind.dir + "-available/" + name + s.suffix())
	return on, err == nil, nil
}

func word(on bool) string {
	if on {
		return "enabled"
	}
	return "disabled"
}

// Check says whether the link would change.
func (s *State) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	on, available, err := s.enabled(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if on == s.on {
		return state.Forecast{Comment: fmt.Sprintf("%s already %s.", s.Name, word(s.on))}, nil
	}
	if _, coming := h.Fact(host.FactUnit, "*"); s.on && !available && !coming {
		return state.Forecast{}, fmt.Errorf("Apache has no %s %s: /etc/apache2/%s-available/%s%s does not exist", s.kind.word, s.Name, s.kind.dir, s.Name, s.suffix())
	}
	var old, now value.Value = value.Str(s.Name), value.None
	if s.on {
		old, now = now, old
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("old", old, "new", now), Comment: fmt.Sprintf("Apache %s %s is set to be %s.", s.kind.shown, s.Name, word(s.on)),
		Effects: []host.Fact{{Kind: host.FactApache, Name: s.kind.module + " " + strings.TrimSuffix(s.Name, s.suffix()), Value: word(s.on)}}}, nil
}

// Apply makes or removes the link.
func (s *State) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	args := []string{s.kind.disable, "-f", "-q", s.Name}
	if s.on {
		args = []string{s.kind.enable, "-q", s.Name}
	}
	out, err := h.Run(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return state.Applied{}, fmt.Errorf("run %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return state.Applied{}, fmt.Errorf("Failed to %s Apache %s %s: %s", strings.TrimSuffix(word(s.on), "d"), s.kind.word, s.Name, strings.TrimSpace(string(out.Stderr)))
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Apache %s %s was %s", s.kind.shown, s.Name, word(s.on))}, nil
}
