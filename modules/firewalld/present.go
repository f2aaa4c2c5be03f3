package firewalld

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a zone.
type Present struct {
	root
	Name            string   `arg:"name,required,word" doc:"The zone."`
	BlockICMP       []string `arg:"block_icmp,word" doc:"The ICMP types that the zone blocks. Those that firewalld does not know are left out."`
	PruneBlockICMP  bool     `arg:"prune_block_icmp" doc:"Blocks no other ICMP types."`
	Default         bool     `arg:"default" doc:"Makes it the zone of what is in no other."`
	Masquerade      bool     `arg:"masquerade" doc:"Hides what is behind the machine; without it masquerading is switched off."`
	Ports           []string `arg:"ports,word" doc:"The ports that are let in, as 443/tcp or 6000-6010/udp."`
	PrunePorts      bool     `arg:"prune_ports" doc:"Lets in no other ports."`
	PortFwd         []string `arg:"port_fwd,word" doc:"The ports that are forwarded, as FROM:TO:PROTOCOL or FROM:TO:PROTOCOL:ADDRESS."`
	PrunePortFwd    bool     `arg:"prune_port_fwd" doc:"Forwards no other ports."`
	Services        []string `arg:"services,word" doc:"The services that are let in."`
	PruneServices   bool     `arg:"prune_services" doc:"Lets in no other services."`
	Interfaces      []string `arg:"interfaces,word" doc:"The interfaces of the zone."`
	PruneInterfaces bool     `arg:"prune_interfaces" doc:"Takes all other interfaces out of the zone."`
	Sources         []string `arg:"sources,word" doc:"The addresses and networks of the zone."`
	PruneSources    bool     `arg:"prune_sources" doc:"Takes all other sources out of the zone."`
	RichRules       []string `arg:"rich_rules" doc:"Rules in the language of firewalld, as firewall-cmd --list-rich-rules writes them."`
	PruneRichRules  bool     `arg:"prune_rich_rules" doc:"Removes all other rich rules."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "firewalld.present",
		Doc: "Keeps a zone of firewalld: what it lets in, blocks, forwards and holds. firewalld has to run. The permanent " +
			"configuration is changed, then loaded.",
		Example: "public:\n  firewalld.present:\n    - services: [ssh, http]\n    - ports: [8080/tcp]\n    - prune_ports: " +
			"true\n" +
			"    - rich_rules:\n        - rule family=\"ipv4\" source address=\"192.0.2.0/24\" drop",
		New: func() modules.StateFunc { return &Present{} },
	}
}

// Validate refuses ports and forwardings that firewalld would not read.
func (p *Present) Validate() []modules.Fault {
	var out []modules.Fault
	for _, port := range p.Ports {
		out = append(out, portFault("ports", port)...)
	}
	for _, f := range p.PortFwd {
		if n := strings.Count(f, ":"); n < 2 || n > 3 {
			out = append(out, modules.Fault{Arg: "port_fwd", Msg: fmt.Sprintf("%q is no forwarding of a port", f),
				Hint: "FROM:TO:PROTOCOL or FROM:TO:PROTOCOL:ADDRESS, as 80:8080:tcp"})
		}
	}
	return out
}

func portFault(arg, port string) []modules.Fault {
	if regexp.MustCompile(`^\d+(-\d+)?/(tcp|udp|sctp|dccp)$`).MatchString(port) {
		return nil
	}
	return []modules.Fault{{Arg: arg, Msg: fmt.Sprintf("%q is no port with its protocol", port),
		Hint: "write 443/tcp or 6000-6010/udp"}}
}

// A list is one list of a zone: its name among the changes, its entry in what --list-all says, the option that adds to
// it or removes from it, and what the state wants of it.
type list struct {
	change, entry, option string
	want                  []string
	prune                 bool
}

func (p *Present) lists() []list {
	fwd := make([]string, len(p.PortFwd))
	for i, f := range p.PortFwd {
		fwd[i] = forward(f)
	}
	return []list{
		{"ports", "ports", "port", p.Ports, p.PrunePorts},
		{"port_fwd", "forward-ports", "forward-port", fwd, p.PrunePortFwd},
		{"services", "services", "service", p.Services, p.PruneServices},
		{"interfaces", "interfaces", "interface", p.Interfaces, p.PruneInterfaces},
		{"sources", "sources", "source", p.Sources, p.PruneSources},
		{"rich_rules", "rich rules", "rich-rule", p.RichRules, p.PruneRichRules},
	}
}

// Act makes the zone, then its lists, and loads what it changed.
//
// Salt differs: its preview of a zone that is not there fails.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	w := &work{Present: p, h: h, changes: value.NewDict(0)}
	for _, step := range [...]func(context.Context) error{w.zone, w.icmp, w.first, w.hide, w.all} {
		if err := step(ctx); err != nil {
			return state.Effect{}, fmt.Errorf("Error: %w", err) //nolint:staticcheck // Salt's words
		}
	}
	if w.changes.Len() == 0 {
		return state.Settled(fmt.Sprintf("'%s' is already in the desired state.", p.Name)), nil
	}
	e := state.Effect{Changes: w.changes, Foretold: value.NewDict(0), Comment: fmt.Sprintf("'%s' was configured.", p.Name)}
	e.Preview = fmt.Sprintf("Configuration for '%s' will change:\n%s", p.Name, strings.Join(nested(e.Changes, ""), "\n"))
	return e, reload(ctx, h)
}

// work is what an Act is at: the zone as it was found, and what was changed so far.
type work struct {
	*Present
	h       host.Host
	found   zone
	changes *value.Dict
}

// zone makes the zone, or reads it.
func (w *work) zone(ctx context.Context) error {
	all, err := zones(ctx, w.h)
	if err != nil {
		return err
	}
	if slices.Contains(all, w.Name) {
		w.found, err = read(ctx, w.h, w.Name)
		return err
	}
	w.changes.SetStr(w.Name, value.DictOf("old", texts(all), "new", value.Str(w.Name)))
	err = change(ctx, w.h, []string{"--new-zone=" + w.Name, "--permanent"},
		leaving("firewalld zones", append(all, w.Name)...), leaving("firewalld zone "+w.Name))
	if err != nil {
		return err
	}
	return reload(ctx, w.h)
}

// now is a list of the zone as the state finds it.
func (w *work) now(entry string) []string {
	if items, ok := promised(w.h, w.fact(entry)); ok {
		return items
	}
	return w.found[entry]
}

func (p *Present) fact(entry string) string { return "firewalld zone " + p.Name + " " + entry }

// put changes a list of the zone.
func (w *work) put(ctx context.Context, option, entry string, leaves ...string) error {
	return change(ctx, w.h, []string{"--zone=" + w.Name, option, "--permanent"}, leaving(w.fact(entry), leaves...))
}

// icmp blocks types of ICMP that firewalld knows.
func (w *work) icmp(ctx context.Context) error {
	want := w.BlockICMP
	if len(want) > 0 {
		text, err := ask(ctx, w.h, "--get-icmptypes", "--permanent")
		if err != nil {
			return err
		}
		known := strings.Fields(text)
		want = slices.DeleteFunc(slices.Clone(want), func(t string) bool { return !slices.Contains(known, t) })
	}
	return w.keep(ctx, list{"icmp_types", "icmp-blocks", "icmp-block", want, w.PruneBlockICMP})
}

// first makes the zone the default one, which is no matter of the permanent configuration.
func (w *work) first(ctx context.Context) error {
	if !w.Default {
		return nil
	}
	now, err := words(ctx, w.h, "firewalld default", "--get-default-zone")
	if err != nil || slices.Equal(now, []string{w.Name}) {
		return err
	}
	w.changes.SetStr("default", value.DictOf("old", value.Str(strings.Join(now, " ")), "new", value.Str(w.Name)))
	return change(ctx, w.h, []string{"--set-default-zone=" + w.Name}, leaving("firewalld default", w.Name))
}

// hide switches masquerading on or off.
func (w *work) hide(ctx context.Context) error {
	if slices.Contains(w.now("masquerade"), "yes") == w.Masquerade {
		return nil
	}
	verb, done, leaves := "remove", "disabled", "no"
	if w.Masquerade {
		verb, done, leaves = "add", "set", "yes"
	}
	w.changes.SetStr("masquerade", value.DictOf("old", value.Str(""), "new",
		value.Str("Masquerading successfully "+done+".")))
	return w.put(ctx, "--"+verb+"-masquerade", "masquerade", leaves)
}

func (w *work) all(ctx context.Context) error {
	for _, l := range w.lists() {
		if err := w.keep(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

// keep adds to a list what it lacks, and takes away what is pruned.
func (w *work) keep(ctx context.Context, l list) error {
	was := w.now(l.entry)
	now, add := slices.Clone(was), lacking(l.want, was)
	if err := w.known(ctx, l, add); err != nil {
		return err
	}
	for _, item := range add {
		now = append(now, item)
		if err := w.put(ctx, "--add-"+l.option+"="+item, l.entry, now...); err != nil {
			return err
		}
	}
	if l.prune {
		for _, item := range lacking(was, l.want) {
			now = slices.DeleteFunc(now, func(n string) bool { return n == item })
			if err := w.put(ctx, "--remove-"+l.option+"="+item, l.entry, now...); err != nil {
				return err
			}
		}
	}
	if !slices.Equal(was, now) {
		w.changes.SetStr(l.change, value.DictOf("old", shown(l, was), "new", shown(l, now)))
	}
	return nil
}

// known fails for services that firewalld does not have.
func (w *work) known(ctx context.Context, l list, add []string) error {
	if l.entry != "services" || len(add) == 0 {
		return nil
	}
	all, err := services(ctx, w.h)
	if unknown := lacking(add, all); err == nil && len(unknown) > 0 {
		return host.Missing("firewall-cmd failed: Error: INVALID_SERVICE: Zone '%s': '%s' not among existing services",
			w.Name, unknown[0])
	}
	return err
}

// shown is a list as Salt shows it.
func shown(l list, items []string) value.Value {
	if l.change != "port_fwd" {
		return texts(items)
	}
	out := value.NewList()
	for _, i := range items {
		f := fields(i)
		out.Items = append(out.Items, value.DictOf("Source port", value.Str(f[0]), "Destination port", value.Str(f[2]),
			"Protocol", value.Str(f[1]), "Destination address", value.Str(f[3])))
	}
	return out
}

func texts(items []string) *value.List {
	out := value.NewList()
	for _, i := range items {
		out.Items = append(out.Items, value.Str(i))
	}
	return out
}
