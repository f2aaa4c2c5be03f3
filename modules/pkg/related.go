package pkg

import "github.com/gostate/gostate/state"

// relate says of a state that it makes the packages that it names.
func (s *Selection) relate(r *state.Relations, files Sources) {
	if len(s.Pkgs)+len(files) == 0 {
		r.Make(state.ThingPackage, s.Name)
	}
	for _, t := range s.Pkgs {
		r.Make(state.ThingPackage, t.Name)
	}
	for _, t := range files {
		r.Make(state.ThingPackage, t.Name)
		r.Need(state.TieGiven, t.Source)
	}
}

// Relate says what pkg.installed makes, and the package files that it stands on. It waits for no source of packages: a
// package may be what the source needs.
func (p *Installed) Relate(r *state.Relations) { p.relate(r, p.Sources) }

// Relate says what pkg.latest makes.
func (l *Latest) Relate(r *state.Relations) { l.relate(r, nil) }
