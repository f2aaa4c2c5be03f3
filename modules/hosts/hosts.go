// Package hosts keeps entries of /etc/hosts (the state functions host.*).
package hosts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "host", States: []modules.StateSpec{presentSpec(), absentSpec(), onlySpec()}}
}

const file = "/etc/hosts"

// An entry is one line: an address with its names, or a line that is kept as it is.
type entry struct {
	ip      string // "" for a line that is no entry
	names   []string
	text    string // the line as read
	comment string // after "#", with it
}

type table []entry

func read(h host.Reader) (table, error) {
	lines, err := modules.ReadLines(h, file)
	var t table
	for _, line := range lines {
		e := entry{text: line}
		body, comment, has := strings.Cut(line, "#")
		if f := strings.Fields(body); len(f) >= 2 {
			e.ip, e.names = f[0], f[1:]
			if has {
				e.comment = "#" + comment
			}
		}
		t = append(t, e)
	}
	return t, err
}

// set gives the entry other names; without any it goes.
func (t *table) set(i int, names []string) {
	if len(names) == 0 {
		*t = slices.Delete(*t, i, i+1)
		return
	}
	e := &(*t)[i]
	e.names = names
	e.text = e.ip + "\t" + strings.Join(names, " ")
	if e.comment != "" {
		e.text += " " + e.comment
	}
}

// index is the place of the first entry of the address, -1 when it has none.
func (t table) index(ip string) int {
	return slices.IndexFunc(t, func(e entry) bool { return e.ip == ip })
}

func (t *table) add(ip, name string) {
	if i := t.index(ip); i >= 0 {
		t.set(i, append(slices.Clone((*t)[i].names), name))
		return
	}
	*t = append(*t, entry{ip: ip, names: []string{name}, text: ip + "\t" + name})
}

// drop takes the name from the entries that the function picks and gives their addresses.
func (t *table) drop(name string, pick func(ip string) bool) []string {
	var from []string
	for i := len(*t) - 1; i >= 0; i-- {
		e := (*t)[i]
		if e.ip == "" || !slices.Contains(e.names, name) || !pick(e.ip) {
			continue
		}
		from = append(from, e.ip)
		t.set(i, slices.DeleteFunc(slices.Clone(e.names), func(n string) bool { return n == name }))
	}
	slices.Reverse(from)
	return from
}

func (t table) has(ip, name string) bool {
	return slices.ContainsFunc(t, func(e entry) bool { return e.ip == ip && slices.Contains(e.names, name) })
}

func (t table) write(h host.Host) error {
	lines := make([]string, len(t))
	for i, e := range t {
		lines[i] = e.text
	}
	return modules.WriteLines(h, file, lines)
}

func badAddress(arg, ip string) []modules.Fault {
	if _, err := netip.ParseAddr(ip); err != nil {
		return []modules.Fault{{Arg: arg, Msg: fmt.Sprintf("%q is no address", ip)}}
	}
	return nil
}
