package hosts

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	looks := []modules.ExecSpec{
		{Name: "hosts.list_hosts", Doc: "Gives the addresses of /etc/hosts with their aliases and comments.",
			Fn: looking(list)},
		{Name: "hosts.get_ip", Doc: "Gives the first address of a name, \"\" where it has none.", Params: []string{"host"},
			Fn: looking(ipOf)},
		{Name: "hosts.get_alias", Doc: "Lists the names of an address.", Params: []string{"ip"}, Fn: looking(aliases)},
		{Name: "hosts.has_pair", Doc: "Says whether an address has a name, or all of a list.",
			Params: []string{"ip", "alias"}, Fn: looking(hasPair)},
	}
	return append(looks, modules.Writing(
		modules.ExecSpec{Name: "hosts.set_host", Doc: "Gives an address exactly one text of names; an empty one removes it.",
			Params: []string{"ip:word!#", "alias!#", "comment=None"}, Fn: writing(setHost)},
		modules.ExecSpec{Name: "hosts.add_host", Doc: "Adds a name to an address.",
			Params: []string{"ip:word!#", "alias:word!#"},
			Fn:     writing(addHost)},
		modules.ExecSpec{Name: "hosts.rm_host", Doc: "Takes a name from an address.", Params: []string{"ip", "alias"},
			Fn: writing(removeHost)},
		modules.ExecSpec{Name: "hosts.set_comment", Doc: "Gives an address a comment; False where there is no such address.",
			Params: []string{"ip:word!#", "comment"}, Fn: writing(setComment)},
	)...)
}

func fileOf(c *modules.Call) (*file, error) {
	if c.Opts == nil {
		return read(c.Host, where(nil, false))
	}
	return read(c.Host, where(c.Opts.Dict().GetStr("hosts.file")))
}

func looking(look func(c *modules.Call, f *file) value.Value) func(context.Context, *modules.Call) (value.Value, error) {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		f, err := fileOf(c)
		if err != nil {
			return nil, err
		}
		return look(c, f), nil
	}
}

// writing is a function that says whether it could do what it was asked, and writes the file where that changed it.
func writing(edit func(c *modules.Call, f *file) bool) func(context.Context, *modules.Call) (value.Value, error) {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		f, err := fileOf(c)
		if err != nil {
			return nil, err
		}
		before := slices.Clone(f.lines)
		ok := edit(c, f)
		if !slices.Equal(before, f.lines) {
			err = f.write(c.Host)
		}
		return value.Bool(ok), err
	}
}

func list(_ *modules.Call, f *file) value.Value {
	out, comments := value.NewDict(0), 0
	for _, e := range f.entries() {
		if e.ip == "" {
			out.SetStr(fmt.Sprintf("comment-%d", comments), value.NewList(value.Str(e.comment)))
			comments++
			continue
		}
		d := value.DictOf("aliases", modules.TextList(e.names))
		if e.comment != "" {
			d.SetStr("comment", value.Str(e.comment))
		}
		out.SetStr(e.ip, d)
	}
	return out
}

func ipOf(c *modules.Call, f *file) value.Value {
	for _, e := range f.entries() {
		if slices.Contains(e.names, c.Str("host")) {
			return value.Str(e.ip)
		}
	}
	return value.Str("")
}

func aliases(c *modules.Call, f *file) value.Value {
	e, _ := f.of(c.Str("ip"))
	return modules.TextList(e.names)
}

func hasPair(c *modules.Call, f *file) value.Value {
	names, err := modules.Texts(c.Arg("alias"))
	has := err == nil
	for _, n := range names {
		has = has && f.has(c.Str("ip"), n)
	}
	return value.Bool(has)
}

func setHost(c *modules.Call, f *file) bool {
	f.set(c.Str("ip"), c.Str("alias"))
	if comment := c.Str("comment"); comment != "" {
		f.edit(c.Str("ip"), func(entry) string { return c.Str("ip") + "\t\t" + c.Str("alias") + "\t\t# " + comment })
	}
	return true
}

func addHost(c *modules.Call, f *file) bool {
	if !f.has(c.Str("ip"), c.Str("alias")) {
		f.add(c.Str("ip"), c.Str("alias"))
	}
	return true
}

func removeHost(c *modules.Call, f *file) bool {
	if f.has(c.Str("ip"), c.Str("alias")) {
		f.drop(c.Str("ip"), c.Str("alias"))
	}
	return true
}

func setComment(c *modules.Call, f *file) bool { return f.describe(c.Str("ip"), c.Str("comment")) }
