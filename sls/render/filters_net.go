package render

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"path"
	"strings"

	"github.com/gostate/gostate/state/value"
)

func pathJoin(_ context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	first, err := textOf("path_join", v)
	if err != nil {
		return nil, err
	}
	parts := []string{first}
	for _, x := range a {
		s, err := textOf("path_join", x)
		if err != nil {
			return nil, err
		}
		parts = append(parts, strings.TrimLeft(s, "/"))
	}
	return value.Str(path.Join(parts...)), nil
}

func netFilters() []filter {
	one := func(name string, families int) filter {
		return with(name, "options=", func(v value.Value, a []value.Value) (value.Value, error) {
			_, ok := validIP(v, families, a[0])
			return value.Bool(ok), nil
		})
	}
	many := func(name string, families int) filter {
		return with(name, "options=", func(v value.Value, a []value.Value) (value.Value, error) { return filterIPs(v, families, a[0]), nil })
	}
	return []filter{
		one("is_ip", 0), one("is_ipv4", 4), one("is_ipv6", 6),
		many("ipaddr", 0), many("ipv4", 4), many("ipv6", 6),
		simple("ipwrap", ipWrap),
		text1("network_hosts", networkHosts),
		text1("network_size", networkSize),
		text1("gen_mac", genMAC),
		text1("mac_str_to_bytes", func(s string) (value.Value, error) {
			b, err := hex.DecodeString(strings.NewReplacer(":", "", "-", "").Replace(s))
			if err != nil || len(b) != 6 {
				return nil, value.Raise("ValueError", "Invalid MAC address")
			}
			return value.Bytes(b), nil
		}),
		with("dns_check", "port= safe= ipv6=", dnsCheck),
		with("http_query", "", func(value.Value, []value.Value) (value.Value, error) {
			return nil, value.Raise("TemplateRuntimeError", "the filter http_query is not available; call salt['http.query'] instead")
		}),
	}
}

// validIP gives an address, an interface or a network in its usual form, if it is one of the families (4, 6, or 0 for both) and
// fits one of the options.
func validIP(v value.Value, families int, options value.Value) (string, bool) {
	s, ok := v.(value.Str)
	if !ok {
		return "", false
	}
	text := string(s)
	addrText, bits, hasBits := strings.Cut(text, "/")
	addr, err := netip.ParseAddr(addrText)
	if err != nil {
		return "", false
	}
	if addr.Is4() && families == 6 || addr.Is6() && families == 4 || !ipFits(addr, options) {
		return "", false
	}
	if !hasBits {
		return addr.String(), true
	}
	p, err := netip.ParsePrefix(addr.String() + "/" + bits)
	if err != nil {
		return "", false
	}
	return p.String(), true
}

func ipFits(a netip.Addr, options value.Value) bool {
	if isNone(options) {
		return true
	}
	for _, o := range strings.Split(value.String(options), ",") {
		var ok bool
		switch strings.TrimSpace(o) {
		case "global", "public":
			ok = a.IsGlobalUnicast() && !a.IsPrivate()
		case "link-local":
			ok = a.IsLinkLocalUnicast()
		case "loopback":
			ok = a.IsLoopback()
		case "multicast":
			ok = a.IsMulticast()
		case "private":
			ok = a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast()
		case "reserved":
			ok = a.Is4() && a.As4()[0] >= 240
		case "site-local":
			ok = netip.MustParsePrefix("fec0::/10").Contains(a)
		case "unspecified":
			ok = a.IsUnspecified()
		}
		if ok {
			return true
		}
	}
	return false
}

// filterIPs keeps the valid entries of a list; a single valid address stays as it is, anything else is None.
func filterIPs(v value.Value, families int, options value.Value) value.Value {
	if _, isText := v.(value.Str); isText {
		if s, ok := validIP(v, families, options); ok {
			return value.Str(s)
		}
		return value.None
	}
	items, err := value.ToList(v)
	if err != nil {
		return value.None
	}
	out := value.NewList()
	for _, it := range items {
		if s, ok := validIP(it, families, options); ok {
			out.Items = append(out.Items, value.Str(s))
		}
	}
	return out
}

// ipWrap puts IPv6 addresses in brackets.
func ipWrap(v value.Value) (value.Value, error) {
	wrap := func(v value.Value) value.Value {
		if _, ok := validIP(v, 6, nil); ok {
			return value.Str("[" + value.String(v) + "]")
		}
		return v
	}
	if items, ok := v.(*value.List); ok {
		out := value.NewList()
		for _, it := range items.Items {
			out.Items = append(out.Items, wrap(it))
		}
		return out, nil
	}
	return wrap(v), nil
}

func parseNetwork(s string) (netip.Prefix, error) {
	if !strings.Contains(s, "/") {
		if a, err := netip.ParseAddr(s); err == nil {
			return netip.PrefixFrom(a, a.BitLen()), nil
		}
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return p, value.Raise("ValueError", "%s does not appear to be an IPv4 or IPv6 network", value.Repr(value.Str(s)))
	}
	return p.Masked(), nil
}

// maxHosts bounds what network_hosts lists.
const maxHosts = 1 << 20

func networkHosts(s string) (value.Value, error) {
	p, err := parseNetwork(s)
	if err != nil {
		return nil, err
	}
	free := p.Addr().BitLen() - p.Bits()
	if free > 20 {
		return nil, value.Raise("ValueError", "network %s has more than %d hosts", p, maxHosts)
	}
	out := value.NewList()
	a := p.Addr()
	for i, n := 0, 1<<free; i < n; i, a = i+1, a.Next() {
		// the first and last address of an IPv4 network are no hosts, nor is the first of an IPv6 one; small networks have only hosts
		if free > 1 && (i == 0 || i == n-1 && a.Is4()) {
			continue
		}
		out.Items = append(out.Items, value.Str(a.String()))
	}
	return out, nil
}

func networkSize(s string) (value.Value, error) {
	p, err := parseNetwork(s)
	if err != nil {
		return nil, err
	}
	return value.NewInt(new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))), nil
}

// genMAC fills a prefix up to a MAC address with random bytes.
func genMAC(prefix string) (value.Value, error) {
	parts := strings.Split(prefix, ":")
	b := make([]byte, max(0, 6-len(parts)))
	if _, err := rand.Read(b); err != nil {
		return nil, err
	}
	for _, c := range b {
		parts = append(parts, fmt.Sprintf("%02X", c&0x7f))
	}
	return value.Str(strings.Join(parts, ":")), nil
}

func dnsCheck(v value.Value, a []value.Value) (value.Value, error) {
	host, err := textOf("dns_check", v)
	if err != nil {
		return nil, err
	}
	addrs, err := net.LookupHost(host)
	if err != nil || len(addrs) == 0 {
		if truth(a[1]) {
			return value.None, nil
		}
		return nil, value.Raise("SaltSystemExit", "Attempt to connect to '%s' failed: %v", host, err)
	}
	return value.Str(addrs[0]), nil
}
