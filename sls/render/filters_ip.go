package render

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// An ipEntry is an address, or an interface: an address with the length of its network.
type ipEntry struct {
	addr netip.Addr
	bits int // -1 without a network
}

// String is the form that Python prints: IPv4 in IPv6 as hexadecimal groups, a mask as its length.
func (e ipEntry) String() string {
	s := e.addr.String()
	if e.addr.Is4In6() {
		b := e.addr.As16()
		s = fmt.Sprintf("::ffff:%x:%x", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15]))
	}
	if e.bits >= 0 {
		s += "/" + strconv.Itoa(e.bits)
	}
	return s
}

// network is the entry's network; an address alone is one.
func (e ipEntry) network() netip.Prefix {
	bits := e.bits
	if bits < 0 {
		bits = e.addr.BitLen()
	}
	return netip.PrefixFrom(e.addr, bits).Masked()
}

// parseIP reads "ADDRESS", "ADDRESS/LENGTH" and "ADDRESS/MASK".
func parseIP(text string) (ipEntry, bool) {
	host, length, hasLength := strings.Cut(text, "/")
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return ipEntry{}, false
	}
	if !hasLength {
		return ipEntry{addr, -1}, true
	}
	if mask, err := netip.ParseAddr(length); err == nil && mask.Is4() && addr.Is4() {
		ones, ok := maskLength(mask)
		return ipEntry{addr, ones}, ok
	}
	ones, err := strconv.ParseUint(length, 10, 8)
	return ipEntry{addr, int(ones)}, err == nil && int(ones) <= addr.BitLen()
}

// maskLength is the length of a mask: 255.255.255.0, or as Python also reads it, 0.0.0.255.
func maskLength(mask netip.Addr) (int, bool) {
	b := mask.As4()
	m := binary.BigEndian.Uint32(b[:])
	for _, m := range []uint32{m, ^m} {
		if ones := bits.LeadingZeros32(^m); m == ^(uint32(1)<<(32-ones) - 1) {
			return ones, true
		}
	}
	return 0, false
}

// validIP reads an address or an interface, if it is one of the families (4, 6, or 0 for both) and fits the options.
func validIP(v value.Value, families int, options value.Value) (ipEntry, bool) {
	e, ok := toIP(v)
	if !ok || e.addr.Is4() && families == 6 || e.addr.Is6() && families == 4 || !ipFits(e, options) {
		return ipEntry{}, false
	}
	return e, true
}

// toIP reads text, a whole number, which is an IPv4 address when it fits one, and the bytes of an address.
func toIP(v value.Value) (ipEntry, bool) {
	switch v := v.(type) {
	case value.Str:
		return parseIP(string(v))
	case value.Bytes:
		addr, ok := netip.AddrFromSlice([]byte(v))
		return ipEntry{addr, -1}, ok
	case value.Bool:
		if v {
			return numberIP(big.NewInt(1))
		}
		return numberIP(new(big.Int))
	case value.Int:
		return numberIP(big.NewInt(int64(v)))
	case value.BigInt:
		return numberIP(v.Big())
	}
	return ipEntry{}, false
}

func numberIP(n *big.Int) (ipEntry, bool) {
	size := 4
	if n.BitLen() > 32 {
		size = 16
	}
	if n.Sign() < 0 || n.BitLen() > size*8 {
		return ipEntry{}, false
	}
	addr, ok := netip.AddrFromSlice(n.FillBytes(make([]byte, size)))
	return ipEntry{addr, -1}, ok
}

// ipFits says whether an address is all that the options name. As in Salt, an unknown option asks for nothing, and
// ::1/64 is no loopback address: its network holds others.
func ipFits(e ipEntry, options value.Value) bool {
	if !truth(options) {
		return true
	}
	a, alone := e.addr, e.addr.Is4() || e.bits < 0 || e.bits == e.addr.BitLen()
	for o := range strings.SplitSeq(value.String(options), ",") {
		ok := true
		switch strings.ReplaceAll(strings.TrimSpace(o), "_", "-") {
		case "global", "public":
			ok = !isPrivateIP(a)
		case "link-local", "linklocal", "ll":
			ok = a.IsLinkLocalUnicast()
		case "loopback", "lo":
			ok = a.IsLoopback() && alone
		case "multicast":
			ok = a.IsMulticast()
		case "private":
			ok = isPrivateIP(a)
		case "reserved":
			ok = isReservedIP(a)
		case "site-local", "sl":
			ok = netip.MustParsePrefix("fec0::/10").Contains(a)
		case "unspecified":
			ok = a.IsUnspecified() && alone && (a.Is6() || e.bits < 0) // Python finds 0.0.0.0/32 unlike 0.0.0.0
		}
		if !ok {
			return false
		}
	}
	return true
}

func inNetworks(a netip.Addr, networks ...string) bool {
	for _, n := range networks {
		if p := netip.MustParsePrefix(n); a.BitLen() == p.Addr().BitLen() && p.Contains(a) {
			return true
		}
	}
	return false
}

// isPrivateIP is is_private of Python 3.10: the networks of the IANA registries that are not reachable from everywhere.
func isPrivateIP(a netip.Addr) bool {
	a = a.WithZone("")
	return a.Is4In6() || inNetworks(a, "0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/29",
		"192.0.0.170/31", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"240.0.0.0/4",
		"::/127", "100::/64", "2001::/23", "2001:db8::/32", "2001:10::/28", "fc00::/7", "fe80::/10")
}

// isReservedIP is Python's is_reserved: what the IETF holds back.
func isReservedIP(a netip.Addr) bool {
	a = a.WithZone("")
	return a.Is4In6() || inNetworks(a, "240.0.0.0/4", "::/8", "100::/8", "200::/7", "400::/6", "800::/5", "1000::/4",
		"4000::/2", "8000::/2",
		"c000::/3", "e000::/4", "f000::/5", "f800::/6", "fe00::/9")
}

// filterIPs keeps the valid entries of a list, IPv4 before IPv6; a single valid address stays as it is, anything else
// is None.
func filterIPs(v value.Value, families int, options value.Value) value.Value {
	entries, one := ipEntries(v, families, options)
	switch {
	case one && len(entries) == 1:
		return value.Str(entries[0].String())
	case entries == nil:
		return value.None
	}
	out := value.NewList()
	for _, e := range entries {
		out.Items = append(out.Items, value.Str(e.String()))
	}
	return out
}

// ipEntries are the valid entries of a text or a list, and whether it was text. For another type they are nil.
func ipEntries(v value.Value, families int, options value.Value) (entries []ipEntry, one bool) {
	switch v.(type) {
	case value.Str, value.Bytes:
		if e, ok := validIP(v, families, options); ok {
			return []ipEntry{e}, true
		}
		return nil, true
	case *value.Dict, *value.Set:
		return nil, false
	}
	items, err := value.ToList(v)
	if err != nil {
		return nil, false
	}
	entries = []ipEntry{}
	for _, family := range []int{4, 6} {
		for _, it := range items {
			if e, ok := validIP(it, family, options); ok && (families == 0 || families == family) {
				entries = append(entries, e)
			}
		}
	}
	return entries, false
}

// ipWrap puts IPv6 addresses in brackets.
func ipWrap(v value.Value) (value.Value, error) {
	wrap := func(v value.Value) value.Value {
		if _, ok := validIP(v, 6, nil); ok {
			return value.Str("[" + value.String(v) + "]")
		}
		return v
	}
	var items []value.Value
	switch v := v.(type) {
	case *value.List:
		items = v.Items
	case *value.Tuple:
		items = v.Items
	default:
		return wrap(v), nil
	}
	out := value.NewList()
	for _, it := range items {
		out.Items = append(out.Items, wrap(it))
	}
	return out, nil
}

// ofNetworks is a filter over an address or network, or over each valid one of a list; without a valid one it is None.
func ofNetworks(name string, fn func(ipEntry) (value.Value, error)) filter {
	return with(name, "options= version=", func(v value.Value, a []value.Value) (value.Value, error) {
		families := 0
		if n, ok := a[1].(value.Int); ok {
			families = int(n)
		}
		entries, one := ipEntries(v, families, a[0])
		if len(entries) == 0 {
			return value.None, nil
		}
		if one {
			return fn(entries[0])
		}
		out := value.NewList()
		for _, e := range entries {
			x, err := fn(e)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, x)
		}
		return out, nil
	})
}

// ipHost is the entry as an interface.
func ipHost(e ipEntry) (value.Value, error) {
	if e.bits < 0 {
		e.bits = e.addr.BitLen()
	}
	return value.Str(e.String()), nil
}

// maxHosts bounds what network_hosts lists.
const maxHosts = 1 << 20

func networkHosts(e ipEntry) (value.Value, error) {
	p := e.network()
	free := p.Addr().BitLen() - p.Bits()
	if free > 20 {
		return nil, value.Raise("ValueError", "network %s has more than %d hosts", p, maxHosts)
	}
	out := value.NewList()
	a := p.Addr()
	for i, n := 0, 1<<free; i < n; i, a = i+1, a.Next() {
		// the first and last address of an IPv4 network are no hosts, nor is the first of an IPv6 one; small networks have
		// only hosts
		if free > 1 && (i == 0 || i == n-1 && a.Is4()) {
			continue
		}
		out.Items = append(out.Items, value.Str(a.String()))
	}
	return out, nil
}

func networkSize(e ipEntry) (value.Value, error) {
	p := e.network()
	return value.NewInt(new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))), nil
}

// filterByNetworks keeps the addresses that are in one of the networks, once for each that they are in: of a list, or
// of each list of a dict, such as the grain ip_interfaces. Without networks all are kept.
func filterByNetworks(v value.Value, a []value.Value) (value.Value, error) {
	if isNone(a[0]) {
		return v, nil
	}
	items, err := value.ToList(a[0])
	if err != nil {
		return nil, err
	}
	var networks []netip.Prefix
	for _, it := range items {
		e, ok := toIP(it)
		if !ok {
			return nil, value.Raise("ValueError", "%s does not appear to be an IPv4 or IPv6 network", value.Repr(it))
		}
		if e.network().Addr() != e.addr {
			return nil, value.Raise("ValueError", "%s has host bits set", value.String(it))
		}
		networks = append(networks, e.network())
	}
	switch v := v.(type) {
	case *value.Dict:
		out := value.NewDict(v.Len())
		for k, ips := range v.All() {
			kept, err := inAnyNetwork(ips, networks)
			if err != nil {
				return nil, err
			}
			if err := out.Set(k, kept); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *value.List, *value.Tuple, value.Str, value.Bytes:
		return inAnyNetwork(v, networks)
	}
	return nil, value.Raise("ValueError", "Do not know how to filter a <class '%s'>", v.TypeName())
}

func inAnyNetwork(ips value.Value, networks []netip.Prefix) (value.Value, error) {
	items, err := value.ToList(ips)
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, it := range items {
		for _, n := range networks {
			e, ok := toIP(it)
			if !ok || e.bits >= 0 {
				return nil, value.Raise("ValueError", "%s does not appear to be an IPv4 or IPv6 address", value.Repr(it))
			}
			if n.Contains(e.addr.WithZone("")) {
				out.Items = append(out.Items, it)
			}
		}
	}
	return out, nil
}
