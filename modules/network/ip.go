package network

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// IP lists the functions of the module ip, which reads and writes ifupdown's files.
func IP() modules.Family {
	return modules.Family{Name: "ip", Execs: append(modules.Writing(
		modules.NewExec("ip.build_interface", "Writes an interface; its lines.", buildInterface, "iface", "iface_type",
			"enabled", "**settings"),
		modules.NewExec("ip.build_routes", "Writes the routes of an interface; their lines.", buildRoutes, "iface",
			"**settings"),
		modules.NewExec("ip.up", "Brings an interface up; what ifup says.", turned("ifup"), "iface", "iface_type"),
		modules.NewExec("ip.down", "Brings an interface down; what ifdown says.", turned("ifdown"), "iface", "iface_type"),
	),
		modules.NewExec("ip.get_interface", "The lines of an interface.", getInterface, "iface"),
		modules.NewExec("ip.get_bond", "The lines of the file that makes a bond.", getFile("/etc/modprobe.d/%.conf"),
			"iface"),
		modules.NewExec("ip.get_routes", "The lines of the scripts that set the routes of an interface.",
			getFile("/etc/network/if-up.d/route-%", "/etc/network/if-down.d/route-%"), "iface"),
		modules.NewExec("ip.get_network_settings", "The settings of the network as a whole.", getSettings),
	)}
}

func texts(lines []string) *value.List {
	out := value.NewList()
	for _, l := range lines {
		out.Items = append(out.Items, value.Str(l))
	}
	return out
}

func getInterface(_ context.Context, c *modules.Call) (value.Value, error) {
	all, err := files(c.Host)
	if err != nil {
		return nil, err
	}
	i, ok := read(all, c.Str("iface"))
	if !ok {
		return value.NewList(), nil
	}
	return texts(append(modules.SplitKeep(i.text(c.Str("iface"))), "\n")), nil
}

func getFile(patterns ...string) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		text := ""
		for _, p := range patterns {
			raw, err := c.Host.ReadFile(strings.ReplaceAll(p, "%", strings.ReplaceAll(c.Str("iface"), "/", "_")))
			if err == nil {
				text += string(raw)
			}
		}
		return texts(modules.SplitKeep(text)), nil
	}
}

func getSettings(_ context.Context, c *modules.Call) (value.Value, error) {
	g, err := globals(c.Host)
	return texts(g.lines()), err
}

// attribute is an error as Salt raises it.
func attribute(err error) error {
	if err == nil {
		return nil
	}
	return value.Raise("AttributeError", "%v", err)
}

func buildInterface(_ context.Context, c *modules.Call) (value.Value, error) {
	m := &Managed{Name: c.Str("iface"), Type: c.Str("iface_type"), Enabled: c.Bool("enabled"), Rest: c.Extra()}
	want, err := m.builder().build(m.Enabled)
	if err != nil {
		return nil, attribute(err)
	}
	if test, ok := c.Extra().GetStr("test"); !ok || !value.Truth(test) {
		if _, err := m.write(c.Host); err != nil {
			return nil, err
		}
	}
	return texts(append(modules.SplitKeep(want.text(m.Name)), "\n")), nil
}

func buildRoutes(_ context.Context, c *modules.Call) (value.Value, error) {
	v, _ := c.Extra().GetStr("routes")
	list, ok := v.(*value.List)
	r := &Routes{Name: c.Str("iface"), Routes: list}
	if !ok {
		return nil, value.Raise("AttributeError", "Invalid option -- Route interface: %s, Option: routes, Expected: [List of "+
			"routes]", c.Str("iface"))
	}
	if faults := r.Validate(); len(faults) > 0 {
		return nil, value.Raise("AttributeError", "%s", faults[0].Msg)
	}
	if test, ok := c.Extra().GetStr("test"); !ok || !value.Truth(test) {
		up, down := r.paths()
		for path, verb := range map[string]string{up: "add", down: "del"} {
			a := host.Attr{Mode: 0o755, HasMode: true}
			if err := c.Host.WriteFile(path, strings.NewReader(r.script(verb)), a); err != nil {
				return nil, err
			}
		}
	}
	return texts(modules.SplitKeep(r.script("add") + r.script("del"))), nil
}

func turned(verb string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if t := c.Str("iface_type"); t == "slave" || t == "source" {
			return value.None, nil
		}
		out, err := c.Outright(ctx, verb, c.Str("iface"))
		if err != nil {
			return nil, err
		}
		return value.Str(strings.TrimRight(string(out.Stdout)+string(out.Stderr), "\n")), nil
	}
}
