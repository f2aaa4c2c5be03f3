package ini

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	option := []string{"file_name", "section", "option", "separator=="}
	section := []string{"file_name", "section", "separator=="}
	looks := []modules.ExecSpec{
		{Name: "ini.get_option", Doc: "Gives the value of an option, None where it is not there.", Params: option,
			Fn: looking(getOption)},
		{Name: "ini.get_section", Doc: "Gives the options of a section.", Params: section, Fn: looking(getSection)},
		{Name: "ini.get_ini", Doc: "Gives all sections and options of an ini file.",
			Params: []string{"file_name", "separator=="}, Fn: looking(getAll)},
	}
	return append(looks, modules.Writing(
		modules.ExecSpec{Name: "ini.set_option", Doc: "Sets options and tells what changed.",
			Params: []string{"file_name:path", "sections:text=None", "separator=="},
			Fn:     sound(writing(setOption))},
		modules.ExecSpec{Name: "ini.remove_option", Doc: "Removes an option and gives its value, None where it was not there.", Params: option, Fn: writing(removeOption)},
		modules.ExecSpec{Name: "ini.remove_section", Doc: "Removes a section and gives its options, None where it was not " +
			"there.", Params: section,
			Fn: writing(removeSection)},
	)...)
}

func looking(look func(c *modules.Call, d *document) value.Value) func(context.Context, *modules.Call) (value.Value, error) {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		d, err := read(c.Host, c.Str("file_name"), c.Str("separator"))
		if err != nil {
			return nil, err
		}
		return look(c, d), nil
	}
}

// writing writes the file where it changed.
func writing(edit func(c *modules.Call, d *document) value.Value) func(context.Context, *modules.Call) (value.Value, error) {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		d, err := read(c.Host, c.Str("file_name"), c.Str("separator"))
		if err != nil {
			return nil, err
		}
		before := d.String()
		out := edit(c, d)
		if d.String() != before {
			err = d.write(c.Host, c.Str("file_name"))
		}
		return out, err
	}
}

func getOption(c *modules.Call, d *document) value.Value {
	if e := d.find(c.Str("section"), c.Str("option")); e != nil {
		return value.Str(e.val)
	}
	return value.None
}

func getSection(c *modules.Call, d *document) value.Value { return d.describe(c.Str("section")) }

func getAll(_ *modules.Call, d *document) value.Value {
	out := d.describe("")
	for _, s := range d.sections[1:] {
		out.SetStr(s.name, d.describe(s.name))
	}
	return out
}

// sound refuses sections that would be read as something else.
func sound(set modules.ExecFunc) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if err := faultOf(c.Dict("sections"), c.Str("separator")); err != nil {
			return nil, value.Raise("ValueError", "%v", err)
		}
		return set(ctx, c)
	}
}

func setOption(c *modules.Call, d *document) value.Value {
	changes := value.NewDict(0)
	for k, v := range c.Dict("sections").All() {
		if body, is := v.(*value.Dict); is {
			d.section(value.String(k), body, false, changes)
			continue
		}
		one := value.NewDict(1)
		_ = one.Set(k, v)
		d.update("", one, changes)
	}
	return changes
}

func removeOption(c *modules.Call, d *document) value.Value {
	if was, there := d.remove(c.Str("section"), c.Str("option")); there {
		return value.Str(was)
	}
	return value.None
}

func removeSection(c *modules.Call, d *document) value.Value {
	name := c.Str("section")
	if name == "" || len(d.named(name)) == 0 {
		return value.None
	}
	out := d.describe(name)
	d.drop(name)
	return out
}
