package service

import "github.com/gostate/gostate/modules"

func keeps(c *modules.Claims, name string) bool { return c.Thing("service", short(canonical(name))) }

// Claim tells that it keeps the service running.
func (r *Running) Claim(c *modules.Claims) {
	if keeps(c, r.Name) {
		c.Is("", "running")
		c.Wants("enable", r.Enable)
	}
}

// Claim tells that it keeps the service down.
func (d *Dead) Claim(c *modules.Claims) {
	if keeps(c, d.Name) {
		c.Is("", "dead")
		c.Wants("enable", d.Enable)
	}
}

// Claim tells that the service starts at boot.
func (e *Enabled) Claim(c *modules.Claims) {
	if keeps(c, e.Name) {
		c.Is("enable", true)
	}
}

// Claim tells that the service does not start at boot.
func (d *Disabled) Claim(c *modules.Claims) {
	if keeps(c, d.Name) {
		c.Is("enable", false)
	}
}

// Claim tells that nothing starts the service.
func (m *Masked) Claim(c *modules.Claims) {
	if keeps(c, m.Name) {
		c.Is("mask", true)
	}
}

// Claim tells that the service may be started.
func (u *Unmasked) Claim(c *modules.Claims) {
	if keeps(c, u.Name) {
		c.Is("mask", false)
	}
}
