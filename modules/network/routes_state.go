package network

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Routes keeps the routes of an interface.
type Routes struct {
	root
	Name   string      `arg:"name,required,word" doc:"The interface."`
	Routes *value.List `arg:"routes,required" doc:"The routes: maps of name, ipaddr, netmask, gateway and metric."`
	apply
}

// apply is how changes get into force, embedded by the states that write files for the whole network.
type apply struct {
	RequireReboot bool `arg:"require_reboot" doc:"Leaves what runs as it is: the next boot brings the change."`
}

func routesSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "network.routes",
		Doc: "Keeps routes that ifupdown sets when an interface comes up (Debian). A change restarts networking, unless " +
			"require_reboot says otherwise.",
		Example: "eth0:\n  network.routes:\n    - routes:\n        - name: office\n          ipaddr: 10.0.0.0\n" +
			"          netmask: 255.0.0.0\n          gateway: 192.0.2.254",
		New: func() modules.StateFunc { return &Routes{} },
	}
}

// Validate refuses routes that ip would not take.
func (r *Routes) Validate() []modules.Fault {
	if r.Routes == nil {
		return nil
	}
	for _, v := range r.Routes.Items {
		d, err := modules.Map(v)
		if err != nil {
			return []modules.Fault{{Arg: "routes", Msg: "a route " + err.Error()}}
		}
		to, _ := d.GetStr("ipaddr")
		if text := value.String(modules.OrElse(to, to != nil, value.Value(value.Str("")))); text == "" {
			return []modules.Fault{{Arg: "routes", Msg: fmt.Sprintf("%s has no ipaddr", value.Repr(v)),
				Hint: "ipaddr: 10.0.0.0, or ipaddr: default"}}
		}
	}
	return nil
}

// script is what runs when the interface comes up or goes: verb is add or del.
func (r *Routes) script(verb string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# %s\ntest \"${IFACE}\" = \"%s\" || exit 0\n", verb, r.Name)
	for _, v := range r.Routes.Items {
		d, _ := modules.Map(v)
		get := func(name, before string) string {
			v, ok := d.GetStr(name)
			if !ok || !value.Truth(v) {
				return ""
			}
			return before + value.String(v)
		}
		if name := get("name", "# "); name != "" {
			b.WriteString(name + "\n")
		}
		fmt.Fprintf(&b, "ip route %s %s%s %s dev %s%s\n", verb, get("ipaddr", ""), get("netmask", "/"),
			get("gateway", "via "),
			r.Name, get("metric", " metric "))
	}
	return b.String()
}

// paths are the files of the scripts. run-parts runs no name with a dot in it.
func (r *Routes) paths() (up, down string) {
	name := "route-" + strings.ReplaceAll(r.Name, ".", "_")
	return "/etc/network/if-up.d/" + name, "/etc/network/if-down.d/" + name
}

// Act writes the scripts, then restarts networking.
//
// Salt differs: it looks for the scripts of eth0.5 where it does not write them, and so writes them in each run.
func (r *Routes) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if err := debian(env); err != nil {
		return state.Effect{}, err
	}
	old, text, up, down := "", "", "", ""
	up, down = r.paths()
	scripts := []struct{ path, text string }{{up, r.script("add")}, {down, r.script("del")}}
	for _, s := range scripts {
		raw, err := h.ReadFile(s.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return state.Effect{}, err
		}
		old, text = old+string(raw), text+s.text
	}
	if old == text {
		return state.Settled(fmt.Sprintf("Interface %s routes are up to date.", r.Name)), nil
	}
	for _, s := range scripts {
		a := host.Attr{Mode: 0o755, HasMode: true, UID: 0, GID: 0}
		if err := h.WriteFile(s.path, strings.NewReader(s.text), a); err != nil {
			return state.Effect{}, err
		}
	}
	return r.effect(ctx, h, old, text)
}

func (r *Routes) effect(ctx context.Context, h host.Host, old, text string) (state.Effect, error) {
	what, change := "added", fmt.Sprintf("Added interface %s routes.", r.Name)
	preview := fmt.Sprintf("Interface %s routes are set to be added.", r.Name)
	if old != "" {
		what, change = "updated", difference(old, text)
		preview = fmt.Sprintf("Interface %s routes are set to be updated:\n%s", r.Name, change)
	}
	return state.Effect{Changes: value.DictOf("network_routes", value.Str(change)), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("Interface %s routes %s.", r.Name, what), Preview: preview}, r.restart(ctx, h)
}

// restart brings what was written into force.
func (a apply) restart(ctx context.Context, h host.Host) error {
	if a.RequireReboot {
		return nil
	}
	return modules.Tool{On: host.FactInterface, Args: []string{"systemctl", "restart", "networking.service"}}.Run(ctx, h)
}
