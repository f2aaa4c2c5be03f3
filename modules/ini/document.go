package ini

import (
	"slices"
	"strings"
)

// A document is an ini file: what stands before any heading, then its sections, as Salt takes it apart and writes it
// again.
//
// Salt differs: of an option or a section that stands twice it keeps the last, it loses a section whose first option is
// indented, and makes all ends of lines newlines; it drops the comment when an option follows that is commented out
// above it. Here all stays.
type document struct {
	sep      string // between an option and its value
	tight    bool   // no spaces around it
	eol      string
	sections []*section
}

type section struct {
	name    string // "" for what stands before any heading
	entries []*entry
}

// An entry is an option, or a line that is none.
type entry struct {
	option           bool
	indent, key, val string // the value of an option with the indented lines below it
	text             string // of anything else
}

func parse(text, sep string) *document {
	d := &document{sep: sep, eol: "\n", sections: []*section{{}}}
	if strings.Contains(text, "\r\n") {
		d.eol = "\r\n"
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	var lines []string
	for l := range strings.SplitSeq(text, "\n") {
		if name, ok := heading(l); ok {
			d.fill(trimBlank(lines, true))
			d.sections = append(d.sections, &section{name: name})
			lines = nil
			continue
		}
		lines = append(lines, l)
	}
	d.fill(trimBlank(lines, false))
	return d
}

func heading(line string) (string, bool) {
	t := strings.TrimSpace(line)
	if len(t) > 2 && t[0] == '[' && t[len(t)-1] == ']' {
		return t[1 : len(t)-1], true
	}
	return "", false
}

// trimBlank drops empty lines at both ends; before a heading those of spaces, too.
func trimBlank(lines []string, spaces bool) []string {
	for len(lines) > 0 && (lines[len(lines)-1] == "" || spaces && strings.TrimSpace(lines[len(lines)-1]) == "") {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return lines
}

// fill reads the lines of the last section. A line that is indented more than the last option goes on with what stands
// before it.
func (d *document) fill(lines []string) {
	s := d.sections[len(d.sections)-1]
	indent := ""
	for _, l := range lines {
		space := indentOf(l)
		e := d.entry(l)
		switch {
		case isComment(l):
			e = &entry{text: l}
		case len(space) > len(indent) && len(s.entries) > 0:
			s.entries[len(s.entries)-1].goOn(l)
			continue
		case e.option:
			indent = space
		}
		s.entries = append(s.entries, e)
	}
}

func indentOf(line string) string {
	return strings.ReplaceAll(line[:len(line)-len(strings.TrimLeft(line, " \t"))], "\t", "    ")
}

func isComment(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && (t[0] == '#' || t[0] == ';')
}

func (e *entry) goOn(line string) {
	if e.option {
		e.val += "\n" + line
		return
	}
	e.text += "\n" + line
}

// entry reads a line as an option, or keeps it as it is.
func (d *document) entry(line string) *entry {
	rest := strings.TrimLeft(line, " \t")
	if len(rest) > 1 {
		if i := strings.Index(rest[1:], d.sep); i >= 0 {
			indent := line[:len(line)-len(rest)]
			return &entry{option: true, indent: indent, key: strings.TrimRight(rest[:i+1], " \t"),
				val: strings.TrimLeft(rest[i+1+len(d.sep):], " \t")}
		}
	}
	return &entry{text: line}
}

func (d *document) String() string {
	var b strings.Builder
	for _, s := range d.sections {
		if s.name != "" {
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString("[" + s.name + "]\n")
		}
		for _, e := range s.entries {
			b.WriteString(d.line(e) + "\n")
		}
	}
	return strings.ReplaceAll(b.String(), "\n", d.eol)
}

func (d *document) line(e *entry) string {
	switch {
	case !e.option:
		return e.text
	case d.sep == " " || d.tight:
		return e.indent + e.key + d.sep + e.val
	}
	return e.indent + e.key + " " + d.sep + " " + e.val
}

// named are the sections of a name.
func (d *document) named(name string) []*section {
	return slices.DeleteFunc(slices.Clone(d.sections), func(s *section) bool { return s.name != name })
}

// find is the option that counts: the last of its name.
func (d *document) find(name, key string) *entry {
	for _, s := range slices.Backward(d.named(name)) {
		for _, e := range slices.Backward(s.entries) {
			if e.option && e.key == key {
				return e
			}
		}
	}
	return nil
}

// options are the options of a section by their order, the last of a name counts.
func (d *document) options(name string) (keys []string, vals map[string]string) {
	vals = map[string]string{}
	for _, s := range d.named(name) {
		for _, e := range s.entries {
			if !e.option {
				continue
			}
			if _, again := vals[e.key]; !again {
				keys = append(keys, e.key)
			}
			vals[e.key] = e.val
		}
	}
	return keys, vals
}
