package network

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Where ifupdown finds the interfaces.
const (
	interfacesFile = "/etc/network/interfaces"
	interfacesDir  = "/etc/network/interfaces.d"
)

// A stanza is what ifupdown knows of an interface for one kind of addresses: lines of options after
// "iface NAME inet METHOD".
type stanza struct {
	method  string
	options [][2]string // in the order in which they are written
}

// An iface is an interface of ifupdown's files.
type iface struct {
	auto, hotplug bool
	inet, inet6   *stanza
}

// text is the interface as Salt writes it.
func (i *iface) text(name string) string {
	var b strings.Builder
	if i.auto {
		b.WriteString("auto " + name + "\n")
	}
	if i.hotplug {
		b.WriteString("allow-hotplug " + name + "\n")
	}
	for _, s := range []struct {
		kind string
		*stanza
	}{{"inet", i.inet}, {"inet6", i.inet6}} {
		if s.stanza == nil || s.method == "" {
			continue
		}
		b.WriteString("iface " + name + " " + s.kind + " " + s.method + "\n")
		for _, o := range s.options {
			b.WriteString("    " + o[0] + " " + o[1] + "\n")
		}
	}
	return b.String()
}

// order is the order in which options are written; those that are not in it come after, as they stand.
func order() []string {
	return strings.Fields(`autoconf privext dhcp hwaddress vlan-raw-device address netmask metric gateway pointopoint scope
		hostname media leasehours leasetime vendor client bootfile server mode endpoint dstaddr local ttl mtu provider unit
		options bond-master dns-nameservers wireless-mode wpa-ap-scan wpa-conf wpa-driver wpa-group wpa-key-mgmt
		wpa-pairwise wpa-proto wpa-psk wpa-roam wpa-ssid accept_ra broadcast dns-search preferred-lifetime dad-attempts
		dad-interval network wireless-essid`)
}

// rank is where an option is written: plain ones, then those of ethtool, bonds and bridges by name, then commands.
func rank(option string) (int, string) {
	if i := slices.Index(order(), option); i >= 0 {
		return i, ""
	}
	n := len(order())
	switch {
	case slices.Contains(ethtoolNames(), option):
		return n, option
	case strings.HasPrefix(option, "bond-"):
		return n + 1, option
	case strings.HasPrefix(option, "bridge_"):
		return n + 2, option
	}
	return n + 3, ""
}

// sortOptions puts the options of a stanza in order.
func sortOptions(options [][2]string) {
	slices.SortStableFunc(options, func(a, b [2]string) int {
		i, x := rank(a[0])
		j, y := rank(b[0])
		if i != j {
			return i - j
		}
		return strings.Compare(x, y)
	})
}

// A file is one of ifupdown's: its lines, and of each of them the interface that it is about, "" for none.
type file struct {
	path  string
	lines []string
	about []string
}

// files are ifupdown's files, with that for all that is new first.
func files(h host.Reader) ([]*file, error) {
	paths := []string{interfacesFile}
	more, err := h.ReadDir(interfacesDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, i := range more {
		if !i.IsDir() {
			paths = append(paths, interfacesDir+"/"+i.Path)
		}
	}
	var out []*file
	for _, p := range paths {
		lines, err := modules.ReadLines(h, p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		f := &file{path: p, lines: lines, about: make([]string, len(lines))}
		now := ""
		for n, l := range lines {
			w := strings.Fields(l)
			switch {
			case len(w) == 0 || strings.HasPrefix(w[0], "#"):
				continue
			case w[0] == "iface" && len(w) > 1:
				now = w[1]
			case l == strings.TrimLeft(l, " \t"): // auto, allow-hotplug, source, mapping: no line of an interface
				now = ""
				if (w[0] == "auto" || w[0] == "allow-auto" || w[0] == "allow-hotplug") && len(w) > 1 &&
					len(slices.Compact(slices.Clone(w[1:]))) == 1 {
					f.about[n] = w[1]
				}
				continue
			}
			f.about[n] = now
		}
		out = append(out, f)
	}
	return out, nil
}

// read is an interface as the files have it; ok is false where none has.
func read(all []*file, name string) (i *iface, ok bool) {
	i = &iface{}
	for _, f := range all {
		var now *stanza
		for n, l := range f.lines {
			w := strings.Fields(l)
			switch {
			case len(w) == 0 || strings.HasPrefix(w[0], "#"):
			case w[0] == "auto" || w[0] == "allow-auto":
				i.auto = i.auto || slices.Contains(w[1:], name)
			case w[0] == "allow-hotplug":
				i.hotplug = i.hotplug || slices.Contains(w[1:], name)
			case f.about[n] != name:
			case w[0] == "iface" && len(w) > 3:
				ok, now = true, i.stanza(w[2], w[3])
			case now != nil && len(w) > 1:
				now.options = append(now.options, [2]string{canonical(w[0]), strings.Join(w[1:], " ")})
			}
		}
	}
	for _, s := range []*stanza{i.inet, i.inet6} {
		if s != nil {
			sortOptions(s.options)
		}
	}
	return i, ok
}

// canonical is the name under which Salt writes an option.
func canonical(option string) string {
	switch {
	case strings.HasPrefix(option, "bridge-"):
		return "bridge_" + option[7:]
	case strings.HasPrefix(option, "bond_"):
		return "bond-" + option[5:]
	}
	return option
}

// stanza is that for a kind of addresses, which is made.
func (i *iface) stanza(kind, method string) *stanza {
	s := &stanza{method: method}
	if kind == "inet6" {
		i.inet6 = s
	} else {
		i.inet = s
	}
	return s
}

// replace gives an interface this text: in the place of its first line, or at the end of the file.
func (f *file) replace(name, text string) {
	at := slices.Index(f.about, name)
	var lines []string
	for n, l := range f.lines {
		if n == at {
			lines = append(lines, modules.SplitKeep(text)...)
		}
		if f.about[n] != name {
			lines = append(lines, others(l, name))
		}
	}
	if at < 0 {
		lines = append(lines, modules.SplitKeep(text)...)
	}
	for n := range lines {
		lines[n] = strings.TrimSuffix(lines[n], "\n")
	}
	f.lines = lines
}

// others is a line of several interfaces without this one.
func others(line, name string) string {
	w := strings.Fields(line)
	if len(w) < 3 || !slices.Contains([]string{"auto", "allow-auto", "allow-hotplug"}, w[0]) {
		return line
	}
	if !slices.Contains(w[1:], name) {
		return line
	}
	return strings.Join(slices.DeleteFunc(w, func(other string) bool { return other == name }), " ")
}
