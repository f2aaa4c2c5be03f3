package host

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// A Conn is what Dial gives.
type Conn = net.Conn

// Address is a name or an address of the network with a port, as Dial takes it.
func Address(name, port string) string { return net.JoinHostPort(name, port) }

// A Link is a network interface with its addresses.
type Link struct {
	Name, MAC               string
	Up, Loopback, Broadcast bool
	Addrs                   []netip.Prefix
}

// Links are the interfaces of the machine; a mounted tree has none.
func Links(r Reader) ([]Link, error) {
	if r.Root() != "/" {
		return nil, nil
	}
	all, err := net.Interfaces()
	out := make([]Link, 0, len(all))
	for _, i := range all {
		l := Link{Name: i.Name, MAC: i.HardwareAddr.String(), Up: i.Flags&net.FlagUp != 0,
			Loopback:  i.Flags&net.FlagLoopback != 0,
			Broadcast: i.Flags&net.FlagBroadcast != 0}
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				l.Addrs = append(l.Addrs, p)
			}
		}
		out = append(out, l)
	}
	return out, err
}

// Resolver asks a name server, host or host:port; the machine's own for "".
func Resolver(server string) *net.Resolver {
	if server == "" {
		return net.DefaultResolver
	}
	if _, _, err := net.SplitHostPort(server); err != nil {
		server = net.JoinHostPort(server, "53")
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server)
	}}
}

// NoSuchName says whether a name server answered that there is no such thing.
func NoSuchName(err error) bool {
	var d *net.DNSError
	return errors.As(err, &d) && d.IsNotFound
}
