package cron

import (
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Claim tells that it keeps the job.
func (p *Present) Claim(c *modules.Claims) {
	if keeps(c, p.User, p.ID, p.Name, p.Special, "present") {
		c.Is("command", p.Name)
		c.Is("time", p.times())
		c.Is("commented", p.Commnt)
	}
}

// Claim tells that there is no such job.
func (a *Absent) Claim(c *modules.Claims) { keeps(c, a.User, a.ID, a.Name, a.Special, "absent") }

// keeps tells of a job of a user's, by what it is known by: those with times and those with a special name are apart.
func keeps(c *modules.Claims, user string, id value.Value, name, special, what string) bool {
	by := user + ": " + known(id, strings.TrimSpace(name))
	if special != "" {
		by += " " + special
	}
	if !c.Thing("cron job", by) {
		return false
	}
	c.Is("", what)
	return true
}
