package hosts

import (
	"slices"
	"strings"
)

// put writes all lines anew, with the entry in place of the one of its address, as Salt does where it adds: one line
// for each address, and no blank ones.
func (f *file) put(e entry) {
	all := f.entries()
	if i := slices.IndexFunc(all, func(o entry) bool { return o.ip == e.ip }); i >= 0 {
		all[i] = e
	} else {
		all = append(all, e)
	}
	f.lines = f.lines[:0]
	for _, e := range all {
		f.lines = append(f.lines, e.String())
	}
}

func (f *file) has(ip, name string) bool {
	e, _ := f.of(ip)
	return slices.Contains(e.names, name)
}

func (f *file) add(ip, name string) {
	e, _ := f.of(ip)
	e.names = append(slices.Clone(e.names), name)
	f.put(e)
}

// describe gives an address another comment; it is false where there is no such address.
func (f *file) describe(ip, comment string) bool {
	e, ok := f.of(ip)
	if ok && e.comment != comment {
		e.comment = comment
		f.put(e)
	}
	return ok
}

// drop takes a name from the lines of an address, and those that are left without any. Other lines stay as they are.
func (f *file) drop(ip, name string) {
	f.edit(ip, func(e entry) string {
		text := ip + "\t\t"
		for _, n := range e.names {
			if n != name {
				text += n + " "
			}
		}
		switch {
		case strings.TrimSpace(text) == ip:
			return ""
		case e.comment != "":
			return text + "# " + e.comment
		}
		return text
	})
}

// set gives an address exactly these names, in one line, or none. Salt differs: it drops the comment of the line.
func (f *file) set(ip, names string) {
	line := ""
	if strings.TrimSpace(names) != "" {
		line = ip + "\t\t" + names
	}
	f.edit(ip, func(e entry) string {
		text := line
		if text != "" && e.comment != "" {
			text += "\t\t# " + e.comment
		}
		line = ""
		return text
	})
	if line != "" {
		f.lines = append(f.lines, line)
	}
}

// edit writes the lines of an address anew; "" is none.
func (f *file) edit(ip string, line func(e entry) string) {
	var out []string
	for _, l := range f.lines {
		e, _ := parse(l)
		if e.ip == ip {
			if l = line(e); l == "" {
				continue
			}
		}
		out = append(out, l)
	}
	f.lines = out
}
