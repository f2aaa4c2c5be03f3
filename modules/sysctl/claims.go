package sysctl

import (
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Claim tells that it keeps the setting.
func (p *Present) Claim(c *modules.Claims) {
	if c.Thing("sysctl", p.Name) {
		c.Is("value", strings.Fields(value.String(p.Value)))
	}
}
