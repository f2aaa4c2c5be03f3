// Package network is the execution functions that compute on addresses and tell of those of the machine, and the states
// and functions that keep the files of Debian's ifupdown.
package network

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "network", States: []modules.StateSpec{managedSpec(), routesSpec(), systemSpec()},
		Execs: slices.Concat(networkSpecs(), linkSpecs(), askSpecs(), routeSpecs(),
			changeSpecs())}
}

// networkSpecs are the functions that compute on addresses, and those that the grains answer.
func networkSpecs() []modules.ExecSpec {
	addrParams := []string{"interface=None", "include_loopback=false", "cidr=None", "type=None"}
	return []modules.ExecSpec{
		{Name: "network.ip_addrs", Doc: "ip_addrs(interface=None, include_loopback=False, cidr=None, type=None): the IPv4 " +
			"addresses.", Params: addrParams,
			Aliases: []string{"network.ipaddrs"}, Fn: ownAddrs("ip4_interfaces")},
		{Name: "network.ip_addrs6", Doc: "ip_addrs6(interface=None, include_loopback=False, cidr=None): the IPv6 addresses.",
			Params:  addrParams[:3],
			Aliases: []string{"network.ipaddrs6"}, Fn: ownAddrs("ip6_interfaces")},
		modules.NewExec("network.interface_ip", "interface_ip(iface): the first IPv4 address of an interface.", interfaceIP,
			"iface"),
		{Name: "network.hw_addr", Doc: "hw_addr(iface): the hardware address of an interface.", Params: []string{"iface"},
			Aliases: []string{"network.hwaddr"}, Fn: hwAddr},
		modules.NewExec("network.get_hostname", "get_hostname(): the name of the host.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Str(c.Grains.Text("localhost")), nil
			}),
		modules.NewExec("network.get_fqdn", "get_fqdn(): the full name of the host.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Str(c.Grains.Text("fqdn")), nil
			}),
		modules.NewExec("network.in_subnet", "in_subnet(cidr): whether the machine has an address in the network.", inSubnet,
			"cidr"),
		modules.NewExec("network.ip_in_subnet", "ip_in_subnet(ip_addr, cidr): whether an address is in a network.",
			ipInSubnet, "ip_addr", "cidr"),
		modules.NewExec("network.calc_net", "calc_net(ip_addr, netmask=None): the network that an address is in.", calcNet,
			"ip_addr", "netmask=None"),
		modules.NewExec("network.convert_cidr", "convert_cidr(cidr): the network, the netmask and the last address.",
			convertCIDR, "cidr"),
		modules.NewExec("network.is_loopback", "is_loopback(ip_addr): whether an address is the machine's own loopback.",
			isLoopback, "ip_addr"),
		modules.NewExec("network.is_private", "is_private(ip_addr): whether an address is not a public one.", isPrivateAddr,
			"ip_addr"),
		modules.NewExec("network.reverse_ip", "reverse_ip(ip_addr): the name under which name servers know an address.",
			reverseIP, "ip_addr"),
		modules.NewExec("network.ifacestartswith", "ifacestartswith(cidr): the interfaces with an address that begins so.",
			ifaceStarts, "cidr"),
	}
}

// byInterface walks the addresses of the grains ip4_interfaces or ip6_interfaces.
func byInterface(c *modules.Call, grainName string, visit func(iface string, a netip.Addr)) {
	v, _ := c.Grains.Dict().GetStr(grainName)
	d, ok := v.(*value.Dict)
	if !ok {
		return
	}
	for name, list := range d.All() {
		l, ok := list.(*value.List)
		if !ok {
			continue
		}
		for _, it := range l.Items {
			if a, err := netip.ParseAddr(value.String(it)); err == nil {
				visit(value.String(name), a)
			}
		}
	}
}

func sorted(as []netip.Addr) *value.List {
	slices.SortFunc(as, netip.Addr.Compare)
	l := &value.List{}
	for _, a := range slices.Compact(as) {
		l.Items = append(l.Items, value.Str(a.String()))
	}
	return l
}

func ownAddrs(grainName string) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		within, err := networks(c.Arg("cidr"))
		if err != nil {
			return nil, err
		}
		var as []netip.Addr
		byInterface(c, grainName, func(iface string, a netip.Addr) {
			switch kind := c.Str("type"); {
			case c.Str("interface") != "" && iface != c.Str("interface"):
			case a.IsLoopback() && !c.Bool("include_loopback"):
			case within != nil && !slices.ContainsFunc(within, func(p netip.Prefix) bool { return p.Contains(a) }):
			case within == nil && kind == "public" && private(a), within == nil && kind == "private" && !private(a):
			default:
				as = append(as, a)
			}
		})
		return sorted(as), nil
	}
}

// networks reads one network or a list of them; nil for None.
func networks(v value.Value) ([]netip.Prefix, error) {
	if v == value.None {
		return nil, nil
	}
	items := []value.Value{v}
	if l, ok := v.(*value.List); ok {
		items = l.Items
	}
	out := []netip.Prefix{}
	for _, it := range items {
		p, err := network(value.String(it))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// network reads 192.0.2.0/24, 192.0.2.0/255.255.255.0 or a lone address. Host bits do not matter.
func network(text string) (netip.Prefix, error) {
	bad := value.Raise("ValueError", "'%s' does not appear to be an IPv4 or IPv6 network", text)
	addr, mask, has := strings.Cut(text, "/")
	a, err := netip.ParseAddr(addr)
	if err != nil {
		return netip.Prefix{}, bad
	}
	bits := a.BitLen()
	if has {
		if bits, err = strconv.Atoi(mask); err != nil {
			if bits, err = maskBits(mask); err != nil {
				return netip.Prefix{}, bad
			}
		}
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return netip.Prefix{}, bad
	}
	return p, nil
}

// maskBits is 24 of 255.255.255.0, and of 0.0.0.255 as Python takes it.
func maskBits(mask string) (int, error) {
	a, err := netip.ParseAddr(mask)
	if err != nil || !a.Is4() {
		return 0, fmt.Errorf("'%s' is not a valid netmask", mask)
	}
	b := a.As4()
	n := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	if n != 0 && n>>31 == 0 {
		n = ^n
	}
	bits := 0
	for ; bits < 32 && n>>31 == 1; bits++ {
		n <<= 1
	}
	if n != 0 {
		return 0, fmt.Errorf("'%s' is not a valid netmask", mask)
	}
	return bits, nil
}

func maskText(bits int) string {
	n := ^uint32(0) << (32 - bits)
	if bits == 0 {
		n = 0
	}
	return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}).String()
}

func interfaceIP(_ context.Context, c *modules.Call) (value.Value, error) {
	var first value.Value
	byInterface(c, "ip4_interfaces", func(iface string, a netip.Addr) {
		if first == nil && iface == c.Str("iface") {
			first = value.Str(a.String())
		}
	})
	if first != nil {
		return first, nil
	}
	if _, ok := value.Lookup(c.Grains.Dict(), "ip_interfaces", ":"); ok && hasInterface(c, c.Str("iface")) {
		return value.Str(""), nil
	}
	return missingInterface(c), nil
}

func hasInterface(c *modules.Call, name string) bool {
	v, _ := c.Grains.Dict().GetStr("ip_interfaces")
	d, ok := v.(*value.Dict)
	if !ok {
		return false
	}
	_, ok = d.GetStr(name)
	return ok
}

// missingInterface is Salt's answer where there is no such interface: a text, not an error.
func missingInterface(c *modules.Call) value.Value {
	v, _ := c.Grains.Dict().GetStr("ip_interfaces")
	var known []string
	if d, ok := v.(*value.Dict); ok {
		for k := range d.All() {
			known = append(known, value.String(k))
		}
	}
	return value.Str(fmt.Sprintf("Interface \"%s\" not in available interfaces: \"%s\"", c.Str("iface"),
		strings.Join(known, "\", \"")))
}

func hwAddr(_ context.Context, c *modules.Call) (value.Value, error) {
	v, _ := c.Grains.Dict().GetStr("hwaddr_interfaces")
	if d, ok := v.(*value.Dict); ok {
		if a, ok := d.GetStr(c.Str("iface")); ok {
			return a, nil
		}
	}
	return missingInterface(c), nil
}

func inSubnet(_ context.Context, c *modules.Call) (value.Value, error) {
	p, err := network(c.Str("cidr"))
	if err != nil {
		c.Log("error", fmt.Sprintf("Invalid CIDR '%s'", c.Str("cidr")))
		return value.Bool(false), nil
	}
	found := false
	for _, g := range []string{"ip4_interfaces", "ip6_interfaces"} {
		byInterface(c, g, func(_ string, a netip.Addr) { found = found || p.Contains(a) })
	}
	return value.Bool(found), nil
}

func ipInSubnet(_ context.Context, c *modules.Call) (value.Value, error) {
	p, err := network(c.Str("cidr"))
	if err != nil {
		c.Log("error", fmt.Sprintf("Invalid CIDR '%s'", c.Str("cidr")))
		return value.Bool(false), nil
	}
	a, err := address(c.Str("ip_addr"))
	return value.Bool(err == nil && p.Contains(a)), err
}

func address(text string) (netip.Addr, error) {
	a, err := netip.ParseAddr(text)
	if err != nil {
		return a, value.Raise("ValueError", "'%s' does not appear to be an IPv4 or IPv6 address", text)
	}
	return a, nil
}

func calcNet(_ context.Context, c *modules.Call) (value.Value, error) {
	text := c.Str("ip_addr")
	if m := c.Str("netmask"); m != "" {
		text += "/" + m
	}
	p, err := network(text)
	if err != nil {
		return nil, err
	}
	return value.Str(p.String()), nil
}

func convertCIDR(_ context.Context, c *modules.Call) (value.Value, error) {
	p, err := network(c.Str("cidr"))
	if err != nil {
		return nil, err
	}
	first := p.Addr().AsSlice()
	mask, last := make([]byte, len(first)), slices.Clone(first)
	for i := range 8 * len(first) {
		bit := byte(0x80) >> (i % 8)
		if i < p.Bits() {
			mask[i/8] |= bit
		} else {
			last[i/8] |= bit
		}
	}
	text := func(b []byte) value.Str { a, _ := netip.AddrFromSlice(b); return value.Str(a.String()) }
	return value.DictOf("network", text(first), "netmask", text(mask), "broadcast", text(last)), nil
}

func isLoopback(_ context.Context, c *modules.Call) (value.Value, error) {
	a, err := address(c.Str("ip_addr"))
	return value.Bool(err == nil && a.IsLoopback()), err
}

// reserved are the networks that Python's ipaddress takes for private, beside those that netip knows.
const reserved = "0.0.0.0/8 192.0.0.0/29 192.0.0.170/31 192.0.2.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 " +
	"240.0.0.0/4 ::/128 100::/64 2001::/23 2001:db8::/32 2001:10::/28"

func private(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() ||
		slices.ContainsFunc(strings.Fields(reserved), func(p string) bool { return netip.MustParsePrefix(p).Contains(a) })
}

func isPrivateAddr(_ context.Context, c *modules.Call) (value.Value, error) {
	a, err := address(c.Str("ip_addr"))
	return value.Bool(err == nil && private(a)), err
}

func reverseIP(_ context.Context, c *modules.Call) (value.Value, error) {
	a, err := address(c.Str("ip_addr"))
	if err != nil {
		return nil, err
	}
	var parts []string
	if a.Is4() {
		for _, b := range a.AsSlice() {
			parts = append(parts, strconv.Itoa(int(b)))
		}
		slices.Reverse(parts)
		return value.Str(strings.Join(parts, ".") + ".in-addr.arpa"), nil
	}
	parts = strings.Split(strings.ReplaceAll(a.StringExpanded(), ":", ""), "")
	slices.Reverse(parts)
	return value.Str(strings.Join(parts, ".") + ".ip6.arpa"), nil
}

func ifaceStarts(_ context.Context, c *modules.Call) (value.Value, error) {
	prefix := c.Str("cidr")
	if i := strings.LastIndexByte(prefix, '.'); strings.Contains(prefix, "/") && i > 0 {
		prefix = prefix[:i]
	}
	var names []string
	byInterface(c, "ip4_interfaces", func(iface string, a netip.Addr) {
		if strings.HasPrefix(a.String(), prefix) {
			names = append(names, iface)
		}
	})
	return modules.TextList(slices.Compact(names)), nil
}
