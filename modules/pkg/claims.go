package pkg

import (
	"strings"

	"github.com/gostate/gostate/modules"
)

// keeps tells that a state keeps packages. A range of versions leaves it to others which one it is.
func (s *Selection) keeps(c *modules.Claims, what, version string) {
	for _, t := range s.claimed(version) {
		if !c.Thing("package", t.Name) {
			continue
		}
		c.Is("", what)
		if !strings.ContainsAny(t.Version, "<>=!*?[, ") {
			c.Wants("version", t.Version)
		}
	}
}

// claimed are the packages, without memory for the one that has the state's name.
func (s *Selection) claimed(version string) []Target {
	if s.Pkgs != nil {
		return s.Pkgs
	}
	return []Target{{Name: s.Name, Version: version}}
}

// Claim tells that it keeps the packages.
func (i *Installed) Claim(c *modules.Claims) {
	for _, t := range i.Sources {
		if c.Thing("package", t.Name) {
			c.Is("", "installed")
		}
	}
	if len(i.Sources) == 0 {
		i.keeps(c, "installed", i.Version)
	}
}

// Claim tells that it keeps the packages at their newest versions.
func (l *Latest) Claim(c *modules.Claims) { l.keeps(c, "installed", "latest") }

// Claim tells that it keeps the packages away; only in one version may mean that another is there.
func (r *Removed) Claim(c *modules.Claims) {
	if r.Version == "" {
		r.keeps(c, "removed", "")
	}
}
