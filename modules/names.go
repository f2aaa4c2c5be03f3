package modules

import (
	"context"
	"slices"
	"time"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// nameTime bounds each question to a name server.
const nameTime = 10 * time.Second

// Addresses is the function that gives the addresses of a name: "ip4" or "ip6".
func Addresses(network string) ExecFunc {
	return func(ctx context.Context, c *Call) (value.Value, error) {
		ctx, cancel := context.WithTimeout(ctx, nameTime)
		defer cancel()
		as, err := host.Resolver(c.Str("nameserver")).LookupNetIP(ctx, network, c.Str("host"))
		if err != nil && !host.NoSuchName(err) {
			return nil, value.Raise("CommandExecutionError", "ask a name server: %v", err)
		}
		var out []string
		for _, a := range as {
			out = append(out, a.Unmap().String())
		}
		slices.Sort(out)
		return TextList(slices.Compact(out)), nil
	}
}

// NameServers gives the name servers of a domain, or their addresses.
func NameServers(ctx context.Context, c *Call) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	ns, err := host.Resolver(c.Str("nameserver")).LookupNS(ctx, c.Str("domain"))
	if err != nil && !host.NoSuchName(err) {
		return nil, value.Raise("CommandExecutionError", "ask a name server: %v", err)
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
	return TextList(out), nil
}

// MailServers gives the mail servers of a domain, each with its preference.
func MailServers(ctx context.Context, c *Call) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	mx, err := host.Resolver(c.Str("nameserver")).LookupMX(ctx, c.Str("domain"))
	if err != nil && !host.NoSuchName(err) {
		return nil, value.Raise("CommandExecutionError", "ask a name server: %v", err)
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
