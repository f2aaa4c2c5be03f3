package firewalld

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	const perm = "permanent=true"
	look := func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec {
		return modules.NewExec("firewalld."+name, doc, f, params...)
	}
	looks := []modules.ExecSpec{
		look("version", "The version of firewalld.", text("--version")),
		look("default_zone", "The zone of what is in no other.", text("--get-default-zone")),
		look("list_zones", "All zones with what they let in.", listZones, perm),
		look("list_all", "A zone with what it lets in.", listAll, "zone=None", perm),
		look("get_zones", "The names of the zones.", listed("--get-zones"), perm),
		look("get_services", "The names of the services.", listed("--get-services"), perm),
		look("get_icmp_types", "The types of ICMP that firewalld knows.", listed("--get-icmptypes"), perm),
		look("list_services", "The services that a zone lets in.", listed("--list-services"), "zone=None", perm),
		look("list_ports", "The ports that a zone lets in.", listed("--list-ports"), "zone", perm),
		look("list_port_fwd", "The ports that a zone forwards.", listForwards, "zone", perm),
		look("list_icmp_block", "The types of ICMP that a zone blocks.", listed("--list-icmp-blocks"), "zone", perm),
		look("get_interfaces", "The interfaces of a zone.", listed("--list-interfaces"), "zone", perm),
		look("get_sources", "The addresses of a zone.", listed("--list-sources"), "zone", perm),
		look("get_rich_rules", "The rich rules of a zone.", richRules, "zone", perm),
		look("get_masquerade", "Whether a zone masquerades.", masquerades, "zone=None", perm),
		look("get_service_ports", "The ports of a service.", listed("--get-ports", ofService), "service"),
		look("get_service_protocols", "The protocols of a service.", listed("--get-protocols", ofService), "service"),
	}
	return append(looks, modules.Writing(writes(look, perm)...)...)
}

type looker = func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec

func writes(look looker, perm string) []modules.ExecSpec {
	const force = "force_masquerade=false"
	fwd := []string{"zone", "src", "dest", "proto=tcp", "dstaddr=", perm}
	return []modules.ExecSpec{
		look("reload_rules", "Loads the permanent configuration.", text("--reload")),
		look("make_permanent", "Makes what runs now the permanent configuration.", text("--runtime-to-permanent")),
		look("new_zone", "Makes a zone.", manage("--new-zone", "zone"), "zone", "restart=true"),
		look("delete_zone", "Deletes a zone.", manage("--delete-zone", "zone"), "zone", "restart=true"),
		look("set_default_zone", "Sets the zone of what is in no other.", func(ctx context.Context,
			c *modules.Call) (value.Value, error) {
			return run(ctx, c, "--set-default-zone="+c.Str("zone"))
		}, "zone"),
		look("new_service", "Makes a service.", manage("--new-service", "name"), "name", "restart=true"),
		look("delete_service", "Deletes a service.", manage("--delete-service", "name"), "name", "restart=true"),
		look("add_service", "Lets a service into a zone.", put("--add-service", "service"), "service", "zone=None", perm),
		look("remove_service", "Lets a service into a zone no more.", put("--remove-service", "service"), "service",
			"zone=None", perm),
		look("add_service_port", "Adds a port to a service.", put("--add-port", "port", ofService), "service", "port"),
		look("remove_service_port", "Removes a port from a service.", put("--remove-port", "port", ofService), "service",
			"port"),
		look("add_service_protocol", "Adds a protocol to a service.", put("--add-protocol", "protocol", ofService), "service",
			"protocol"),
		look("remove_service_protocol", "Removes a protocol from a service.", put("--remove-protocol", "protocol", ofService),
			"service", "protocol"),
		look("add_masquerade", "Lets a zone masquerade.", put("--add-masquerade", ""), "zone=None", perm),
		look("remove_masquerade", "Lets a zone masquerade no more.", put("--remove-masquerade", ""), "zone=None", perm),
		look("add_port", "Lets a port into a zone.", put("--add-port", "port"), "zone", "port", perm, force),
		look("remove_port", "Lets a port into a zone no more.", put("--remove-port", "port"), "zone", "port", perm),
		look("add_port_fwd", "Forwards a port.", putForward("--add-forward-port="), append(fwd, force)...),
		look("remove_port_fwd", "Forwards a port no more.", putForward("--remove-forward-port="), fwd...),
		look("block_icmp", "Blocks a type of ICMP in a zone.", icmp(true), "zone", "icmp", perm),
		look("allow_icmp", "Blocks a type of ICMP in a zone no more.", icmp(false), "zone", "icmp", perm),
		look("add_interface", "Puts an interface into a zone.", put("--add-interface", "interface"), "zone", "interface",
			perm),
		look("remove_interface", "Takes an interface out of a zone.", put("--remove-interface", "interface"), "zone",
			"interface", perm),
		look("add_source", "Puts an address into a zone.", put("--add-source", "source"), "zone", "source", perm),
		look("remove_source", "Takes an address out of a zone.", put("--remove-source", "source"), "zone", "source", perm),
		look("add_rich_rule", "Adds a rich rule to a zone.", put("--add-rich-rule", "rule"), "zone", "rule", perm),
		look("remove_rich_rule", "Removes a rich rule from a zone.", put("--remove-rich-rule", "rule"), "zone", "rule",
			perm),
	}
}

// options are the words of a call: the zone or service that it is about, an option, and the configuration.
func options(c *modules.Call, option string) []string {
	var out []string
	if c.Bool("zone") {
		out = append(out, "--zone="+c.Str("zone"))
	}
	out = append(out, option)
	if c.Bool("permanent") {
		out = append(out, "--permanent")
	}
	return out
}

// ofService are the words of a call about a service.
func ofService(c *modules.Call, option string) []string {
	return []string{"--permanent", "--service=" + c.Str("service"), option}
}

type worder = func(c *modules.Call, option string) []string

func say(ctx context.Context, c *modules.Call, words ...string) (string, error) {
	text, err := ask(ctx, c.Host, words...)
	return text, failed(err)
}

// failed is an error as Salt raises it.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return value.Raise("CommandExecutionError", "%v", err)
}

// run changes the configuration; the answer is firewalld's.
func run(ctx context.Context, c *modules.Call, words ...string) (value.Value, error) {
	out, err := c.Outright(ctx, append([]string{program}, words...)...)
	if err != nil {
		return nil, err
	}
	return value.Str(strings.TrimRight(string(out.Stdout), "\n")), failed(complaint(out))
}

// text is a function that gives an answer, or does one thing, without arguments.
func text(option string) modules.ExecFunc {
	if option == "--reload" || option == "--runtime-to-permanent" {
		return func(ctx context.Context, c *modules.Call) (value.Value, error) { return run(ctx, c, option) }
	}
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		s, err := say(ctx, c, option)
		return value.Str(s), err
	}
}

func listed(option string, words ...worder) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		s, err := say(ctx, c, append(words, options)[0](c, option)...)
		return texts(strings.Fields(s)), err
	}
}

func richRules(ctx context.Context, c *modules.Call) (value.Value, error) {
	s, err := say(ctx, c, options(c, "--list-rich-rules")...)
	return texts(slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return l == "" })), err
}

func listForwards(ctx context.Context, c *modules.Call) (value.Value, error) {
	s, err := say(ctx, c, options(c, "--list-forward-ports")...)
	return shown(list{change: "port_fwd"}, strings.Fields(s)), err
}

func listAll(ctx context.Context, c *modules.Call) (value.Value, error) {
	s, err := say(ctx, c, options(c, "--list-all")...)
	return dict(s), err
}

func listZones(ctx context.Context, c *modules.Call) (value.Value, error) {
	s, err := say(ctx, c, options(c, "--list-all-zones")...)
	return dict(s), err
}

func masquerades(ctx context.Context, c *modules.Call) (value.Value, error) {
	s, err := say(ctx, c, options(c, "--list-all")...)
	return value.Bool(!strings.Contains(s, "\n  masquerade: no")), err
}

// dict are zones in the shape that Salt gives them: each entry is a list, whose first item is the rest of its line.
func dict(text string) *value.Dict {
	out, entries, items := value.NewDict(0), value.NewDict(0), value.NewList()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch key, rest, _ := strings.Cut(line, ":"); {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "\t"):
			items.Items = append(items.Items, value.Str(strings.TrimSpace(line)))
		case !strings.HasPrefix(line, " "):
			entries = value.NewDict(0)
			out.SetStr(strings.TrimRight(line, " "), entries)
		default:
			items = value.NewList(value.Str(strings.TrimSpace(rest)))
			entries.SetStr(strings.TrimSpace(key), items)
		}
	}
	return out
}

// manage makes or deletes a zone or service, and loads that.
func manage(option, arg string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		v, err := run(ctx, c, option+"="+c.Str(arg), "--permanent")
		if err != nil || !c.Bool("restart") || v != value.Str("success") {
			return v, err
		}
		return run(ctx, c, "--reload")
	}
}

// put changes a list by one item.
func put(option, arg string, words ...worder) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if err := forced(ctx, c); err != nil {
			return nil, err
		}
		word := option
		if arg != "" {
			word += "=" + c.Str(arg)
		}
		return run(ctx, c, append(words, options)[0](c, word)...)
	}
}

func putForward(option string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if err := forced(ctx, c); err != nil {
			return nil, err
		}
		f := forward(strings.Join([]string{c.Str("src"), c.Str("dest"), c.Str("proto"), c.Str("dstaddr")}, ":"))
		return run(ctx, c, options(c, option+f)...)
	}
}

// forced lets the zone masquerade where a call says so.
func forced(ctx context.Context, c *modules.Call) error {
	if !c.Bool("force_masquerade") {
		return nil
	}
	_, err := run(ctx, c, "--zone="+c.Str("zone"), "--add-masquerade", "--permanent")
	return err
}

// icmp blocks a type of ICMP or lets it pass; False for one that firewalld does not know.
func icmp(block bool) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		known, err := say(ctx, c, "--get-icmptypes")
		if err != nil || !slices.Contains(strings.Fields(known), c.Str("icmp")) {
			return value.Bool(false), err
		}
		now, err := say(ctx, c, options(c, "--list-icmp-blocks")...)
		if err != nil || slices.Contains(strings.Fields(now), c.Str("icmp")) == block {
			return value.Str("success"), err
		}
		option := "--remove-icmp-block="
		if block {
			option = "--add-icmp-block="
		}
		return run(ctx, c, options(c, option+c.Str("icmp"))...)
	}
}
