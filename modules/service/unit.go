package service

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// suffixes are the kinds of unit that systemd knows.
func suffixes() []string {
	return []string{".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer",
		".slice", ".scope"}
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
	promised bool // it does not exist yet, and an earlier state would bring it (test mode)
	// fresh: its package was installed in this run and may have started and enabled it before it was configured.
	fresh bool
}

func look(ctx context.Context, env *modules.Env, h host.Reader, name string) (*sight, error) {
	p, err := providerOf(ctx, env, h)
	if err != nil {
		return nil, err
	}
	s := &sight{provider: p, name: name, unit: p.Canonical(name)}
	if template(s.unit) {
		s.now, err = templateUnit(ctx, p, h, s.unit)
	} else {
		s.now, err = p.Unit(ctx, h, s.unit)
	}
	if err == nil {
		s.now.FileState = scripted(h, s.unit, s.now.FileState)
		s.recall(h)
	}
	return s, err
}

// scripted is whether a service starts at boot which systemd made of a script in /etc/init.d: its links tell.
func scripted(h host.Reader, unit, state string) string {
	if _, err := h.Stat(scripts + "/" + short(unit)); state != "generated" || err != nil {
		return state
	}
	if startLink(h, short(unit)) {
		return "enabled"
	}
	return "disabled"
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
	if f, ok := h.Fact(host.FactService, s.unit); ok {
		s.now.Active, s.now.FileState, s.now.Load = f.Value, f.Attrs["file"], "loaded"
		return
	}
	_, any := h.Fact(host.FactUnit, "*")
	f, ok := h.Fact(host.FactUnit, s.unit)
	s.fresh = f.Value == "new"
	s.promised = !s.now.Exists() && (any || ok || unitFileExists(h, s.unit))
}

// deed has the manager change the service; on an overlay, what then is so is promised.
func (s *sight) deed(ctx context.Context, h host.Host, verb string, do func(ctx context.Context) error,
	then func(o host.Host) error) error {
	return h.Do(ctx, host.Deed{What: verb + " " + s.unit, On: host.FactService, Do: do, Foretell: func(o host.Host) error {
		if err := s.provider.Refuses(ctx, o, verb, s.unit); err != nil {
			return err
		}
		if err := then(o); err != nil {
			return err
		}
		o.Promise(host.Fact{Kind: host.FactService, Name: s.unit, Value: s.now.Active,
			Attrs: map[string]string{"file": s.now.FileState}})
		return nil
	}})
}

// files has the manager change whether the service starts; runtime means until the next boot.
func (s *sight) files(ctx context.Context, h host.Host, verb FileVerb, runtime bool) error {
	return s.deed(ctx, h, string(verb), func(ctx context.Context) error {
		if verb == Enable {
			if err := s.reloadManager(ctx, h); err != nil {
				return err
			}
		}
		err := s.provider.Files(ctx, h, verb, s.real(), runtime)
		if err == nil && verb == Unmask {
			s.now, err = s.provider.Unit(ctx, h, s.unit)
		}
		return err
	}, func(o host.Host) error { return s.foretell(o, verb, runtime) })
}

// foretell leaves what the manager would leave: masks are links, of the rest the state is enough.
func (s *sight) foretell(o host.Host, verb FileVerb, runtime bool) error {
	mask, end := maskDir(runtime)+s.real(), ""
	if runtime {
		end = "-runtime"
	}
	switch verb {
	case Enable:
		if s.now.Masked() {
			return fmt.Errorf("Failed to enable unit: Unit file %s is masked.", s.unit)
		}
		s.now.FileState = "enabled" + end
	case Disable:
		s.now.FileState = "disabled"
	case Mask:
		if _, err := o.Lstat(mask); err == nil && !s.masked(o, runtime) {
			return fmt.Errorf("Failed to mask unit: File %s already exists.", mask)
		}
		s.now.FileState = "masked" + end
		return errors.Join(modules.MakeDirs(o, path.Dir(mask), host.KeepAttr()), o.Symlink("/dev/null", mask))
	case Unmask:
		s.now.FileState = atBoot(o, s.real())
		err := o.Remove(mask)
		switch {
		case s.masked(o, false):
			s.now.FileState = "masked"
		case s.masked(o, true):
			s.now.FileState = "masked-runtime"
		}
		return err
	}
	return nil
}

// atBoot is the unit file state of a unit that is not masked, as its links tell it.
func atBoot(h host.Reader, unit string) string {
	dirs, _ := h.ReadDir("/etc/systemd/system")
	for _, d := range dirs {
		if _, err := h.Lstat("/etc/systemd/system/" + d.Path + "/" + unit); err == nil {
			return "enabled"
		}
	}
	return "disabled"
}

// unitFileExists looks where units are read from: in test mode an earlier state may have written one that systemd has
// not seen.
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
	return host.Missing("%s", msg)
}

// unitDirs is where units are read from.
func unitDirs() []string {
	return []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
		"/usr/lib/systemd/system", "/lib/systemd/system"}
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

// cutAt splits the template x@.service into "x" and ".service".
func cutAt(unit string) (base, rest string, ok bool) { return strings.Cut(unit, "@") }
