package network

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// askSpecs are the functions that ask a program or the kernel.
func askSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("network.ping", "ping(host, timeout=False, return_boolean=False): what ping says of a host, or "+
			"whether it answered.", ping,
			"host", "timeout=false", "return_boolean=false"),
		modules.NewExec("network.traceroute", "traceroute(host): the ways that traceroute finds to a host, hop by hop.",
			traceroute, "host"),
		modules.NewExec("network.dig", "dig(host): what dig says of a name.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				out, err := ask(ctx, c, "dig", sane(c.Str("host")))
				return value.Str(out), err
			}, "host"),
		modules.NewExec("network.arp", "arp(): the addresses of the neighbours by their hardware addresses.", arp),
		modules.NewExec("network.active_tcp", "active_tcp(): the TCP connections that are established.", activeTCP),
		modules.NewExec("network.netstat", "netstat(): the open ports and connections, with the programs that have them.",
			netstat),
		modules.NewExec("network.fqdns", "fqdns(): the full names of this machine's addresses.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				names, _ := c.Grains.Dict().GetStr("fqdns")
				return value.DictOf("fqdns", modules.OrElse(names, names != nil, value.NewList())), nil
			}),
		modules.NewExec("network.iphexval", "iphexval(ip): an IPv4 address in hex.", hexAddress, "ip"),
		modules.NewExec("network.get_bufsize", "get_bufsize(iface): the sizes of the buffers of an interface, as ethtool "+
			"says them.", bufferSizes, "iface"),
	}
}

// ask is all that a program says, which need not have ended well.
func ask(ctx context.Context, c *modules.Call, args ...string) (string, error) {
	out, err := c.Ask(ctx, args...)
	if err != nil {
		return "", value.Raise("CommandExecutionError", "%v", err)
	}
	return said(out), nil
}

func said(out *host.Output) string {
	return strings.TrimRight(string(out.Stdout)+string(out.Stderr), "\n")
}

// sane leaves of a host's name what may be in one, so that it is no flag.
func sane(name string) string {
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune(".-_:%", r)) {
			return r
		}
		return -1
	}, name), "-")
}

func ping(ctx context.Context, c *modules.Call) (value.Value, error) {
	args := []string{"ping", "-c", "4", sane(c.Str("host"))}
	if c.Bool("timeout") {
		args = slices.Insert(args, 1, "-W", c.Str("timeout"))
	}
	out, err := c.Ask(ctx, args...)
	switch {
	case err != nil:
		return nil, value.Raise("CommandExecutionError", "%v", err)
	case c.Bool("return_boolean"):
		return value.Bool(out.Code == 0), nil
	}
	return value.Str(said(out)), nil
}

// traceroute reads lines such as " 1  gw (192.0.2.1)  0.3 ms  0.2 ms  0.2 ms"; those of another shape are empty maps.
func traceroute(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := ask(ctx, c, "traceroute", sane(c.Str("host")))
	if err != nil {
		return nil, err
	}
	hops := value.NewList()
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		if !strings.Contains(l, " ") || strings.HasPrefix(l, "traceroute") {
			continue
		}
		hop, parts := value.NewDict(6), strings.Split(l, "  ")
		count, err := strconv.Atoi(strings.TrimSpace(parts[0]))
		if len(parts) > 1 && err == nil {
			readHop(hop, count, parts[1:])
		}
		hops.Items = append(hops.Items, hop)
	}
	return hops, nil
}

func readHop(hop *value.Dict, count int, parts []string) {
	name, address, _ := strings.Cut(parts[0], " ")
	switch {
	case parts[0] == "* * *":
		name = "*"
	case len(parts) < 4:
		return
	}
	hop.SetStr("count", value.Int(count))
	hop.SetStr("hostname", value.Str(name))
	if name == "*" {
		return
	}
	hop.SetStr("ip", value.Str(strings.Trim(address, "()")))
	for i := range 3 {
		number, _, _ := strings.Cut(parts[i+1], " ")
		if ms, err := strconv.ParseFloat(number, 64); err == nil {
			hop.SetStr(fmt.Sprintf("ms%d", i+1), value.Float(ms))
		}
	}
}

func arp(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := ask(ctx, c, "arp", "-an")
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for l := range strings.Lines(text) {
		if f := strings.Fields(l); len(f) > 3 {
			out.SetStr(f[3], value.Str(strings.Trim(f[1], "()")))
		}
	}
	return out, nil
}

// activeTCP numbers the connections from 0 on.
func activeTCP(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, _ := c.Host.ReadFile(file)
		for l := range strings.Lines(string(b)) {
			f := strings.Fields(l)
			if len(f) < 4 || f[3] != "01" { // established
				continue
			}
			local, port, ok := socket(f[1])
			remote, remotePort, ok2 := socket(f[2])
			if !ok || !ok2 {
				continue
			}
			if err := out.Set(value.Int(out.Len()), value.DictOf("local_addr", local, "local_port", port, "remote_addr", remote,
				"remote_port", remotePort)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// socket reads 0100007F:0016, whose address is in words of four bytes, the last byte first.
func socket(text string) (address value.Str, port value.Int, ok bool) {
	a, p, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(a)
	n, err2 := strconv.ParseUint(p, 16, 16)
	for i := 0; i+4 <= len(raw); i += 4 {
		slices.Reverse(raw[i : i+4])
	}
	addr, valid := netip.AddrFromSlice(raw)
	return value.Str(addr.Unmap().String()), value.Int(n), valid && err == nil && err2 == nil
}

func hexAddress(_ context.Context, c *modules.Call) (value.Value, error) {
	a, err := netip.ParseAddr(c.Str("ip"))
	if err != nil || !a.Is4() {
		return nil, value.Raise("ValueError", "%s is no IPv4 address", c.Str("ip"))
	}
	return value.Str(fmt.Sprintf("%X", a.AsSlice())), nil
}

const ethtool = "/sbin/ethtool"

// bufferSizes has each size under the name that ethtool gives it, "-max" behind those of the section of maximums.
func bufferSizes(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, err := c.Host.Stat(ethtool); err != nil {
		return value.NewDict(0), nil
	}
	text, err := ask(ctx, c, ethtool, "-g", c.Str("iface"))
	if err != nil {
		return nil, err
	}
	out, suffix, found := value.NewDict(8), "max-", false
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		name, size, _ := strings.Cut(l, ":")
		n, err := strconv.Atoi(strings.TrimSpace(size))
		switch {
		case err == nil && name != "":
			out.SetStr(strings.ReplaceAll(strings.ToLower(name), " ", "-")+suffix, value.Int(n))
			found = true
		case strings.HasSuffix(l, "maximums:"):
			suffix = "-max"
		case strings.HasSuffix(l, "settings:"):
			suffix = ""
		}
	}
	out.SetStr("result", value.Bool(found))
	if !found {
		out.SetStr("comment", value.Str(text))
	}
	return out, nil
}
