package ini

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// OptionsPresent keeps options.
type OptionsPresent struct {
	file
	Sections *value.Dict `arg:"sections,text" doc:"Sections with their options; an option outside of a map is in no section."`
	Strict   bool        `arg:"strict" doc:"Removes the options of these sections, and those in no section, that are not given."`
}

func optionsPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ini.options_present",
		Doc:     "Keeps options in an ini file.",
		Example: "/etc/app.ini:\n  ini.options_present:\n    - sections:\n        server:\n          port: 8080",
		New:     func() modules.StateFunc { return &OptionsPresent{} },
	}
}

// Validate refuses sections within sections, which no ini file has, and what would be read as another option or
// section.
func (o *OptionsPresent) Validate() []modules.Fault {
	if o.Sections == nil {
		return nil
	}
	if err := faultOf(o.Sections, o.Sep); err != nil {
		return []modules.Fault{{Arg: "sections", Msg: err.Error()}}
	}
	for name, body := range o.Sections.All() {
		inner, _ := body.(*value.Dict)
		for i := 0; inner != nil && i < inner.Len(); i++ {
			if _, nested := inner.At(i).Val.(*value.Dict); nested {
				return []modules.Fault{{Arg: "sections", Msg: "the option " + value.String(inner.At(i).Key) + " of the section " +
					value.String(name) + " is a map"}}
			}
		}
	}
	return nil
}

// Act sets the options and tells what changed: {section: {option: {before, after}}}.
func (o *OptionsPresent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return o.act(env, h, func(d *document, changes *value.Dict) error {
		if o.Sections == nil || o.Sections.Len() == 0 {
			return nil
		}
		free := value.NewDict(0)
		for name, body := range o.Sections.All() {
			if _, is := body.(*value.Dict); !is {
				free.SetStr(value.String(name), body)
			}
		}
		d.update("", free, changes)
		if o.Strict {
			d.prune("", free, changes)
		}
		for name, body := range o.Sections.All() {
			if inner, is := body.(*value.Dict); is {
				d.section(value.String(name), inner, o.Strict, changes)
			}
		}
		return nil
	})
}

// section keeps the options of one section. A new one is told as a whole.
func (d *document) section(name string, body *value.Dict, strict bool, changes *value.Dict) {
	inner := value.NewDict(0)
	if strict {
		d.prune(name, body, inner)
	}
	if len(d.named(name)) > 0 {
		d.update(name, body, inner)
	} else {
		d.add(name)
		plain := value.NewDict(body.Len())
		for k, v := range body.All() {
			d.set(name, value.String(k), value.String(v))
			plain.SetStr(value.String(k), value.Str(value.String(v)))
		}
		changed(inner, "before", value.None, "after", plain)
	}
	if inner.Len() > 0 {
		changes.SetStr(name, inner)
	}
}

func changed(into *value.Dict, pairs ...any) {
	for k, v := range value.DictOf(pairs...).All() {
		_ = into.Set(k, v)
	}
}

func (d *document) update(name string, body, changes *value.Dict) {
	for k, v := range body.All() {
		key, val := value.String(k), value.String(v)
		switch was, there := d.set(name, key, val); {
		case !there:
			changes.SetStr(key, value.DictOf("before", value.None, "after", value.Str(val)))
		case was != val:
			changes.SetStr(key, value.DictOf("before", value.Str(was), "after", value.Str(val)))
		}
	}
}

// prune removes the options that are not given, and blank lines that then begin or end their section.
func (d *document) prune(name string, body, changes *value.Dict) {
	var given []string
	for k := range body.All() {
		given = append(given, value.String(k))
	}
	keys, _ := d.options(name)
	for _, key := range keys {
		if !slices.Contains(given, key) {
			was, _ := d.remove(name, key)
			changes.SetStr(key, value.DictOf("before", value.Str(was), "after", value.None))
		}
	}
	blank := func(e *entry) bool { return !e.option && e.text == "" }
	for _, s := range d.named(name) {
		for len(s.entries) > 0 && blank(s.entries[len(s.entries)-1]) {
			s.entries = s.entries[:len(s.entries)-1]
		}
		for len(s.entries) > 0 && blank(s.entries[0]) {
			s.entries = s.entries[1:]
		}
	}
}
