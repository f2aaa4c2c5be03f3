package network

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// ethtoolNames are the options of ethtool as ifupdown spells them.
func ethtoolNames() []string {
	var out []string
	for _, n := range strings.Fields("speed duplex autoneg rx tx sg tso ufo gso gro lro") {
		out = append(out, ethtoolName(n))
	}
	return out
}

func ethtoolName(option string) string {
	switch option {
	case "speed", "duplex":
		return "link-" + option
	case "autoneg":
		return "ethernet-autoneg"
	}
	return "offload-" + option
}

// bad is a value that an option does not take, in Salt's words.
type bad struct{ arg, iface, option, expected string }

func (b bad) Error() string {
	return fmt.Sprintf("Invalid option -- Interface: %s, Option: %s, Expected: [%s]", b.iface, b.option, b.expected)
}

const onOffWords = "yes|on|true|1|True|no|off|false|0|False"

// switched is "on" or "off" for a word, "" for none.
func switched(v value.Value) string {
	switch strings.ToLower(value.String(v)) {
	case "yes", "on", "true", "1":
		return "on"
	case "no", "off", "false", "0":
		return "off"
	}
	return ""
}

// A builder makes an interface of the arguments of a state.
type builder struct {
	name, kind string
	args       *value.Dict
}

func (b *builder) get(name string) (value.Value, bool) { return b.args.GetStr(name) }

func (b *builder) wrong(option, expected string) error { return bad{option, b.name, option, expected} }

// build is the interface that the arguments ask for.
func (b *builder) build(enabled bool) (*iface, error) {
	more, err := b.extras()
	if err != nil {
		return nil, err
	}
	i := &iface{auto: enabled}
	if v, ok := b.get("hotplug"); ok {
		i.hotplug = value.Truth(v)
	}
	for _, kind := range []string{"inet", "inet6"} {
		s, wanted, err := b.stanza(kind)
		if err != nil {
			return nil, err
		}
		if off, ok := b.get(map[string]string{"inet": "enable_ipv4", "inet6": "enable_ipv6"}[kind]); ok &&
			off == value.Value(value.Bool(false)) {
			continue
		}
		if !wanted || s.method == "" {
			continue
		}
		s.options = append(s.options, more...)
		s.options = append(s.options, b.commands()...)
		sortOptions(s.options)
		*i.stanza(kind, s.method) = *s
	}
	return i, nil
}

// extras are the options of the kind of interface.
func (b *builder) extras() ([][2]string, error) {
	switch b.kind {
	case "bridge":
		return b.bridge()
	case "bond":
		return b.bond()
	case "slave":
		master, ok := b.get("master")
		if !ok {
			return nil, fmt.Errorf("master is a required setting for slave interfaces")
		}
		more, err := b.ethtool()
		return append(more, [2]string{"bond-master", value.String(master)}), err
	case "vlan":
		raw, _, _ := strings.Cut(b.name, ".")
		more, err := b.ethtool()
		return append(more, [2]string{"vlan-raw-device", raw}), err
	}
	return b.ethtool()
}

func (b *builder) ethtool() ([][2]string, error) {
	var out [][2]string
	for _, n := range strings.Fields("autoneg duplex speed rx tx sg tso ufo gso gro lro") {
		v, ok := b.get(n)
		if !ok {
			continue
		}
		text := switched(v)
		switch n {
		case "duplex":
			text = value.String(v)
			if text != "full" && text != "half" {
				return nil, b.wrong(n, "full|half")
			}
		case "speed":
			text = value.String(v)
			if !slices.Contains([]string{"10", "100", "1000", "10000"}, text) {
				return nil, b.wrong(n, "10|100|1000|10000")
			}
		}
		if text == "" {
			return nil, b.wrong(n, onOffWords)
		}
		out = append(out, [2]string{ethtoolName(n), text})
	}
	return out, nil
}

// commands are what ifup and ifdown run.
func (b *builder) commands() [][2]string {
	var out [][2]string
	for _, n := range []string{"up", "pre-up", "post-up", "down", "pre-down", "post-down"} {
		v, ok := b.get(strings.ReplaceAll(n, "-", "_") + "_cmds")
		if !ok {
			continue
		}
		lines, _ := modules.Texts(v)
		for _, l := range lines {
			out = append(out, [2]string{n, strings.TrimSpace(l)})
		}
	}
	return out
}

// option is the name that ifupdown has for an argument.
func option(arg string) string {
	switch arg {
	case "dns":
		return "dns-nameservers"
	case "search":
		return "dns-search"
	case "hwaddr", "addr":
		return "hwaddress"
	case "ipaddr":
		return "address"
	case "ipaddrs", "ipaddresses":
		return "addresses"
	case "accept_ra":
		return arg
	}
	return strings.ReplaceAll(arg, "_", "-")
}

// stanza takes the arguments that are for a kind of addresses. It is wanted where one of them is for it alone.
func (b *builder) stanza(kind string) (s *stanza, wanted bool, err error) {
	s, taken := &stanza{}, map[string]bool{}
	wanted = slices.Contains([]string{"bridge", "bond", "slave", "vlan"}, b.kind)
	for k, v := range b.args.All() {
		arg, only := value.String(k), ""
		switch {
		case strings.HasPrefix(arg, "ipv4"):
			arg, only = arg[4:], "inet"
		case strings.HasPrefix(arg, "ipv6"):
			arg, only = arg[4:], "inet6"
		case slices.Contains(strings.Fields("ipaddr address ipaddresses addresses gateway proto"), arg):
			only = "inet"
		}
		name := option(arg)
		values, ok := check(kind, name, v)
		if only == kind {
			wanted = true
			if known(kind, name) && !ok {
				return nil, false, b.wrong(value.String(k), expected(kind, name))
			}
		}
		if !ok || only != "" && only != kind || only == "" && taken[name] || name == "mode" {
			continue
		}
		taken[name] = true
		if name == "proto" {
			s.method = values[0]
			continue
		}
		s.options = slices.DeleteFunc(s.options, func(o [2]string) bool { return o[0] == name })
		for _, text := range values {
			s.options = append(s.options, [2]string{strings.Replace(name, "addresses", "address", 1), text})
		}
	}
	if b.kind == "slave" && kind == "inet" {
		s.method = "manual"
	}
	return s, wanted, nil
}

func methods(kind string) []string {
	if kind == "inet6" {
		return strings.Fields("auto loopback static manual dhcp v4tunnel 6to4")
	}
	return strings.Fields("bootp dhcp static manual loopback ppp")
}

// form is what an option of a kind of addresses looks like, "" for one that it does not have.
func form(kind, name string) string {
	for _, f := range [...]struct{ form, both, inet, inet6 string }{
		{"method", "proto", "", ""},
		{"address", "address gateway broadcast", "pointopoint server", ""},
		{"IPv4 address", "endpoint local", "dstaddr", ""},
		{"netmask", "netmask", "", ""},
		{"MAC address", "hwaddress", "", ""},
		{"integer", "mtu ttl", "metric leasehours leasetime unit", "preferred-lifetime dad-attempts"},
		{"number", "", "", "dad-interval"},
		{"scope", "scope", "", ""},
		{"0|1|2", "wpa-ap-scan", "", "privext accept_ra"},
		{"0|1", "", "", "dhcp autoconf"},
		{"list", "dns-nameservers dns-search", "", ""},
		{"lines", "addresses", "", ""},
		{"any", "vlan-raw-device wireless-essid wireless-mode wpa-conf wpa-driver wpa-group wpa-key-mgmt wpa-pairwise " +
			"wpa-psk wpa-proto wpa-roam wpa-ssid", "hostname vendor client bootfile provider options network", "media"},
	} {
		own := f.inet
		if kind == "inet6" {
			own = f.inet6
		}
		if slices.Contains(strings.Fields(f.both+" "+own), name) {
			return f.form
		}
	}
	return ""
}

func known(kind, name string) bool { return form(kind, name) != "" }

func expected(kind, name string) string {
	switch f := form(kind, name); f {
	case "method":
		return strings.Join(methods(kind), "|")
	case "address":
		return map[string]string{"inet": "dotted IPv4 address", "inet6": "IPv6 address"}[kind]
	default:
		return f
	}
}

// check is the text of a value, one for each line; ok is false where the option does not take it.
func check(kind, name string, v value.Value) (out []string, ok bool) {
	text := value.String(v)
	texts, err := modules.Texts(v)
	if strings.ContainsAny(text, "\n\r") || err != nil && form(kind, name) != "any" {
		return nil, false
	}
	switch form(kind, name) {
	case "":
		return nil, false
	case "method":
		ok = slices.Contains(methods(kind), text)
	case "address":
		ok = isAddress(kind, text)
	case "IPv4 address":
		ok = isAddress("inet", text)
	case "netmask":
		n, err := strconv.Atoi(text)
		most := map[string]int{"inet": 32, "inet6": 128}[kind]
		ok = err == nil && n >= 0 && n <= most || kind == "inet" && mask(text)
	case "MAC address":
		_, err := net.ParseMAC(text)
		ok = err == nil
	case "integer":
		_, err := strconv.Atoi(text)
		ok = err == nil
	case "number":
		_, err := strconv.ParseFloat(text, 64)
		ok = err == nil
	case "scope":
		ok = slices.Contains([]string{"global", "site", "link", "host"}, text) && (text != "site" || kind == "inet6")
	case "0|1|2":
		return []string{text}, text == "1" || text == "2" // as in Salt 0 is not written
	case "0|1":
		return []string{text}, text == "1"
	case "list":
		return []string{strings.Join(strings.Fields(strings.Join(texts, " ")), " ")}, len(texts) > 0
	case "lines":
		return texts, len(texts) > 0
	case "any":
		return []string{text}, value.Truth(v)
	}
	return []string{text}, ok
}

// isAddress says whether a text is an address of a kind, with or without the length of its network.
func isAddress(kind, text string) bool {
	plain, _, _ := strings.Cut(text, "/")
	a, err := netip.ParseAddr(plain)
	if plain != text {
		if _, err := netip.ParsePrefix(text); err != nil {
			return false
		}
	}
	return err == nil && a.Is4() == (kind == "inet")
}

// mask says whether a text is a netmask with dots: ones, then zeros.
func mask(text string) bool {
	ip := net.ParseIP(text).To4()
	if ip == nil {
		return false
	}
	ones, bits := net.IPMask(ip).Size()
	return bits == 32 && ones > 0
}
