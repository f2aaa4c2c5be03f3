// Package ini keeps options and sections of ini files. Comments, order and spelling of what is not managed stay.
package ini

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "ini", States: []modules.StateSpec{
		spec("options_present", "Keeps options in an ini file.", optionsPresent), spec("options_absent", "Keeps options out of an ini file.", optionsAbsent),
		spec("sections_present", "Keeps sections, with their options, in an ini file.", optionsPresent), spec("sections_absent", "Keeps sections out of an ini file.", sectionsAbsent),
	}}
}

// File is the state of all four functions: they differ in what they do with the lines.
type File struct {
	Name     string      `arg:"name,required" doc:"The file."`
	Sections value.Value `arg:"sections" doc:"Sections with their options; an option outside of a map is in no section."`
	Sep      string      `arg:"separator" default:"'='" doc:"What stands between an option and its value."`
	Strict   bool        `arg:"strict" doc:"Remove the options of these sections that are not given."`
	NoSpaces bool        `arg:"no_spaces" doc:"Write no spaces around the separator."`
	Encoding string      `arg:"encoding" doc:"No effect: files are UTF-8."`

	edit func(f *File, d *document) *value.Dict
	verb string
}

func spec(name, doc string, edit func(*File, *document) *value.Dict) modules.StateSpec {
	return modules.StateSpec{
		Name:    "ini." + name,
		Doc:     doc,
		Example: "/etc/app.ini:\n  ini." + name + ":\n    - sections:\n        server:\n          port: 8080",
		New:     func() modules.StateFunc { return &File{edit: edit, verb: name} },
	}
}

// A document is an ini file, line by line.
type document struct{ lines []string }

// bounds are the lines of a section: from behind its heading to before the next one. "" is what stands before any heading.
func (d *document) bounds(section string) (from, to int, ok bool) {
	from, ok = 0, section == ""
	for i, l := range d.lines {
		name, is := heading(l)
		switch {
		case is && ok:
			return from, i, true
		case is && name == section:
			from, ok = i+1, true
		}
	}
	return from, len(d.lines), ok
}

func heading(line string) (string, bool) {
	t := strings.TrimSpace(line)
	if strings.HasPrefix(t, "[") && strings.Contains(t, "]") {
		return t[1:strings.IndexByte(t, ']')], true
	}
	return "", false
}

// option reads a line; ok is false for comments, headings and the rest.
func (f *File) option(line string) (key, val string, ok bool) {
	t := strings.TrimSpace(line)
	if t == "" || strings.ContainsAny(t[:1], "#;[") {
		return "", "", false
	}
	key, val, _ = strings.Cut(t, strings.TrimSpace(f.sep()))
	if f.sep() == " " {
		key, val, _ = strings.Cut(t, " ")
	}
	return strings.TrimSpace(key), strings.TrimSpace(val), true
}

func (f *File) sep() string {
	if s := strings.TrimSpace(f.Sep); s != "" {
		return s
	}
	return " "
}

func (f *File) line(key, val string) string {
	if f.NoSpaces || f.sep() == " " {
		return key + f.sep() + val
	}
	return strings.TrimRight(key+" "+f.sep()+" "+val, " ")
}

// A want is one section with its options, in the order written.
type want struct {
	section string
	options [][2]string
}

func (f *File) wants() []want {
	d, err := modules.Map(f.Sections)
	if err != nil {
		return nil
	}
	out := []want{{}}
	for k, v := range d.All() {
		inner, err := modules.Map(v)
		if _, text := v.(value.Str); err != nil || text {
			out[0].options = append(out[0].options, [2]string{value.String(k), plainText(v)})
			continue
		}
		w := want{section: value.String(k)}
		for ik, iv := range inner.All() {
			w.options = append(w.options, [2]string{value.String(ik), plainText(iv)})
		}
		out = append(out, w)
	}
	if len(out[0].options) == 0 {
		return out[1:]
	}
	return out
}

func plainText(v value.Value) string {
	if s, err := modules.Text(v); err == nil {
		return s
	}
	return value.String(v)
}

// optionsPresent sets the options and tells what changed: {section: {option: {before, after}}}.
func optionsPresent(f *File, d *document) *value.Dict {
	changes := value.NewDict(0)
	note := func(section, key string, before, after value.Value) {
		inner, ok := changes.GetStr(section)
		if !ok {
			inner = value.NewDict(1)
			changes.SetStr(section, inner)
		}
		inner.(*value.Dict).SetStr(key, value.DictOf("before", before, "after", after))
	}
	for _, w := range f.wants() {
		if _, _, ok := d.bounds(w.section); !ok {
			if len(d.lines) > 0 && strings.TrimSpace(d.lines[len(d.lines)-1]) != "" {
				d.lines = append(d.lines, "")
			}
			d.lines = append(d.lines, "["+w.section+"]")
			if len(w.options) == 0 {
				changes.SetStr(w.section, value.NewDict(0))
			}
		}
		for _, o := range w.options {
			f.set(d, w.section, o[0], o[1], note)
		}
		if f.Strict {
			f.prune(d, w, note)
		}
	}
	return changes
}

func (f *File) set(d *document, section, key, val string, note func(section, key string, before, after value.Value)) {
	from, to, _ := d.bounds(section)
	for i := from; i < to; i++ {
		k, now, ok := f.option(d.lines[i])
		if !ok || k != key {
			continue
		}
		if now != val {
			d.lines[i] = f.line(key, val)
			note(section, key, value.Str(now), value.Str(val))
		}
		return
	}
	for to > from && strings.TrimSpace(d.lines[to-1]) == "" {
		to--
	}
	d.lines = slices.Insert(d.lines, to, f.line(key, val))
	note(section, key, value.None, value.Str(val))
}

func (f *File) prune(d *document, w want, note func(section, key string, before, after value.Value)) {
	from, to, _ := d.bounds(w.section)
	for i := to - 1; i >= from; i-- {
		k, now, ok := f.option(d.lines[i])
		if ok && !slices.ContainsFunc(w.options, func(o [2]string) bool { return o[0] == k }) {
			d.lines = slices.Delete(d.lines, i, i+1)
			note(w.section, k, value.Str(now), value.None)
		}
	}
}

// optionsAbsent removes options: sections is {section: [option, ...]}, or a list of options in no section.
func optionsAbsent(f *File, d *document) *value.Dict {
	changes := value.NewDict(0)
	drop := func(section, key string) {
		from, to, ok := d.bounds(section)
		for i := to - 1; ok && i >= from; i-- {
			if k, now, is := f.option(d.lines[i]); is && k == key {
				d.lines = slices.Delete(d.lines, i, i+1)
				inner, have := changes.GetStr(section)
				if !have {
					inner = value.NewDict(1)
					changes.SetStr(section, inner)
				}
				inner.(*value.Dict).SetStr(key, value.Str(now))
			}
		}
	}
	sections, err := modules.Map(f.Sections)
	if err != nil {
		names, _ := modules.Texts(f.Sections)
		for _, n := range names {
			drop("", n)
		}
		return changes
	}
	for k, v := range sections.All() {
		if d, ok := v.(*value.Dict); ok {
			for ik := range d.All() {
				drop(value.String(k), value.String(ik))
			}
			continue
		}
		names, _ := modules.Texts(v)
		for _, n := range names {
			drop(value.String(k), n)
		}
	}
	return changes
}

// sectionsAbsent removes sections with all that is in them.
func sectionsAbsent(f *File, d *document) *value.Dict {
	changes := value.NewDict(0)
	names, err := modules.Texts(f.Sections)
	if m, merr := modules.Map(f.Sections); err != nil && merr == nil {
		for k := range m.All() {
			names = append(names, value.String(k))
		}
	}
	for _, n := range names {
		from, to, ok := d.bounds(n)
		if !ok || n == "" {
			continue
		}
		gone := value.NewDict(0)
		for _, l := range d.lines[from:to] {
			if k, v, is := f.option(l); is {
				gone.SetStr(k, value.Str(v))
			}
		}
		d.lines = slices.Delete(d.lines, from-1, to)
		changes.SetStr(n, gone)
	}
	return changes
}

// Validate wants sections in one of the shapes.
func (f *File) Validate() []modules.Fault {
	if f.Sections == nil {
		return nil
	}
	if _, err := modules.Map(f.Sections); err != nil && strings.HasSuffix(f.verb, "_present") {
		return []modules.Fault{{Arg: "sections", Msg: "sections " + err.Error()}}
	}
	return nil
}

// Act writes the file where something of it has to change.
func (f *File) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if f.Sections == nil {
		return state.Settled("No sections were given"), nil
	}
	lines, err := modules.ReadLines(h, f.Name)
	if err != nil {
		return state.Effect{}, err
	}
	d := &document{slices.Clone(lines)}
	changes := f.edit(f, d)
	if changes.Len() == 0 {
		return state.Settled("No changes detected."), nil
	}
	return state.Effect{Changes: changes, Comment: "Changes take effect", Preview: fmt.Sprintf("%s would be changed", f.Name)},
		modules.WriteLines(h, f.Name, d.lines)
}
