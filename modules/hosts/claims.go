package hosts

import "github.com/gostate/gostate/modules"

// keeps tells what a state says of a name at each of its addresses: it may have others.
func keeps(c *modules.Claims, name string, ips []string, what string) {
	for _, ip := range ips {
		if c.Thing("host", ip+" "+name) {
			c.Is("", what)
		}
	}
}

// Claim tells that the name has the addresses.
func (p *Present) Claim(c *modules.Claims) { keeps(c, p.Name, p.IP, "present") }

// Claim tells that the name does not have the addresses.
func (a *Absent) Claim(c *modules.Claims) { keeps(c, a.Name, a.IP, "absent") }

// Claim tells all names of an address.
func (o *Only) Claim(c *modules.Claims) {
	if c.Thing("address", o.Name) {
		c.Is("hostnames", o.Hostnames)
	}
}
