package grains

import (
	"context"
	"crypto/sha256"
	"math/big"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// An Interface is a network interface with its addresses in the kernel's order.
type Interface struct {
	Name, HWAddr string
	Addrs        []netip.Prefix
}

// Network is what cannot be read from files: addresses, and names that a name server knows.
type Network interface {
	Interfaces() []Interface
	// Canonical is the full name of a host, "" when nobody knows it.
	Canonical(ctx context.Context, host string) string
	// Addresses are those of a name.
	Addresses(ctx context.Context, name string) []netip.Addr
}

func interfaces(_ context.Context, c *core, d *value.Dict) {
	all, four, six, hw := value.NewDict(4), value.NewDict(4), value.NewDict(4), value.NewDict(4)
	var v4, v6 []netip.Addr
	for _, i := range c.o.Network.Interfaces() {
		l4, l6 := &value.List{}, &value.List{}
		for _, p := range i.Addrs {
			a := p.Addr().Unmap()
			if a.Is4() {
				l4.Items, v4 = append(l4.Items, value.Str(a.String())), append(v4, a)
			} else {
				l6.Items, v6 = append(l6.Items, value.Str(a.WithZone("").String())), append(v6, a.WithZone(""))
			}
		}
		all.SetStr(i.Name, value.NewList(slices.Concat(l4.Items, l6.Items)...))
		four.SetStr(i.Name, l4)
		six.SetStr(i.Name, l6)
		set(hw, i.Name, i.HWAddr)
	}
	d.SetStr("ip_interfaces", all)
	d.SetStr("ip4_interfaces", four)
	d.SetStr("ip6_interfaces", six)
	d.SetStr("hwaddr_interfaces", hw)
	d.SetStr("ipv4", addrs(v4))
	d.SetStr("ipv6", addrs(v6))
}

// addrs lists addresses in their order, each once.
func addrs(as []netip.Addr) *value.List {
	slices.SortFunc(as, netip.Addr.Compare)
	as = slices.Compact(as)
	l := &value.List{}
	for _, a := range as {
		l.Items = append(l.Items, value.Str(a.String()))
	}
	return l
}

// gateways reads the kernel's routes: the address of the default gateway, False when there is none.
func gateways(_ context.Context, c *core, d *value.Dict) {
	four, six := c.gateway4(), c.gateway6()
	d.SetStr("ip4_gw", orFalse(four))
	d.SetStr("ip6_gw", orFalse(six))
	d.SetStr("ip_gw", value.Bool(four != "" || six != ""))
}

func orFalse(s string) value.Value {
	if s == "" {
		return value.Bool(false)
	}
	return value.Str(s)
}

func (c *core) gateway4() string {
	for l := range c.lines("/proc/net/route") {
		f := strings.Fields(l)
		if len(f) > 7 && f[1] == "00000000" && f[7] == "00000000" {
			n, err := strconv.ParseUint(f[2], 16, 32)
			if err == nil && n != 0 {
				return netip.AddrFrom4([4]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}).String()
			}
		}
	}
	return ""
}

func (c *core) gateway6() string {
	for l := range c.lines("/proc/net/ipv6_route") {
		f := strings.Fields(l)
		if len(f) < 10 || f[1] != "00" || strings.Trim(f[0], "0") != "" || strings.Trim(f[4], "0") == "" || f[9] == "lo" {
			continue
		}
		var raw [16]byte
		n, ok := new(big.Int).SetString(f[4], 16)
		if ok && len(f[4]) == 32 {
			return netip.AddrFrom16([16]byte(n.FillBytes(raw[:]))).String()
		}
	}
	return ""
}

// hosts reads /etc/hosts: the lines as address and names.
func (c *core) hosts() [][]string {
	var out [][]string
	for l := range c.lines("/etc/hosts") {
		l, _, _ = strings.Cut(l, "#")
		if f := strings.Fields(l); len(f) > 1 {
			out = append(out, f)
		}
	}
	return out
}

// canonical is the first name of the line of /etc/hosts that knows the host.
func (c *core) canonical(name string) string {
	for _, f := range c.hosts() {
		if slices.Contains(f[1:], name) {
			return f[1]
		}
	}
	return ""
}

func hostname(ctx context.Context, c *core, d *value.Dict) {
	name := c.nodename()
	fqdn := name
	if full := c.canonical(name); full != "" {
		fqdn = full
	} else if !strings.Contains(name, ".") {
		if full := c.o.Network.Canonical(ctx, name); full != "" {
			fqdn = full
		}
	}
	host, domain, _ := strings.Cut(fqdn, ".")
	setAll(d, "localhost", name, "fqdn", fqdn, "host", host)
	d.SetStr("domain", value.Str(domain))
}

func fqdns(ctx context.Context, c *core, d *value.Dict) {
	own := map[string]bool{}
	for _, i := range c.o.Network.Interfaces() {
		for _, p := range i.Addrs {
			if !p.Addr().IsLoopback() {
				own[p.Addr().Unmap().WithZone("").String()] = true
			}
		}
	}
	var names []string
	for _, f := range c.hosts() {
		if own[f[0]] {
			names = append(names, f[1])
		}
	}
	slices.Sort(names)
	d.SetStr("fqdns", strs(slices.Compact(names)...))
}

func fqdnAddresses(ctx context.Context, c *core, d *value.Dict) {
	fqdn := c.str(ctx, "fqdn")
	var four, six []netip.Addr
	known := false
	for _, f := range c.hosts() {
		if a, err := netip.ParseAddr(f[0]); err == nil && slices.Contains(f[1:], fqdn) {
			known = true
			if a.Is4() {
				four = append(four, a)
			} else {
				six = append(six, a)
			}
		}
	}
	if !known {
		for _, a := range c.o.Network.Addresses(ctx, fqdn) {
			if a = a.Unmap(); a.Is4() {
				four = append(four, a)
			} else {
				six = append(six, a.WithZone(""))
			}
		}
	}
	d.SetStr("fqdn_ip4", addrs(four))
	d.SetStr("fqdn_ip6", addrs(six))
}

// identity is the minion id: given, else the full name of the host, and a number made from it.
func identity(ctx context.Context, c *core, d *value.Dict) {
	id := c.o.ID
	if id == "" {
		id = c.defaultID(ctx)
	}
	set(d, "id", id)
	sum := sha256.Sum256([]byte(id))
	n := new(big.Int).SetBytes(sum[:])
	d.SetStr("server_id", value.NewInt(n.Mod(n, big.NewInt(1<<31))))
}

// defaultID is a name that other machines would know this one by, as Salt chooses it.
func (c *core) defaultID(ctx context.Context) string {
	if id := c.line("/etc/salt/minion_id"); id != "" {
		return id
	}
	fqdn := c.str(ctx, "fqdn")
	if !strings.HasPrefix(fqdn, "localhost") {
		return fqdn
	}
	if n := c.line("/etc/hostname"); n != "" && !strings.HasPrefix(n, "localhost") {
		return n
	}
	for _, i := range c.o.Network.Interfaces() {
		for _, p := range i.Addrs {
			if p.Addr().Is4() && !p.Addr().IsLoopback() {
				return p.Addr().String()
			}
		}
	}
	return "localhost"
}

// master is the name of the master, which there is none of; Salt's default is "salt".
func master(_ context.Context, c *core, d *value.Dict) {
	name := c.o.Master
	if name == "" {
		name = "salt"
	}
	set(d, "master", name)
}
