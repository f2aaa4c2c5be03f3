package state

import (
	"path"
	"slices"
	"strings"
)

// makeUnit notes the unit that the file at a path belongs to.
func (r *Relations) makeUnit(p string) {
	dir, base := path.Split(p)
	dir = path.Clean(dir)
	switch {
	case dir == "/etc/init.d":
		r.Makes = append(r.Makes, Thing{ThingUnit, base + ".service"})
	case isUnitDir(dir):
		r.Makes = append(r.Makes, Thing{ThingUnit, strings.TrimSuffix(base, ".d")})
	case strings.HasSuffix(dir, ".d") && isUnitDir(path.Dir(dir)):
		r.Makes = append(r.Makes, Thing{ThingUnit, strings.TrimSuffix(path.Base(dir), ".d")})
	}
}

// isUnitDir says whether systemd reads its units of the system there.
func isUnitDir(dir string) bool {
	return strings.HasSuffix(dir, "/systemd/system") && slices.Contains([]string{"/etc", "/lib", "/usr/lib",
		"/usr/local/lib", "/run"}, strings.TrimSuffix(dir, "/systemd/system"))
}

// NeedUnit notes that a state stands on the files of a unit, whose ".service" may be left out; and, where it is one of
// a template, on those of the template.
func (r *Relations) NeedUnit(name string) {
	if path.Ext(name) == "" || !slices.Contains([]string{".service", ".socket", ".timer", ".path", ".mount", ".target",
		".automount", ".swap", ".slice", ".scope", ".device"}, path.Ext(name)) {
		name += ".service"
	}
	r.Need(TieUnit, name)
	if base, _, ok := strings.Cut(name, "@"); ok {
		r.Need(TieUnit, base+"@"+path.Ext(name))
	}
}
