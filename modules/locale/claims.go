package locale

import "github.com/gostate/gostate/modules"

// Claim tells that it keeps the locale of the machine.
func (s *System) Claim(c *modules.Claims) {
	if c.Thing("setting", "locale") {
		c.Is("locale", s.Name)
	}
}
