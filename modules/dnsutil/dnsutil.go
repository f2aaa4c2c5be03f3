// Package dnsutil is the execution functions that ask name servers, and read what answers in their place.
package dnsutil

import (
	"context"
	"net/netip"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "dnsutil", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("dnsutil.A", "A(host, nameserver=None): the IPv4 addresses of a name.", modules.Addresses("ip4"),
			"host", "nameserver=None"),
		modules.NewExec("dnsutil.AAAA", "AAAA(host, nameserver=None): the IPv6 addresses of a name.",
			modules.Addresses("ip6"), "host", "nameserver=None"),
		modules.NewExec("dnsutil.NS", "NS(domain, resolve=True, nameserver=None): the name servers of a domain.", nameServers,
			"domain", "resolve=true", "nameserver=None"),
		modules.NewExec("dnsutil.MX", "MX(domain, resolve=False, nameserver=None): the mail servers of a domain, each with "+
			"its preference.", mailServers, "domain", "resolve=false", "nameserver=None"),
		modules.NewExec("dnsutil.check_ip", "check_ip(ip_addr): whether this is an address.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				_, err := netip.ParseAddr(c.Str("ip_addr"))
				return value.Bool(err == nil), nil
			}, "ip_addr"),
		modules.NewExec("dnsutil.parse_hosts", "parse_hosts(hostsfile='/etc/hosts'): the names of each address.", parseHosts,
			"hostsfile=/etc/hosts", "hosts=None"),
		serialSpec(),
	}
}

func parseHosts(_ context.Context, c *modules.Call) (value.Value, error) {
	lines := c.Str("hosts")
	if lines == "" {
		b, err := c.Host.ReadFile(c.Str("hostsfile"))
		if err != nil {
			return value.Str("Error: hosts data was not found"), nil
		}
		lines = string(b)
	}
	out := value.NewDict(0)
	for l := range strings.SplitSeq(lines, "\n") {
		f := strings.Fields(l)
		if len(f) < 2 || strings.HasPrefix(f[0], "#") {
			continue
		}
		have, ok := out.GetStr(f[0])
		list, isList := have.(*value.List)
		if !ok || !isList {
			list = value.NewList()
			out.SetStr(f[0], list)
		}
		list.Items = append(list.Items, modules.TextList(f[1:]).Items...)
	}
	return out, nil
}

func nameServers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return modules.NameServers(ctx, c)
}

func mailServers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return modules.MailServers(ctx, c)
}
