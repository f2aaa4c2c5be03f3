package grains

import (
	"context"
	"net/netip"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// resolver reads the configuration of the resolver.
func resolver(_ context.Context, c *core, d *value.Dict) {
	path := "/run/systemd/resolve/resolv.conf"
	if !c.exists(path) {
		path = "/etc/resolv.conf"
	}
	if !c.exists(path) {
		return
	}
	servers, four, six, sort := &value.List{}, &value.List{}, &value.List{}, &value.List{}
	domain := ""
	search, options := &value.List{}, &value.List{}
	for l := range c.lines(path) {
		f := strings.Fields(l)
		if len(f) < 2 || f[0][0] == '#' || f[0][0] == ';' {
			continue
		}
		switch f[0] {
		case "nameserver":
			a, err := netip.ParseAddr(f[1])
			if err != nil {
				continue
			}
			servers.Items = append(servers.Items, value.Str(f[1]))
			if a.Is4() {
				four.Items = append(four.Items, value.Str(f[1]))
			} else {
				six.Items = append(six.Items, value.Str(f[1]))
			}
		case "domain":
			domain = f[1]
		case "search":
			search = strs(f[1:]...)
		case "options":
			options.Items = append(options.Items, strs(f[1:]...).Items...)
		case "sortlist":
			sort = strs(f[1:]...)
		}
	}
	d.SetStr("dns", value.DictOf("nameservers", servers, "ip4_nameservers", four, "ip6_nameservers", six, "sortlist", sort,
		"domain", value.Str(domain), "search", search, "options", options))
}
