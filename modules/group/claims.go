package group

import (
	"slices"

	"github.com/gostate/gostate/modules"
)

// Claim tells that it keeps the group.
func (p *Present) Claim(c *modules.Claims) {
	if c.Thing("group", p.Name) {
		c.Is("", "present")
		c.Wants("gid", p.GID)
		c.Wants("members", slices.Sorted(slices.Values(p.Members)))
	}
}

// Claim tells that there is no such group.
func (a *Absent) Claim(c *modules.Claims) {
	if c.Thing("group", a.Name) {
		c.Is("", "absent")
	}
}
