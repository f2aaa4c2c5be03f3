package network

import (
	"context"
	"math/big"
	"net/netip"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// linkSpecs are the functions that need netmasks, which no grain holds: they ask the kernel.
func linkSpecs() []modules.ExecSpec {
	params := []string{"interface:list=None", "include_loopback=false", "verbose=false"}
	return []modules.ExecSpec{
		modules.NewExec("network.interfaces", "interfaces(): each interface with its addresses.", interfaces),
		modules.NewExec("network.interface", "interface(iface): the IPv4 addresses of an interface with their masks.",
			oneInterface, "iface"),
		modules.NewExec("network.subnets", "subnets(interfaces=None): the IPv4 networks that the machine is in.", subnets(4),
			"interfaces:list=None"),
		modules.NewExec("network.subnets6", "subnets6(): the IPv6 networks that the machine is in.", subnets(6)),
		modules.NewExec("network.ip_networks", "ip_networks(interface=None, include_loopback=False, verbose=False): the "+
			"IPv4 networks that the machine is in.", ipNetworks(4), params...),
		modules.NewExec("network.ip_networks6", "ip_networks6(interface=None, include_loopback=False, verbose=False): the "+
			"IPv6 networks that the machine is in.", ipNetworks(6), params...),
	}
}

func interfaces(_ context.Context, c *modules.Call) (value.Value, error) {
	ifs, err := host.Links(c.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(len(ifs))
	for _, i := range ifs {
		out.SetStr(i.Name, describe(i))
	}
	return out, nil
}

// describe is an interface in the shape of Salt's network.interfaces.
func describe(i host.Link) *value.Dict {
	d := value.DictOf("up", value.Bool(i.Up))
	hw := i.MAC
	if hw == "" && i.Loopback {
		hw = "00:00:00:00:00:00"
	}
	if hw != "" {
		d.SetStr("hwaddr", value.Str(hw))
	}
	var four, six []value.Value
	for _, p := range i.Addrs {
		if p.Addr().Is4() {
			four = append(four, inet(i, p))
			continue
		}
		scope := "global"
		if p.Addr().IsLinkLocalUnicast() {
			scope = "link"
		} else if p.Addr().IsLoopback() {
			scope = "host"
		}
		six = append(six, value.DictOf("address", value.Str(p.Addr().String()), "prefixlen", value.Int(p.Bits()), "scope",
			value.Str(scope)))
	}
	if four != nil {
		d.SetStr("inet", value.NewList(four...))
	}
	if six != nil {
		d.SetStr("inet6", value.NewList(six...))
	}
	return d
}

func inet(i host.Link, p netip.Prefix) *value.Dict {
	var broadcast value.Value = value.None
	if i.Broadcast && p.Bits() < 31 {
		b := p.Masked().Addr().As4()
		for n := p.Bits(); n < 32; n++ {
			b[n/8] |= 0x80 >> (n % 8)
		}
		broadcast = value.Str(netip.AddrFrom4(b).String())
	}
	return value.DictOf("address", value.Str(p.Addr().String()), "netmask", value.Str(maskText(p.Bits())), "broadcast",
		broadcast, "label", value.Str(i.Name))
}

func oneInterface(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, err := interfaces(ctx, c)
	if err != nil {
		return nil, err
	}
	if d, ok := all.(*value.Dict).GetStr(c.Str("iface")); ok {
		v, ok := d.(*value.Dict).GetStr("inet")
		if !ok {
			v = value.NewList()
		}
		return v, nil
	}
	return missingInterface(c), nil
}

// nets are the networks of interfaces, sorted; of all when names is empty.
func nets(c *modules.Call, version int, names []string, loopback bool) ([]netip.Prefix, error) {
	ifs, err := host.Links(c.Host)
	if err != nil {
		return nil, err
	}
	var ps []netip.Prefix
	for _, i := range ifs {
		if len(names) > 0 && !slices.Contains(names, i.Name) {
			continue
		}
		for _, p := range i.Addrs {
			if p.Addr().Is4() == (version == 4) && (loopback || !p.Addr().IsLoopback()) {
				ps = append(ps, p.Masked())
			}
		}
	}
	slices.SortFunc(ps, func(a, b netip.Prefix) int {
		if c := a.Addr().Compare(b.Addr()); c != 0 {
			return c
		}
		return a.Bits() - b.Bits()
	})
	return slices.Compact(ps), nil
}

func prefixes(ps []netip.Prefix) *value.List {
	l := &value.List{}
	for _, p := range ps {
		l.Items = append(l.Items, value.Str(p.String()))
	}
	return l
}

func subnets(version int) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		ps, err := nets(c, version, c.Strs("interfaces"), false)
		return prefixes(ps), err
	}
}

// ipNetworks gives a list, or with verbose a map of each network.
func ipNetworks(version int) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		ps, err := nets(c, version, c.Strs("interface"), c.Bool("include_loopback"))
		if err != nil || !c.Bool("verbose") {
			return prefixes(ps), err
		}
		out := value.NewDict(len(ps))
		for _, p := range ps {
			out.SetStr(p.String(), verbose(p))
		}
		return out, nil
	}
}

// verbose is a network as Salt's verbose=True shows it.
func verbose(p netip.Prefix) *value.Dict {
	mask := slices.Repeat([]byte{0xff}, p.Addr().BitLen()/8)
	for i := range mask {
		mask[i] <<= 8 - min(8, max(0, p.Bits()-8*i))
	}
	netmask, _ := netip.AddrFromSlice(mask)
	return value.DictOf("address", value.Str(p.Addr().String()), "netmask", value.Str(netmask.String()),
		"num_addresses", value.NewInt(new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))), "prefixlen",
		value.Int(p.Bits()))
}
