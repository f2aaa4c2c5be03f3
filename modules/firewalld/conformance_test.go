package firewalld

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// store is where the fake firewalld keeps its lists, each in a file of lines.
const store = "/var/fw/"

func lines(m *hosttest.Memory, name string) []string {
	l, _ := modules.ReadLines(m, store+name)
	return l
}

func said(items ...string) (*host.Output, error) {
	return &host.Output{Stdout: []byte(strings.Join(items, " ") + "\n")}, nil
}

func refused(text string) (*host.Output, error) {
	return &host.Output{Code: 101, Stderr: []byte("Error: " + text + "\n")}, nil
}

// tools is a firewalld, with the answers of version 1.3.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	var zone, service, option string
	for _, a := range c.Args[1:] {
		switch k, v, _ := strings.Cut(a, "="); k {
		case "--permanent":
		case "--zone":
			zone = v
		case "--service":
			service = v
		default:
			option = a
		}
	}
	if lines(m, "off") != nil {
		return &host.Output{Code: 252, Stderr: []byte("FirewallD is not running\n")}, nil
	}
	if zone != "" && !slices.Contains(lines(m, "zones"), zone) {
		return refused("INVALID_ZONE: " + zone)
	}
	if service != "" && !slices.Contains(lines(m, "services"), service) {
		return refused("INVALID_SERVICE: " + service)
	}
	return answer(m, zone, service, option)
}

func answer(m *hosttest.Memory, zone, service, option string) (*host.Output, error) {
	verb, item, _ := strings.Cut(option, "=")
	switch verb {
	case "--version":
		return said("1.3.3")
	case "--reload", "--runtime-to-permanent":
		return said("success")
	case "--get-zones":
		return said(lines(m, "zones")...)
	case "--get-services":
		return said(lines(m, "services")...)
	case "--get-icmptypes":
		return said("echo-request", "redirect")
	case "--get-default-zone":
		return said(lines(m, "default")...)
	case "--get-ports", "--get-protocols":
		return said(lines(m, service+"/"+strings.TrimPrefix(verb, "--get-"))...)
	case "--list-all":
		return &host.Output{Stdout: []byte(show(m, zone))}, nil
	case "--list-icmp-blocks":
		return said(lines(m, zone+"/icmp-blocks")...)
	case "--set-default-zone":
		return &host.Output{Stdout: []byte("success\n")}, modules.WriteLines(m, store+"default", []string{item})
	case "--new-zone":
		return keep(m, "zones", item, true)
	case "--new-service":
		return keep(m, "services", item, true)
	case "--add-masquerade":
		return &host.Output{Stdout: []byte("success\n")}, modules.WriteLines(m, store+zone+"/masquerade", []string{"yes"})
	case "--remove-masquerade":
		return &host.Output{Stdout: []byte("success\n")}, modules.WriteLines(m, store+zone+"/masquerade", []string{"no"})
	}
	what, add := strings.CutPrefix(verb, "--add-")
	what = strings.TrimPrefix(what, "--remove-") + "s"
	if what == "services" && add && !slices.Contains(lines(m, "services"), item) {
		return refused("INVALID_SERVICE: '" + item + "' not among existing services")
	}
	return keep(m, zone+service+"/"+what, item, add)
}

func keep(m *hosttest.Memory, list, item string, add bool) (*host.Output, error) {
	all := slices.DeleteFunc(lines(m, list), func(l string) bool { return l == item })
	if add {
		all = append(all, item)
	}
	out, _ := said("success")
	return out, modules.WriteLines(m, store+list, all)
}

// show is what --list-all writes.
func show(m *hosttest.Memory, zone string) string {
	var b strings.Builder
	b.WriteString(zone + "\n  target: default\n")
	for _, l := range []string{"interfaces", "sources", "services", "ports", "masquerade", "forward-ports", "icmp-blocks",
		"rich-rules"} {
		sep, entry := " ", strings.ReplaceAll(l, "rich-", "rich ")
		if l == "forward-ports" || l == "rich-rules" {
			sep = "\n\t"
		}
		b.WriteString("  " + entry + ":")
		for _, i := range lines(m, zone+"/"+l) {
			b.WriteString(sep + i)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func with(set func(m *hosttest.Memory)) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/bin/firewall-cmd", "", 0o755)
		m.MustWrite(store+"zones", "public\nwork\n", 0o644)
		m.MustWrite(store+"services", "http\nssh\n", 0o644)
		m.MustWrite(store+"default", "public\n", 0o644)
		m.MustWrite(store+"public/masquerade", "no\n", 0o644)
		m.MustWrite(store+"http/ports", "80/tcp\n", 0o644)
		if set != nil {
			set(m)
		}
	})
}

func full(m *hosttest.Memory) {
	for name, text := range map[string]string{"services": "ssh\n", "ports": "22/tcp\n443/tcp\n", "masquerade": "yes\n",
		"forward-ports": "port=80:proto=tcp:toport=8080:toaddr=\n", "icmp-blocks": "redirect\n", "sources": "10.0.0.0/8\n",
		"interfaces": "eth0\n", "rich-rules": "rule protocol value=\"esp\" accept\n"} {
		m.MustWrite(store+"public/"+name, text, 0o644)
	}
}

func TestConformance(t *testing.T) {
	zone := func(name string, args ...any) modtest.Deed { return modtest.State("firewalld.present", name, args...) }
	service := func(name string, args ...any) modtest.Deed { return modtest.State("firewalld.service", name, args...) }
	modtest.Suite{
		Family: Family(),
		Beyond: []string{strings.TrimSuffix(store, "/")},
		Situations: modtest.Situations{
			"not installed": modtest.Memory(tools, nil),
			"not running":   with(func(m *hosttest.Memory) { m.MustWrite(store+"off", "x\n", 0o644) }),
			"bare":          with(nil), "full": with(full),
		},
		Deeds: []modtest.Deed{
			zone("public"), zone("new"), zone("new", "ports", []string{"80/tcp"}, "masquerade", true),
			zone("public", "ports", []string{"443/tcp", "80/tcp"}), zone("public", "ports", []string{"80/tcp"}, "prune_ports",
				true),
			zone("public", "prune_ports", true, "prune_services", true, "prune_interfaces", true, "prune_sources", true,
				"prune_rich_rules", true, "prune_port_fwd", true, "prune_block_icmp", true, "masquerade", true),
			zone("public", "services", []string{"http"}), zone("public", "services", []string{"none"}),
			zone("public", "block_icmp", []string{"echo-request", "bogus"}), zone("work", "default", true),
			zone("public", "default", true, "sources", []string{"192.0.2.1", "192.0.2.1"}, "interfaces", []string{"eth0"}),
			zone("public", "rich_rules", []string{`rule service name="ssh" accept`}, "prune_rich_rules", true),
			zone("public", "port_fwd", []string{"80:8080:tcp", "81:81:udp:192.0.2.5"}, "prune_port_fwd", true),
			service("http"), service("http", "ports", []string{"80/tcp"}), service("app", "ports", []string{"1/udp"},
				"protocols", []string{"gre"}), service("bare"),
		},
	}.Run(t)
}

// TestChanges: the shape of changes and comments is Salt's.
func TestChanges(t *testing.T) {
	rows := []struct {
		deed           modules.StateFunc
		changes, words string
	}{
		{&Present{Name: "public", Masquerade: true, Ports: []string{"80/tcp"}},
			`{'ports': {'old': ['22/tcp', '443/tcp'], 'new': ['22/tcp', '443/tcp', '80/tcp']}}`,
			"Configuration for 'public' will change:\nports:\n    ----------\n    new:\n        - 22/tcp\n        - 443/tcp\n" +
				"        - 80/tcp\n    old:\n        - 22/tcp\n        - 443/tcp"},
		{&Present{Name: "public", PortFwd: []string{"1:2:udp"}, PrunePortFwd: true},
			`{'masquerade': {'old': '', 'new': 'Masquerading successfully disabled.'}, 'port_fwd': {'old': ` +
				`[{'Source port': '80', 'Destination port': '8080', 'Protocol': 'tcp', 'Destination address': ''}], 'new': ` +
				`[{'Source port': '1', 'Destination port': '2', 'Protocol': 'udp', 'Destination address': ''}]}}`, ""},
		{&Present{Name: "new"}, `{'new': {'old': ['public', 'work'], 'new': 'new'}}`, ""},
		{&Service{Name: "http", Ports: []string{"81/tcp"}}, `{'ports': {'old': ['80/tcp'], 'new': ['81/tcp']}}`,
			"Configuration for 'http' will change."},
	}
	for _, r := range rows {
		e, err := r.deed.Act(t.Context(), nil, with(full)(t))
		if d := cmp.Diff(r.changes, value.Repr(e.Changes)); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
		if d := cmp.Diff(r.words, e.Preview); r.words != "" && d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// TestPreview: what follows in a preview finds the zones and services of what went before, and what nobody can tell
// while firewalld does not run yet is no failure.
func TestPreview(t *testing.T) {
	over := host.NewOverlay(with(nil)(t))
	for _, fn := range []modules.StateFunc{&Service{Name: "app", Ports: []string{"1/tcp"}},
		&Present{Name: "dmz", Services: []string{"app"}}} {
		if e, err := fn.Act(t.Context(), nil, over); err != nil || !e.Alters() {
			t.Errorf("%v %v", e, err)
		}
		if e, err := fn.Act(t.Context(), nil, over); err != nil || e.Alters() {
			t.Errorf("again: %v %v", e, err)
		}
	}
	off := host.NewOverlay(with(func(m *hosttest.Memory) { m.MustWrite(store+"off", "x\n", 0o644) })(t))
	if _, err := (&Present{Name: "x"}).Act(t.Context(), nil, off); err == nil || host.IsUnknown(err) {
		t.Error(err)
	}
	off.Promise(host.Fact{Kind: host.FactService, Name: "firewalld.service", Value: "active"})
	if _, err := (&Present{Name: "x"}).Act(t.Context(), nil, off); !host.IsUnknown(err) {
		t.Error(err)
	}
}

func TestExecs(t *testing.T) {
	modtest.Execs{Family: Family(), Host: with(full)(t)}.Table(t, [][4]string{
		{"firewalld.version", `[]`, "", `'1.3.3'`},
		{"firewalld.get_zones", `[]`, "", `['public', 'work']`},
		{"firewalld.new_zone", `["dmz"]`, "", `'success'`},
		{"firewalld.new_service", `["app"]`, `{"restart": false}`, `'success'`},
		{"firewalld.add_service_port", `["app", "1/tcp"]`, "", `'success'`},
		{"firewalld.get_service_ports", `["app"]`, "", `['1/tcp']`},
		{"firewalld.add_service", `["app", "dmz"]`, "", `'success'`},
		{"firewalld.add_port", `["dmz", "2/udp"]`, `{"force_masquerade": true}`, `'success'`},
		{"firewalld.get_masquerade", `["dmz"]`, "", `True`},
		{"firewalld.block_icmp", `["dmz", "redirect"]`, "", `'success'`},
		{"firewalld.block_icmp", `["dmz", "bogus"]`, "", `False`},
		{"firewalld.list_icmp_block", `["dmz"]`, "", `['redirect']`},
		{"firewalld.add_port_fwd", `["dmz", 80, 81]`, "", `'success'`},
		{"firewalld.add_rich_rule", `["dmz", "rule protocol value=\"ah\" drop"]`, "", `'success'`},
		{"firewalld.list_all", `["dmz"]`, "", `{'dmz': {'target': ['default'], 'interfaces': [''], 'sources': [''], ` +
			`'services': ['app'], 'ports': ['2/udp'], 'masquerade': ['yes'], 'forward-ports': ['', ` +
			`'port=80:proto=tcp:toport=81:toaddr='], 'icmp-blocks': ['redirect'], 'rich rules': ['', ` +
			`'rule protocol value="ah" drop']}}`},
		{"firewalld.remove_port", `["dmz", "2/udp"]`, "", `'success'`},
		{"firewalld.set_default_zone", `["dmz"]`, "", `'success'`},
		{"firewalld.default_zone", `[]`, "", `'dmz'`},
	})
}
