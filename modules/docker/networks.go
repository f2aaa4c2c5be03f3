package docker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// A joined network is one that a container is to be in, and how.
type joined struct {
	name    string
	aliases []string
	links   []string
	v4, v6  string
}

// parseNetworks reads the argument networks: names, or names with their configuration.
func parseNetworks(v value.Value) ([]joined, error) {
	var out []joined
	all := value.NewDict(0)
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *value.Dict:
		all = v
	case *value.List:
		for _, it := range v.Items {
			if d, ok := it.(*value.Dict); ok {
				for k, c := range d.All() {
					_ = all.Set(k, c)
				}
				continue
			}
			all.SetStr(value.String(it), value.None)
		}
	default:
		names, err := list(v)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			all.SetStr(n, value.None)
		}
	}
	for k, c := range all.All() {
		j, err := parseJoined(value.String(k), c)
		if err != nil {
			return nil, err
		}
		out = append(out, j)
	}
	return out, nil
}

func parseJoined(name string, conf value.Value) (joined, error) {
	j := joined{name: name}
	if conf == value.Value(value.None) {
		return j, nil
	}
	d, err := modules.Map(conf)
	if err != nil {
		return j, fmt.Errorf("Invalid configuration for network '%s'", name) //nolint:staticcheck // Salt's words
	}
	for k, v := range d.All() {
		switch key := value.String(k); key {
		case "aliases":
			j.aliases, err = list(v)
		case "links":
			j.links, err = list(v)
		case "ipv4_address":
			j.v4, err = modules.Text(v)
		case "ipv6_address":
			j.v6, err = modules.Text(v)
		default:
			err = fmt.Errorf("has for the network %s %q, which means nothing: aliases, links, ipv4_address, ipv6_address", name,
				key)
		}
		if err != nil {
			return j, err
		}
	}
	return j, nil
}

// there says which networks are missing.
func (r *Running) networksThere(ctx context.Context, c *client, nets []joined) error {
	var lost []string
	for _, n := range nets {
		switch known := promised(c.h, "network "+n.name); {
		case known == "present":
			continue
		case known == "":
			if d, err := c.network(ctx, n.name); err != nil {
				return err
			} else if d != nil {
				continue
			}
		}
		lost = append(lost, n.name)
	}
	if len(lost) == 0 {
		return nil
	}
	slices.Sort(lost)
	return errors.New("The following networks are not present: " + strings.Join(lost, ", ")) //nolint:staticcheck // Salt's words
}

// netChanges are the networks in which a container is not as it is to be in.
func netChanges(c *value.Dict, nets []joined) (connect []joined, leave []string, changes *value.Dict) {
	changes = value.NewDict(0)
	have, _ := at(c, "NetworkSettings:Networks").(*value.Dict)
	if have == nil {
		have = value.NewDict(0)
	}
	for _, n := range nets {
		now, _ := at(have, n.name).(*value.Dict)
		if now != nil && n.in(now) {
			continue
		}
		connect = append(connect, n)
		if now != nil {
			leave = append(leave, n.name)
		}
		changes.SetStr(n.name, value.DictOf("IPConfiguration", value.DictOf("old", value.Str(word(now != nil)), "new",
			value.Str(n.word()))))
	}
	for k := range have.All() {
		name := value.String(k)
		if !slices.ContainsFunc(nets, func(n joined) bool { return n.name == name }) {
			leave = append(leave, name)
			changes.SetStr(name, value.DictOf("IPConfiguration", value.DictOf("old", value.Str("automatic"), "new",
				value.Str("not connected"))))
		}
	}
	return connect, leave, changes
}

func word(connected bool) string {
	if connected {
		return "automatic"
	}
	return "not connected"
}

func (n joined) word() string {
	if n.v4+n.v6 != "" {
		return "static"
	}
	return "automatic"
}

// in says whether a container is in the network as it is to be.
func (n joined) in(now *value.Dict) bool {
	have, _ := modules.Texts(orNone(at(now, "Aliases")))
	for _, a := range n.aliases {
		if !slices.Contains(have, a) {
			return false
		}
	}
	return text(now, "IPAMConfig:IPv4Address") == n.v4 && text(now, "IPAMConfig:IPv6Address") == n.v6
}

// connect puts a container into networks, after it left others.
func (c *client) connect(ctx context.Context, id string, connect []joined, leave []string) error {
	for _, name := range leave {
		if _, err := c.call(ctx, http.MethodPost, "/networks/"+url.PathEscape(name)+"/disconnect",
			value.DictOf("Container", value.Str(id), "Force", value.Bool(true))); err != nil {
			return err
		}
	}
	for _, n := range connect {
		conf := value.NewDict(0)
		ipam := value.NewDict(0)
		if n.v4 != "" {
			ipam.SetStr("IPv4Address", value.Str(n.v4))
		}
		if n.v6 != "" {
			ipam.SetStr("IPv6Address", value.Str(n.v6))
		}
		if ipam.Len() > 0 {
			conf.SetStr("IPAMConfig", ipam)
		}
		if n.aliases != nil {
			conf.SetStr("Aliases", modules.TextList(n.aliases))
		}
		if n.links != nil {
			conf.SetStr("Links", modules.TextList(n.links))
		}
		if _, err := c.call(ctx, http.MethodPost, "/networks/"+url.PathEscape(n.name)+"/connect",
			value.DictOf("Container", value.Str(id), "EndpointConfig", conf)); err != nil {
			return err
		}
	}
	return nil
}
