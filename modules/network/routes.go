package network

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func routeSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("network.routes", "routes(family=None): the routes, of inet, inet6 or both.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				all, err := routes(ctx, c)
				return asList(all), err
			}, "family=None"),
		modules.NewExec("network.default_route", "default_route(family=None): the routes to everywhere, of inet, inet6 or "+
			"both.", func(ctx context.Context, c *modules.Call) (value.Value, error) {
			all, err := routes(ctx, c)
			return asList(slices.DeleteFunc(all, func(r route) bool {
				return r.to != "0.0.0.0" && r.to != "::/0" &&
					r.to != "default"
			})), err
		}, "family=None"),
		modules.NewExec("network.get_route", "get_route(ip): the way to an address: gateway, interface and source.", getRoute,
			"ip"),
	}
}

// A route is one line of the kernel's tables, in the words of netstat.
type route struct{ family, to, gateway, netmask, flags, iface string }

func asList(all []route) *value.List {
	out := value.NewList()
	for _, r := range all {
		out.Items = append(out.Items, value.DictOf("addr_family", value.Str(r.family), "destination", value.Str(r.to),
			"gateway", value.Str(r.gateway),
			"netmask", value.Str(r.netmask), "flags", value.Str(r.flags), "interface", value.Str(r.iface)))
	}
	return out
}

// routes asks netstat(8), or ip(8) where that is not there.
func routes(ctx context.Context, c *modules.Call) ([]route, error) {
	family := c.Str("family")
	if family != "" && family != "inet" && family != "inet6" {
		return nil, value.Raise("CommandExecutionError", "Invalid address family %s", family)
	}
	_, missing := c.Host.LookPath("netstat")
	var out []route
	for _, f := range []struct {
		name    string
		ip      []string
		netstat func([]string) (route, bool)
		show    func([]string) (route, bool)
	}{
		{"inet", []string{"ip", "-4", "route", "show", "table", "main"}, netstat4, ip4},
		{"inet6", []string{"ip", "-6", "route", "show", "table", "all"}, netstat6, ip6},
	} {
		if family != "" && family != f.name {
			continue
		}
		args, read := []string{"netstat", "-A", f.name, "-rn"}, f.netstat
		if missing != nil {
			args, read = f.ip, f.show
		}
		text, err := ask(ctx, c, args...)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(text, "\n")
		if missing == nil {
			lines = lines[min(2, len(lines)):] // titles
		}
		for _, l := range lines {
			if r, ok := read(strings.Fields(l)); ok {
				r.family = f.name
				out = append(out, r)
			}
		}
	}
	return out, nil
}

func netstat4(f []string) (route, bool) {
	if len(f) < 8 {
		return route{}, false
	}
	return route{to: f[0], gateway: f[1], netmask: f[2], flags: f[3], iface: f[7]}, true
}

func netstat6(f []string) (route, bool) {
	if len(f) != 6 && len(f) != 7 {
		return route{}, false
	}
	return route{to: f[0], gateway: f[1], flags: f[2], iface: f[len(f)-1]}, true
}

// after is the word behind another, "" where there is none.
func after(f []string, word string) string {
	if i := slices.Index(f, word); i >= 0 && i+1 < len(f) {
		return f[i+1]
	}
	return ""
}

func ip4(f []string) (route, bool) {
	if len(f) < 2 {
		return route{}, false
	}
	if f[0] == "default" {
		return route{to: "0.0.0.0", gateway: after(f, "via"), netmask: "0.0.0.0", flags: "UG", iface: after(f, "dev")}, true
	}
	p, err := network(f[0])
	if err != nil {
		return route{}, false // unreachable, blackhole and their like
	}
	return route{to: p.Addr().String(), gateway: "0.0.0.0", netmask: maskText(p.Bits()), flags: "U",
		iface: after(f, "dev")}, true
}

func ip6(f []string) (route, bool) {
	if len(f) < 2 {
		return route{}, false
	}
	iface := after(f, "dev")
	switch f[0] {
	case "default":
		return route{to: "::/0", gateway: after(f, "via"), flags: "UG", iface: iface}, true
	case "local":
		return route{to: f[1] + "/128", gateway: "::", flags: "U", iface: iface}, true
	}
	if _, err := network(f[0]); err != nil {
		return route{}, false
	}
	return route{to: f[0], gateway: "::", flags: "U", iface: iface}, true
}

func getRoute(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := ask(ctx, c, "ip", "route", "get", sane(c.Str("ip")))
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(text, "\n")
	f := strings.Fields(first)
	if after(f, "dev") == "" {
		return nil, value.Raise("CommandExecutionError", "%s", text)
	}
	var gateway value.Value = value.None
	if via := after(f, "via"); via != "" {
		gateway = value.Str(via)
	}
	return value.DictOf("destination", c.Arg("ip"), "gateway", gateway, "interface", value.Str(after(f, "dev")), "source",
		value.Str(after(f, "src"))), nil
}
