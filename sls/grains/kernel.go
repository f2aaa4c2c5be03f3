package grains

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"time"
)

// kernel is the Network of the running machine. On a mounted tree it knows nothing.
type kernel struct{ running bool }

// lookupTime bounds each question to a name server, so that a machine without network is not held up.
const lookupTime = time.Second

// Interfaces asks the kernel.
func (k kernel) Interfaces() []Interface {
	if !k.running {
		return nil
	}
	ifs, err := net.Interfaces()
	if err != nil {
		return nil
	}
	out := make([]Interface, 0, len(ifs))
	for _, i := range ifs {
		one := Interface{Name: i.Name, HWAddr: i.HardwareAddr.String()}
		if one.HWAddr == "" && i.Flags&net.FlagLoopback != 0 {
			one.HWAddr = "00:00:00:00:00:00"
		}
		as, _ := i.Addrs()
		for _, a := range as {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				one.Addrs = append(one.Addrs, p)
			}
		}
		out = append(out, one)
	}
	return out
}

// Canonical asks the resolver.
func (k kernel) Canonical(ctx context.Context, host string) string {
	if !k.running {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	name, err := net.DefaultResolver.LookupCNAME(ctx, host)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(name, ".")
}

// Addresses asks the resolver.
func (k kernel) Addresses(ctx context.Context, name string) []netip.Addr {
	if !k.running {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	as, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil
	}
	return as
}
