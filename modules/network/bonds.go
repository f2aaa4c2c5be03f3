package network

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// bondModes are the modes of bonds, each in the place of its number.
func bondModes() []string {
	return strings.Fields("balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb")
}

// bond are the options of a bond, as ifupdown and modprobe take them, with Salt's defaults.
func (b *builder) bondOptions() ([][2]string, error) {
	v, _ := b.get("mode")
	mode := slices.Index(bondModes(), value.String(v))
	if n, err := strconv.Atoi(value.String(v)); mode < 0 && err == nil && n >= 0 && n < len(bondModes()) {
		mode = n
	}
	if mode < 0 {
		return nil, b.wrong("mode", "0|1|2|3|4|5|6|"+strings.Join(bondModes(), "|"))
	}
	out := [][2]string{{"mode", strconv.Itoa(mode)}}
	if mode == 0 || mode == 2 {
		targets, err := b.targets()
		if err != nil {
			return nil, err
		}
		out = append(out, [2]string{"arp_ip_target", targets})
	}
	for _, o := range [...]struct{ name, otherwise, modes string }{{"arp_interval", "250", "02"},
		{"miimon", "100", "13456"},
		{"downdelay", "200", "13456"}, {"updelay", "0", "13456"}, {"lacp_rate", "0", "4"}, {"ad_select", "0", "4"}} {
		if !strings.Contains(o.modes, strconv.Itoa(mode)) {
			continue
		}
		text, err := b.integer(o.name, o.otherwise)
		if err != nil {
			return nil, err
		}
		out = append(out, [2]string{o.name, text})
	}
	return b.bondRest(mode, out)
}

func (b *builder) bondRest(mode int, out [][2]string) ([][2]string, error) {
	if mode != 0 && mode != 2 {
		carrier := "on"
		if v, ok := b.get("use_carrier"); ok {
			carrier = map[string]string{"on": "1", "off": "0"}[switched(v)]
			if carrier == "" {
				return nil, b.wrong("use_carrier", onOffWords)
			}
		}
		out = append(out, [2]string{"use_carrier", carrier})
	}
	if v, ok := b.get("hashing-algorithm"); ok && (mode == 2 || mode == 4) {
		if !slices.Contains([]string{"layer2", "layer2+3", "layer3+4"}, value.String(v)) {
			return nil, b.wrong("hashing-algorithm", "layer2|layer2+3|layer3+4")
		}
		out = append(out, [2]string{"xmit_hash_policy", value.String(v)})
	}
	if v, ok := b.get("primary"); ok && (mode == 1 || mode > 4) {
		out = append(out, [2]string{"primary", value.String(v)})
	}
	return out, nil
}

// targets are the addresses that a bond watches.
func (b *builder) targets() (string, error) {
	v, _ := b.get("arp_ip_target")
	l, ok := v.(*value.List)
	if !ok || len(l.Items) < 1 || len(l.Items) > 16 {
		return "", b.wrong("arp_ip_target", "list of ips (up to 16)")
	}
	texts, err := modules.Texts(l)
	return strings.Join(texts, ","), err
}

func (b *builder) integer(name, otherwise string) (string, error) {
	v, ok := b.get(name)
	if !ok {
		return otherwise, nil
	}
	text := value.String(v)
	if name == "lacp_rate" {
		text = strings.NewReplacer("fast", "1", "slow", "0").Replace(text)
	}
	if _, err := strconv.Atoi(text); err != nil {
		return "", b.wrong(name, "integer")
	}
	return text, nil
}

// bond are the options of a bond among those of the interface.
func (b *builder) bond() ([][2]string, error) {
	slaves, ok := b.get("slaves")
	if !ok {
		return nil, fmt.Errorf("slaves is a required setting for bond interfaces")
	}
	texts, err := modules.Texts(slaves)
	if err != nil {
		return nil, b.wrong("slaves", "list of interfaces")
	}
	options, err := b.bondOptions()
	for n := range options {
		options[n][0] = "bond-" + options[n][0]
	}
	return append(options, [2]string{"bond-slaves", strings.Join(texts, " ")}), err
}

// modprobe is the file by which the kernel's module makes the bond.
func (b *builder) modprobe() (string, error) {
	options, err := b.bondOptions()
	text := "alias " + b.name + " bonding\noptions " + b.name + " "
	for _, o := range options {
		text += o[0] + "=" + o[1] + " "
	}
	return text, err
}

// bridge are the options of a bridge.
func (b *builder) bridge() ([][2]string, error) {
	ports, ok := b.get("ports")
	if !ok {
		return nil, fmt.Errorf("ports is a required setting for bridge interfaces on Debian or Ubuntu based systems")
	}
	texts, err := modules.Texts(ports)
	if err != nil {
		return nil, b.wrong("ports", "list of interfaces")
	}
	out := [][2]string{{"bridge_ports", strings.Join(texts, " ")}}
	for _, o := range strings.Fields("ageing fd gcint hello maxage bridgeprio maxwait hw pathcost portprio stp waitport") {
		v, ok := b.get(o)
		if !ok {
			continue
		}
		text, want := bridgeOption(o, v)
		if want != "" {
			return nil, b.wrong(o, want)
		}
		out = append(out, [2]string{"bridge_" + o, text})
	}
	return out, nil
}

// bridgeOption is the text of an option; want is what it takes, where it does not take this.
func bridgeOption(name string, v value.Value) (text, want string) {
	text = value.String(v)
	number := func(bits int) bool { _, err := strconv.ParseFloat(text, bits); return err == nil }
	switch name {
	case "ageing", "fd", "gcint", "hello", "maxage":
		if !number(64) {
			want = "float"
		}
	case "bridgeprio", "maxwait":
		if _, err := strconv.Atoi(text); err != nil {
			want = "integer"
		}
	case "hw":
		if _, err := net.ParseMAC(text); err != nil {
			want = "valid MAC address"
		}
	case "pathcost", "portprio":
		if !regexp.MustCompile(`^\S+ +\d+$`).MatchString(text) {
			want = "interface integer"
		}
	case "stp":
		if text = switched(v); text == "" {
			want = onOffWords
		}
	case "waitport":
		if !regexp.MustCompile(`^\d+( +\S+)*$`).MatchString(text) {
			want = "integer [interfaces]"
		}
	}
	return text, want
}
