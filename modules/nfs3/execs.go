package nfs3

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	const file = "exports=/etc/exports"
	return append(modules.Writing(
		modules.NewExec("nfs3.del_export", "Takes a path out of the file.", del, file, "path=None"),
		modules.NewExec("nfs3.add_export", "Adds a client to a path.", add, file, "path:word=None", "hosts:word=None",
			"options:list+word=None"),
		modules.NewExec("nfs3.reload_exports", "Has the server export what /etc/exports says.", reloadExports),
	), modules.NewExec("nfs3.list_exports", "What the file exports, by path.", list, file))
}

func list(_ context.Context, c *modules.Call) (value.Value, error) {
	entries, err := read(c.Host, c.Str("exports"))
	return all(entries), err
}

func all(entries []entry) *value.Dict {
	out := value.NewDict(len(entries))
	for _, e := range entries {
		for _, p := range e.paths {
			clients, _ := of(entries, p)
			out.SetStr(p, dicts(clients))
		}
	}
	return out
}

func del(_ context.Context, c *modules.Call) (value.Value, error) {
	entries, err := read(c.Host, c.Str("exports"))
	if err != nil {
		return nil, err
	}
	if _, ok := of(entries, c.Str("path")); !ok {
		return nil, value.KeyError(c.Arg("path"))
	}
	entries = without(entries, c.Str("path"))
	return all(entries), write(c.Host, c.Str("exports"), entries)
}

func add(_ context.Context, c *modules.Call) (value.Value, error) {
	n := client{c.Str("hosts"), c.Strs("options")}
	if _, ok := c.Arg("hosts").(value.Str); !ok || strings.ContainsAny(c.Str("path")+n.String(), " \t\n") {
		return nil, value.Raise("TypeError", "hosts argument must be a string")
	}
	entries, err := read(c.Host, c.Str("exports"))
	if err != nil {
		return nil, err
	}
	was, _ := of(entries, c.Str("path"))
	return n.dict(), write(c.Host, c.Str("exports"), put(entries, c.Str("path"), append(was, n)))
}

func reloadExports(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, err := c.Outright(ctx, "exportfs", "-r")
	if err != nil {
		return nil, err
	}
	return value.DictOf("stdout", value.Str(strings.TrimSpace(string(out.Stdout))), "stderr",
		value.Str(strings.TrimSpace(string(out.Stderr))), "result", value.Bool(out.Code == 0)), nil
}
