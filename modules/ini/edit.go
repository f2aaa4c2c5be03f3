package ini

import (
	"slices"
	"strings"
)

// set gives an option its value; was is what it had. One that is commented out with # comes back at its place, another
// new one is the last of its section, which has to be there.
func (d *document) set(name, key, val string) (was string, there bool) {
	if e := d.find(name, key); e != nil {
		was, e.val = e.val, val
		return was, true
	}
	s := d.named(name)[0]
	for _, e := range s.entries {
		text := strings.TrimLeft(strings.TrimLeft(e.text, " \t"), "#")
		if o := d.entry(text); isComment(e.text) && !strings.Contains(text, "\n") && o.option && o.key == key {
			*e = entry{option: true, key: key, val: val}
			return "", false
		}
	}
	s.entries = append(s.entries, &entry{option: true, key: key, val: val})
	return "", false
}

// remove takes an option away, all of its lines.
func (d *document) remove(name, key string) (was string, there bool) {
	e := d.find(name, key)
	if e == nil {
		return "", false
	}
	for _, s := range d.named(name) {
		s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return e.option && e.key == key })
	}
	return e.val, true
}

// add makes an empty section.
func (d *document) add(name string) { d.sections = append(d.sections, &section{name: name}) }

func (d *document) drop(name string) {
	d.sections = slices.DeleteFunc(d.sections, func(s *section) bool { return s.name == name })
}
