package render

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func pathJoin(_ context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	first, err := textOf("path_join", v)
	if err != nil {
		return nil, err
	}
	parts := []string{path.Clean(first)} // of nothing "."
	if strings.HasPrefix(first, "//") && !strings.HasPrefix(first, "///") {
		parts[0] = "/" + parts[0] // POSIX gives two slashes a meaning of their own, and Python keeps them
	}
	for _, x := range a[1:] { // use_posixpath comes first, and all paths here are POSIX's
		s, err := textOf("path_join", x)
		if err != nil {
			return nil, err
		}
		parts = append(parts, strings.TrimLeft(path.Clean(s), "/"))
	}
	out := path.Join(parts...)
	if strings.HasPrefix(parts[0], "//") {
		out = "/" + out
	}
	return value.Str(out), nil
}

func netFilters() []filter {
	one := func(name string, families int) filter {
		return with(name, "options=", func(v value.Value, a []value.Value) (value.Value, error) {
			_, ok := validIP(v, families, a[0])
			return value.Bool(ok), nil
		})
	}
	many := func(name string, families int) filter {
		return with(name, "options=", func(v value.Value, a []value.Value) (value.Value,
			error) {
			return filterIPs(v, families, a[0]), nil
		})
	}
	return []filter{
		one("is_ip", 0), one("is_ipv4", 4), one("is_ipv6", 6),
		many("ipaddr", 0), many("ipv4", 4), many("ipv6", 6),
		simple("ipwrap", ipWrap),
		with("filter_by_networks", "networks", filterByNetworks),
		ofNetworks("ip_host", ipHost), ofNetworks("network_hosts", networkHosts), ofNetworks("network_size", networkSize),
		simple("gen_mac", func(v value.Value) (value.Value, error) { return genMAC(value.String(v)) }),
		text1("mac_str_to_bytes", macBytes),
		dnsCheck(),
		with("http_query", "", func(value.Value, []value.Value) (value.Value, error) {
			return nil, value.Raise("TemplateRuntimeError", "the filter http_query is not available; call salt['http.query'] "+
				"instead")
		}),
	}
}

// macBytes reads twelve hexadecimal digits, or six pairs of them with any separator in between, the same each time.
func macBytes(s string) (value.Value, error) {
	if len(s) == 17 {
		s = strings.ReplaceAll(s, s[2:3], "")
	}
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 6 {
		return nil, value.Raise("ValueError", "Invalid MAC address")
	}
	return value.Bytes(b), nil
}

// genMAC puts three random bytes behind a prefix.
func genMAC(prefix string) (value.Value, error) {
	var b [3]byte
	if _, err := rand.Read(b[:]); err != nil {
		return nil, err
	}
	return value.Str(fmt.Sprintf("%s:%02X:%02X:%02X", prefix, b[0], b[1], b[2])), nil
}

func dnsCheck() filter {
	f := filter{name: "dns_check", fn: func(ctx context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value,
		error) {
		name, err := textOf("dns_check", v)
		if err != nil {
			return nil, err
		}
		addrs, err := host.Resolver("").LookupHost(ctx, name)
		switch {
		case err == nil && len(addrs) > 0:
			return value.Str(addrs[0]), nil
		case truth(a[1]):
			return value.None, nil
		}
		return nil, value.Raise("SaltSystemExit", "Attempt to connect to '%s' failed: %v", name, err)
	}}
	f.setParams("port= safe= ipv6=")
	return f
}
