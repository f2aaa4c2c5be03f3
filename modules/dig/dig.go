// Package dig is the execution functions that answer as dig(1) does. They need no dig: they ask the name servers
// themselves.
package dig

import (
	"context"
	"net/netip"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "dig", Execs: []modules.ExecSpec{
		modules.NewExec("dig.A", "A(host, nameserver=None): the IPv4 addresses of a name.",
			leniently(modules.Addresses("ip4")), "host",
			"nameserver=None"),
		modules.NewExec("dig.AAAA", "AAAA(host, nameserver=None): the IPv6 addresses of a name.",
			leniently(modules.Addresses("ip6")),
			"host", "nameserver=None"),
		modules.NewExec("dig.NS", "NS(domain, resolve=True, nameserver=None): the name servers of a domain.",
			leniently(nameServers),
			"domain", "resolve=true", "nameserver=None"),
		modules.NewExec("dig.MX", "MX(domain, resolve=False, nameserver=None): the mail servers of a domain, each with its "+
			"preference.", leniently(mailServers), "domain", "resolve=false", "nameserver=None"),
		modules.NewExec("dig.TXT", "TXT(host, nameserver=None): the texts of a name, each in quotes.", leniently(texts),
			"host",
			"nameserver=None"),
		modules.NewExec("dig.PTR", "PTR(host, nameserver=None): the names of an address.", leniently(pointers), "host",
			"nameserver=None"),
		modules.NewExec("dig.check_ip", "check_ip(addr): whether this is an address, or a network.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				_, err := netip.ParseAddr(c.Str("addr"))
				_, nerr := netip.ParsePrefix(c.Str("addr"))
				return value.Bool(err == nil || nerr == nil), nil
			}, "addr"),
	}}
}

// leniently answers with an empty list where no name server answers, and says so in the log.
func leniently(ask modules.ExecFunc) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		v, err := ask(ctx, c)
		if err == nil || ctx.Err() != nil {
			return v, err
		}
		c.Log("warning", err.Error()+": an empty list in place of an answer")
		return value.NewList(), nil
	}
}

// texts are given as dig prints them.
func texts(ctx context.Context, c *modules.Call) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	all, err := host.Resolver(c.Str("nameserver")).LookupTXT(ctx, c.Str("host"))
	if err != nil && !host.NoSuchName(err) {
		return nil, value.Raise("CommandExecutionError", "dig: %v", err)
	}
	for i, t := range all {
		all[i] = `"` + t + `"`
	}
	return modules.TextList(all), nil
}

func pointers(ctx context.Context, c *modules.Call) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	all, err := host.Resolver(c.Str("nameserver")).LookupAddr(ctx, c.Str("host"))
	if err != nil && !host.NoSuchName(err) {
		return nil, value.Raise("CommandExecutionError", "dig: %v", err)
	}
	return modules.TextList(all), nil
}

func nameServers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return modules.NameServers(ctx, c)
}

func mailServers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return modules.MailServers(ctx, c)
}
