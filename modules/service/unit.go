package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// suffixes are the kinds of unit that systemd knows.
func suffixes() []string {
	return []string{".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer", ".slice", ".scope"}
}

// canonical is systemd's full name of a service: "nginx" is "nginx.service", "cups.socket" is itself.
func canonical(name string) string {
	for _, s := range suffixes() {
		if strings.HasSuffix(name, s) {
			return name
		}
	}
	return name + ".service"
}

// short is the name without ".service", as users write it.
func short(unit string) string { return strings.TrimSuffix(unit, ".service") }

// template says whether the unit is a template without an instance: it can be enabled and not started.
func template(unit string) bool {
	base, _, ok := strings.Cut(unit, "@")
	return ok && strings.HasPrefix(unit[len(base)+1:], ".")
}

// A sight is one service as a state function sees it: what the manager says, and what earlier states promised.
type sight struct {
	provider Provider
	name     string // as the user wrote it
	unit     string // the full name
	now      Unit
	found    bool // the unit exists
	promised bool // it does not yet, and an earlier state would bring it (test mode)
	running  bool
	enabled  bool
	masked   bool
	// fresh: its package was installed in this run and may have started and enabled it before it was configured.
	fresh bool
}

func look(ctx context.Context, env *modules.Env, h host.Reader, name string) (*sight, error) {
	p, err := providerOf(ctx, env.Cache, h)
	if err != nil {
		return nil, err
	}
	s := &sight{provider: p, name: name, unit: p.Canonical(name)}
	if template(s.unit) {
		s.now, err = templateUnit(ctx, p, h, s.unit)
	} else {
		s.now, err = p.Unit(ctx, h, s.unit)
	}
	if err != nil {
		return nil, err
	}
	s.found, s.running, s.enabled, s.masked = s.now.Exists(), s.now.Running(), s.now.Enabled(), s.now.Masked()
	s.recall(h)
	return s, nil
}

// templateUnit finds a template among the unit files: systemd loads only instances.
func templateUnit(ctx context.Context, p Provider, h host.Reader, unit string) (Unit, error) {
	all, err := p.Units(ctx, h)
	for _, u := range all {
		if u.ID == unit {
			return u, err
		}
	}
	return Unit{ID: unit, Load: "not-found"}, err
}

// recall adds what earlier states of the run promised or did.
func (s *sight) recall(h host.Reader) {
	if !s.found {
		s.promised = unitFileExists(h, s.unit)
		if _, ok := h.Fact(host.FactUnit, "*"); ok {
			s.promised = true
		}
	}
	if f, ok := h.Fact(host.FactUnit, s.unit); ok {
		s.fresh = f.Value == "new"
		s.promised = s.promised || !s.found
	}
	if f, ok := h.Fact(host.FactService, s.unit); ok {
		s.promised = s.promised || !s.found
		s.fresh = false
		set := func(dst *bool, key string) {
			if v, ok := f.Attrs[key]; ok {
				*dst = v == "true"
			}
		}
		set(&s.running, "running")
		set(&s.enabled, "enabled")
		set(&s.masked, "masked")
	}
}

// unitFileExists looks where units are read from: in test mode an earlier state may have written one that systemd has not seen.
func unitFileExists(h host.Reader, unit string) bool {
	names := []string{unit}
	if base, instance, ok := strings.Cut(unit, "@"); ok {
		if i := strings.LastIndexByte(instance, '.'); i >= 0 {
			names = append(names, base+"@"+instance[i:])
		}
	}
	for _, dir := range unitDirs() {
		for _, n := range names {
			if _, err := h.Stat(dir + "/" + n); err == nil {
				return true
			}
		}
	}
	_, err := h.Stat("/etc/init.d/" + short(unit))
	return err == nil
}

// promise is what the state leaves for later ones in test mode.
func (s *sight) promise(running, enabled, masked bool) []host.Fact {
	value := "dead"
	if running {
		value = "running"
	}
	return []host.Fact{{Kind: host.FactService, Name: s.unit, Value: value, Attrs: map[string]string{
		"running": fmt.Sprint(running), "enabled": fmt.Sprint(enabled), "masked": fmt.Sprint(masked)}}}
}

// real is the unit's own name: systemd enables and masks a unit, not its alias.
func (s *sight) real() string {
	if s.now.ID != "" && s.now.Exists() {
		return s.now.ID
	}
	return s.unit
}

// missing is the error for a service that is not there, with the nearest name that is.
func (s *sight) missing(h host.Reader) error {
	msg := fmt.Sprintf("The named service %s is not available", s.name)
	if near := diag.Nearest(short(s.unit), unitNames(h)); near != "" {
		msg += fmt.Sprintf("; did you mean %s?", near)
	}
	return errorString(msg)
}

// unitDirs is where units are read from.
func unitDirs() []string {
	return []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}
}

// unitNames are the names of the unit files and init scripts: systemd's own list takes it a second.
func unitNames(h host.Reader) []string {
	var out []string
	for _, dir := range append(unitDirs(), "/etc/init.d") {
		files, _ := h.ReadDir(dir)
		for _, f := range files {
			out = append(out, short(f.Path))
		}
	}
	return out
}

type errorString string

func (e errorString) Error() string { return string(e) }

// cutAt splits the template x@.service into "x" and ".service".
func cutAt(unit string) (base, rest string, ok bool) { return strings.Cut(unit, "@") }
