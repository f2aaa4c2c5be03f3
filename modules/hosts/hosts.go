// Package hosts keeps entries of /etc/hosts (the state functions host.*, the execution functions hosts.*).
package hosts

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "host", States: []modules.StateSpec{presentSpec(), absentSpec(), onlySpec()},
		Execs: execSpecs(), Describers: []modules.Describer{describer()}}
}

// A file is a hosts file as its lines, and where it is.
type file struct {
	path  string
	lines []string
}

// An entry is an address with its names, or a comment.
type entry struct {
	ip      string // "" for a comment
	names   []string
	comment string // without "#" beside an address, as it is without one
}

// where is the hosts file: the one of the option hosts.file, else the system's.
func where(opt value.Value, ok bool) string {
	if path, err := modules.Text(opt); ok && err == nil && path != "" {
		return path
	}
	return "/etc/hosts"
}

func open(h host.Reader, env *modules.Env) (*file, error) {
	if env == nil {
		return read(h, where(nil, false))
	}
	return read(h, where(env.Opts("hosts.file")))
}

func read(h host.Reader, path string) (*file, error) {
	lines, err := modules.ReadLines(h, path)
	return &file{path, lines}, err
}

func (f *file) write(h host.Host) error { return modules.WriteLines(h, f.path, f.lines) }

// parse reads a line; ok is false for one that says nothing.
func parse(line string) (e entry, ok bool) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") || line == "" {
		return entry{comment: line}, line != ""
	}
	body, comment, _ := strings.Cut(line, "#")
	words := strings.Fields(body)
	return entry{words[0], words[1:], strings.TrimLeft(comment, " \t")}, true
}

// entries are all addresses with all of their names, and the comments, in the order of their first line.
func (f *file) entries() []entry {
	var out []entry
	at := map[string]int{}
	for _, l := range f.lines {
		e, ok := parse(l)
		i, again := at[e.ip]
		switch {
		case !ok:
		case e.ip == "" || !again:
			at[e.ip] = len(out)
			out = append(out, e)
		default:
			out[i].names = append(out[i].names, e.names...)
			if e.comment != "" {
				out[i].comment = e.comment
			}
		}
	}
	return out
}

// of is the entry of an address; ok is false where it has none.
func (f *file) of(ip string) (e entry, ok bool) {
	for _, e := range f.entries() {
		if e.ip == ip && ip != "" {
			return e, true
		}
	}
	return entry{ip: ip}, false
}

func (e entry) String() string {
	text := e.comment
	if e.ip != "" {
		text = e.ip + "\t\t" + strings.Join(e.names, " ")
		if e.comment != "" {
			text += "\t\t# " + e.comment
		}
	}
	return strings.TrimSpace(text)
}

func badAddress(arg, ip string) []modules.Fault {
	if _, err := netip.ParseAddr(ip); err != nil {
		return []modules.Fault{{Arg: arg, Msg: fmt.Sprintf("%q is no address", ip)}}
	}
	return nil
}
