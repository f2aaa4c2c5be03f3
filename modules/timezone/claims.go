package timezone

import "github.com/gostate/gostate/modules"

// Claim tells that it keeps the zone of the machine.
func (s *System) Claim(c *modules.Claims) {
	if c.Thing("setting", "timezone") {
		c.Is("zone", s.Name)
		c.Is("utc", s.UTC)
	}
}
