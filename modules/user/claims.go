package user

import (
	"slices"

	"github.com/gostate/gostate/modules"
)

// Claim tells that it keeps the account.
func (p *Present) Claim(c *modules.Claims) {
	if !c.Thing("user", p.Name) {
		return
	}
	c.Is("", "present")
	c.Wants("uid", p.UID)
	c.Wants("group", p.GID)
	c.Wants("home", p.Home)
	c.Wants("shell", p.Shell)
	c.Wants("fullname", p.FullName)
	if p.Remove {
		c.Wants("groups", slices.Sorted(slices.Values(p.Groups)), slices.Sorted(slices.Values(p.Optional)))
	}
	if p.Enforce {
		c.Wants("password", p.Password)
	}
	c.Wants("password_lock", p.Lock)
	c.Wants("expire", p.Expire)
}

// Claim tells that there is no such account.
func (a *Absent) Claim(c *modules.Claims) {
	if c.Thing("user", a.Name) {
		c.Is("", "absent")
	}
}
