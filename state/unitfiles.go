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
