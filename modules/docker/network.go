package docker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Network keeps a network there.
type Network struct {
	Name       string      `arg:"name,required,word" doc:"The network."`
	Driver     string      `arg:"driver,word" doc:"What makes it: bridge when not given."`
	DriverOpts value.Value `arg:"options,text" alias:"driver_opts,opt,driver_opt" doc:"Options of the driver: a map, or a list of NAME=TEXT."`
	Internal   bool        `arg:"internal" doc:"Without a way out."`
	Attachable bool        `arg:"attachable" doc:"Containers of a swarm may join it."`
	IPv6       bool        `arg:"enable_ipv6" alias:"ipv6" doc:"With addresses of version 6."`
	Labels     value.Value `arg:"labels,text" alias:"label" doc:"Labels: a map, or a list of NAME=TEXT."`
	Scope      string      `arg:"scope,word" choices:"local|swarm|global" doc:"Where it is known: local, swarm."`
	IPAMDriver string      `arg:"ipam_driver,word" doc:"What gives addresses: default when not given."`
	IPAMOpts   value.Value `arg:"ipam_opts" doc:"Its options."`
	Subnet     string      `arg:"subnet,word" doc:"The addresses of the network: 10.1.0.0/16."`
	IPRange    string      `arg:"iprange,word" alias:"ip_range" doc:"Those of them that containers get."`
	Gateway    string      `arg:"gateway,word" doc:"The address of the gateway."`
	Aux        value.Value `arg:"aux_addresses" alias:"aux_address" doc:"Addresses that are taken, by name."`
	Pools      value.Value `arg:"ipam_pools" doc:"Several of these: a list of maps with subnet, iprange, gateway and aux_addresses."`
	Containers []string    `arg:"containers,word" doc:"Containers that are connected to it."`
	Reconnect  bool        `arg:"reconnect" default:"true" doc:"Connects the containers of a network that is made anew again."`
	NoEffect   value.Value `arg:"skip_translate,text" alias:"ignore_collisions,validate_ip_addrs,check_duplicate,ingress,client_timeout" doc:"No effect."`
}

func networkSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_network.present", Doc: "Keeps a network there. One with another configuration is made anew.",
		Example: "back:\n  docker_network.present:\n    - subnet: 10.20.0.0/16\n    - gateway: 10.20.0.1",
		New:     func() modules.StateFunc { return &Network{} }, AnyArgs: true,
	}
}

// Validate finds addresses that are none.
func (n *Network) Validate() (out []modules.Fault) {
	if _, err := n.body(); err != nil {
		out = append(out, modules.Fault{Arg: "subnet", Msg: err.Error()})
	}
	return out
}

// pool is one range of addresses as the daemon has it.
func pool(subnet, iprange, gateway string, aux value.Value) (*value.Dict, error) {
	out := value.NewDict(4)
	for _, t := range []struct{ key, text string }{{"Subnet", subnet}, {"IPRange", iprange}} {
		if t.text == "" {
			continue
		}
		if _, err := netip.ParsePrefix(t.text); err != nil {
			return nil, fmt.Errorf("%q is no network such as 10.1.0.0/16", t.text)
		}
		out.SetStr(t.key, value.Str(t.text))
	}
	if gateway != "" {
		if _, err := netip.ParseAddr(gateway); err != nil {
			return nil, fmt.Errorf("%q is no address", gateway)
		}
		out.SetStr("Gateway", value.Str(gateway))
	}
	if aux != nil {
		d, err := dict(aux, "=")
		if err != nil {
			return nil, err
		}
		out.SetStr("AuxiliaryAddresses", d)
	}
	if out.Len() > 0 && subnet == "" {
		return nil, errors.New("addresses of a network need its subnet")
	}
	return out, nil
}

// pools are all ranges of addresses.
func (n *Network) pools() (*value.List, error) {
	out := value.NewList()
	one, err := pool(n.Subnet, n.IPRange, n.Gateway, n.Aux)
	if err != nil {
		return nil, err
	}
	if one.Len() > 0 {
		out.Items = append(out.Items, one)
	}
	if n.Pools == nil {
		return out, nil
	}
	l, ok := n.Pools.(*value.List)
	if !ok {
		return nil, errors.New("ipam_pools takes a list of maps")
	}
	for _, it := range l.Items {
		d, err := modules.Map(it)
		if err != nil {
			return nil, errors.New("ipam_pools takes a list of maps")
		}
		iprange := text(d, "iprange")
		if iprange == "" {
			iprange = text(d, "ip_range")
		}
		one, err := pool(text(d, "subnet"), iprange, text(d, "gateway"), at(d, "aux_addresses"))
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, one)
	}
	return out, nil
}

// body is the request for such a network.
func (n *Network) body() (*value.Dict, error) {
	driver, ipamDriver := n.Driver, n.IPAMDriver
	if driver == "" {
		driver = "bridge"
	}
	if ipamDriver == "" {
		ipamDriver = "default"
	}
	pools, err := n.pools()
	if err != nil {
		return nil, err
	}
	ipam := value.DictOf("Driver", value.Str(ipamDriver), "Config", pools)
	out := value.DictOf("Name", value.Str(n.Name), "CheckDuplicate", value.Bool(true), "Driver", value.Str(driver),
		"Internal", value.Bool(n.Internal), "Attachable", value.Bool(n.Attachable), "EnableIPv6", value.Bool(n.IPv6),
		"IPAM", ipam)
	if n.Scope != "" {
		out.SetStr("Scope", value.Str(n.Scope))
	}
	for _, m := range []struct {
		to  *value.Dict
		key string
		v   value.Value
	}{{out, "Options", n.DriverOpts}, {out, "Labels", n.Labels}, {ipam, "Options", n.IPAMOpts}} {
		if m.v == nil {
			continue
		}
		d, err := dict(m.v, "=")
		if err != nil {
			return nil, err
		}
		m.to.SetStr(m.key, d)
	}
	return out, nil
}

// differs are the properties in which a network is not as it is to be.
// Salt differs: it makes a second network to compare with.
func (n *Network) differs(now, want *value.Dict) *value.Dict {
	out := value.NewDict(0)
	for _, key := range []string{"Driver", "Internal", "Attachable", "EnableIPv6", "Options", "Labels", "Scope",
		"IPAM:Driver", "IPAM:Options"} {
		is, to := at(now, key), at(want, key)
		if key == "Scope" && to == nil {
			continue
		}
		if !value.Equal(emptied(is), emptied(to)) {
			out.SetStr(key, value.DictOf("old", orNone(is), "new", orNone(to)))
		}
	}
	is, to := at(now, "IPAM:Config"), at(want, "IPAM:Config")
	if l, _ := to.(*value.List); (l == nil || len(l.Items) == 0) && automatic(is) {
		return out
	}
	if !samePools(is, to) {
		out.SetStr("IPAM", value.DictOf("Config", value.DictOf("old", orNone(is), "new", orNone(to))))
	}
	return out
}

func emptied(v value.Value) value.Value {
	if v == nil || !value.Truth(v) {
		return value.None
	}
	return v
}

// automatic says whether addresses are those that the daemon chose.
func automatic(v value.Value) bool {
	l, _ := v.(*value.List)
	if l == nil {
		return true
	}
	for _, it := range l.Items {
		d, _ := it.(*value.Dict)
		if d == nil || at(d, "IPRange") != nil || at(d, "AuxiliaryAddresses") != nil {
			return false
		}
	}
	return len(l.Items) < 2
}

// samePools compares ranges; a gateway that is not asked for is the daemon's choice.
func samePools(is, to value.Value) bool {
	a, _ := is.(*value.List)
	b, _ := to.(*value.List)
	if a == nil || b == nil || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range b.Items {
		x, _ := a.Items[i].(*value.Dict)
		y, _ := b.Items[i].(*value.Dict)
		for _, key := range []string{"Subnet", "IPRange", "Gateway", "AuxiliaryAddresses"} {
			if key == "Gateway" && at(y, key) == nil {
				continue
			}
			if !value.Equal(emptied(at(x, key)), emptied(at(y, key))) {
				return false
			}
		}
	}
	return true
}

// Act makes the network, or makes it anew, and connects containers.
func (n *Network) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	want, err := n.body()
	if err != nil {
		return state.Effect{}, err
	}
	now, err := c.network(ctx, n.Name)
	if err != nil {
		return state.Effect{}, err
	}
	comment := fmt.Sprintf("Network '%s' already exists, and is configured as specified", n.Name)
	e := state.Effect{Changes: value.NewDict(2), Comment: comment}
	diff := value.NewDict(0)
	switch then := promised(h, "network "+n.Name); {
	case then == "present":
		return state.Settled(comment), nil
	case then == "absent" || now == nil:
		now = nil
		e.Changes.SetStr("created", value.Bool(true))
		e.Comment, e.Preview = fmt.Sprintf("Network '%s' created", n.Name), "Network will be created"
	default:
		if diff = n.differs(now, want); diff.Len() > 0 {
			e.Changes.SetStr(n.Name, diff)
			e.Changes.SetStr("recreated", value.Bool(true))
			e.Comment = fmt.Sprintf("Network '%s' was replaced with updated config", n.Name)
			e.Preview = "Network would be recreated with new config"
		}
	}
	join, err := n.joining(ctx, c, now, diff.Len() > 0, &e)
	if err != nil || !e.Alters() {
		return e, err
	}
	return e, deed(ctx, h, "make", "network "+n.Name, "present", func(ctx context.Context) error {
		if now != nil && diff.Len() > 0 {
			if err := c.dropNetwork(ctx, now); err != nil {
				return err
			}
		}
		if now == nil || diff.Len() > 0 {
			if _, err := c.call(ctx, http.MethodPost, "/networks/create", want); err != nil {
				return fmt.Errorf("Failed to create network '%s': %w", n.Name, err) //nolint:staticcheck // Salt's words
			}
		}
		for id, j := range join {
			if err := c.connect(ctx, id, []joined{j}, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// joining are the containers that are to be connected: those that are asked for, and those that were before.
func (n *Network) joining(ctx context.Context, c *client, now *value.Dict, anew bool,
	e *state.Effect) (map[string]joined, error) {
	out := map[string]joined{}
	in, _ := at(now, "Containers").(*value.Dict)
	var connected, again []string
	for _, name := range n.Containers {
		d, err := c.container(ctx, name)
		if err != nil {
			return nil, err
		}
		if d == nil || stateOf(d) != "running" {
			why := "The following containers do not exist: " + name + "."
			if d != nil {
				why = "The following containers are not running: " + name + "."
			}
			e.Warnings = append(e.Warnings, why)
			continue
		}
		if at(in, text(d, "Id")) == nil || anew {
			out[text(d, "Id")] = joined{name: n.Name}
			connected = append(connected, name)
		}
	}
	if anew && n.Containers == nil && n.Reconnect && in != nil {
		for id := range in.All() {
			d, err := c.container(ctx, value.String(id))
			if err != nil || d == nil {
				continue
			}
			conf, _ := at(d, "NetworkSettings:Networks:"+n.Name).(*value.Dict)
			aliases, _ := modules.Texts(orNone(at(conf, "Aliases")))
			out[value.String(id)] = joined{name: n.Name, aliases: aliases}
			again = append(again, text(d, "Name")[1:])
		}
	}
	if connected != nil {
		e.Changes.SetStr("connected", modules.TextList(connected))
	}
	if again != nil {
		e.Changes.SetStr("reconnected", modules.TextList(again))
	}
	return out, nil
}

// dropNetwork removes a network, after its containers left it.
func (c *client) dropNetwork(ctx context.Context, now *value.Dict) error {
	name := text(now, "Name")
	if in, ok := at(now, "Containers").(*value.Dict); ok {
		for id := range in.All() {
			if err := c.connect(ctx, value.String(id), nil, []string{name}); err != nil {
				return fmt.Errorf("Failed to disconnect container '%s': %w", value.String(id), err) //nolint:staticcheck // Salt's words
			}
		}
	}
	if _, err := c.call(ctx, http.MethodDelete, "/networks/"+url.PathEscape(name), nil); err != nil {
		return fmt.Errorf("Failed to remove network: %w", err) //nolint:staticcheck // as above
	}
	return nil
}
