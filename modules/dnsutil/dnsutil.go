// Package dnsutil is the execution functions that ask name servers, and read what answers in their place.
package dnsutil

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// dnsTime bounds each question.
const dnsTime = 10 * time.Second

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "dnsutil", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("dnsutil.A", "A(host, nameserver=None): the IPv4 addresses of a name.", addresses("ip4"), "host", "nameserver=None"),
		modules.NewExec("dnsutil.AAAA", "AAAA(host, nameserver=None): the IPv6 addresses of a name.", addresses("ip6"), "host", "nameserver=None"),
		modules.NewExec("dnsutil.NS", "NS(domain, resolve=True, nameserver=None): the name servers of a domain.", nameServers, "domain", "resolve=true", "nameserver=None"),
		modules.NewExec("dnsutil.MX", "MX(domain, resolve=False, nameserver=None): the mail servers of a domain, each with its preference.", mailServers, "domain", "resolve=false", "nameserver=None"),
		modules.NewExec("dnsutil.check_ip", "check_ip(ip_addr): whether this is an address.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			_, err := netip.ParseAddr(c.Str("ip_addr"))
			return value.Bool(err == nil), nil
		}, "ip_addr"),
		modules.NewExec("dnsutil.parse_hosts", "parse_hosts(hostsfile='/etc/hosts'): the names of each address.", parseHosts, "hostsfile=/etc/hosts", "hosts=None"),
		serialSpec(),
	}
}

func addresses(network string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		ctx, cancel := context.WithTimeout(ctx, dnsTime)
		defer cancel()
		as, err := host.Resolver(c.Str("nameserver")).LookupNetIP(ctx, network, c.Str("host"))
		if err != nil && !host.NoSuchName(err) {
			return nil, value.Raise("CommandExecutionError", "dnsutil: %v", err)
		}
		var out []string
		for _, a := range as {
			out = append(out, a.Unmap().String())
		}
		slices.Sort(out)
		return modules.TextList(slices.Compact(out)), nil
	}
}

func nameServers(ctx context.Context, c *modules.Call) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, dnsTime)
	defer cancel()
	ns, err := host.Resolver(c.Str("nameserver")).LookupNS(ctx, c.Str("domain"))
	if err != nil && !host.NoSuchName(err) {
		return nil, value.Raise("CommandExecutionError", "dnsutil: %v", err)
	}
	var out []string
	for _, n := range ns {
		if !c.Bool("resolve") {
			out = append(out, n.Host)
			continue
		}
		as, err := host.Resolver(c.Str("nameserver")).LookupNetIP(ctx, "ip4", n.Host)
		if err != nil {
			continue
		}
		for _, a := range as {
			out = append(out, a.Unmap().String())
		}
	}
	slices.Sort(out)
	return modules.TextList(out), nil
}

func mailServers(ctx context.Context, c *modules.Call) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, dnsTime)
	defer cancel()
	mx, err := host.Resolver(c.Str("nameserver")).LookupMX(ctx, c.Str("domain"))
	if err != nil && !host.NoSuchName(err) {
		return nil, value.Raise("CommandExecutionError", "dnsutil: %v", err)
	}
	out := value.NewList()
	for _, m := range mx {
		name := m.Host
		if c.Bool("resolve") {
			if as, err := host.Resolver(c.Str("nameserver")).LookupNetIP(ctx, "ip4", m.Host); err == nil && len(as) > 0 {
				name = as[0].Unmap().String()
			}
		}
		out.Items = append(out.Items, value.NewList(value.Int(m.Pref), value.Str(name)))
	}
	return out, nil
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
