package render

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
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
		with("filter_by_networks", "networks", filterByNetworks),
		ofNetworks("ip_host", ipHost), ofNetworks("network_hosts", networkHosts), ofNetworks("network_size", networkSize),
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

// genMAC puts three random bytes behind a prefix.
func genMAC(prefix string) (value.Value, error) {
	var b [3]byte
	if _, err := rand.Read(b[:]); err != nil {
		return nil, err
	}
	return value.Str(fmt.Sprintf("%s:%02X:%02X:%02X", prefix, b[0], b[1], b[2])), nil
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
