// Package data is the execution functions of the machine's own store: a map in a file below the option cachedir, as
// Salt writes it.
package data

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "data", Execs: execs()} }

func execs() []modules.ExecSpec {
	whole := func(s *value.Dict) (value.Value, error) { return s, nil }
	return append(modules.Writing(
		modules.NewExec("data.update", "update(key, value): stores a value under a key; True.", changing(put), "key",
			"value:text"),
		modules.NewExec("data.cas", "cas(key, value, old_value): stores a value where the key has the old one; whether it "+
			"had.", changing(cas),
			"key", "value:text", "old_value:text"),
		modules.NewExec("data.pop", "pop(key, default=None): takes a key out of the store and gives its value.",
			changing(pop), "key", "default:text=None"),
		modules.NewExec("data.dump", "dump(new_data): replaces the whole store by a map; False where it is none.", dump,
			"new_data:text"),
		modules.NewExec("data.clear", "clear(): removes the whole store; True.", clear),
	), []modules.ExecSpec{
		modules.NewExec("data.load", "load(): the whole store.", looking(whole)),
		modules.NewExec("data.items", "items(): the whole store.", looking(whole)),
		modules.NewExec("data.keys", "keys(): the keys of the store.",
			looking(func(s *value.Dict) (value.Value, error) { return modules.Keys(s), nil })),
		modules.NewExec("data.values", "values(): the values of the store.", looking(values)),
		modules.NewExec("data.has_key", "has_key(key): whether the store has a key.", hasKey, "key"),
		modules.NewExec("data.get", "get(key, default=None): the value of a key, or a list of those of a list of keys.", get,
			"key", "default=None"),
	}...)
}

// file is where the store is, below cachedir.
const file = "datastore"

func looking(f func(*value.Dict) (value.Value, error)) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		d, err := c.Stored(file)
		if err != nil {
			return nil, err
		}
		return f(d)
	}
}

// changing makes a function of one that changes the store and says whether it is to be written.
func changing(f func(c *modules.Call, d *value.Dict) (answer value.Value, write bool, err error)) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		d, err := c.Stored(file)
		if err != nil {
			return nil, err
		}
		v, write, err := f(c, d)
		if err == nil && write {
			err = c.Store(file, d, host.KeepAttr())
		}
		return v, err
	}
}

func put(c *modules.Call, d *value.Dict) (value.Value, bool, error) {
	return value.Bool(true), true, d.Set(c.Arg("key"), c.Arg("value"))
}

func cas(c *modules.Call, d *value.Dict) (value.Value, bool, error) {
	if old, ok := d.Get(c.Arg("key")); !ok || !value.Equal(old, c.Arg("old_value")) {
		return value.Bool(false), false, nil
	}
	return put(c, d)
}

func pop(c *modules.Call, d *value.Dict) (value.Value, bool, error) {
	old, ok := d.Get(c.Arg("key"))
	return modules.OrElse(old, ok, c.Arg("default")), d.Delete(c.Arg("key")), nil
}

// dump takes a map, or text that says one.
func dump(_ context.Context, c *modules.Call) (value.Value, error) {
	v := c.Arg("new_data")
	if text, ok := v.(value.Str); ok {
		var err error
		if v, err = c.Deserialize("yaml", string(text)); err != nil {
			return nil, err
		}
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return value.Bool(false), nil
	}
	return value.Bool(true), c.Store(file, d, host.KeepAttr())
}

func clear(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.Bool(true), c.Forget(file)
}

func values(d *value.Dict) (value.Value, error) {
	out := value.NewList()
	for _, v := range d.All() {
		out.Items = append(out.Items, v)
	}
	return out, nil
}

func hasKey(_ context.Context, c *modules.Call) (value.Value, error) {
	d, err := c.Stored(file)
	return value.Bool(err == nil && d.Has(c.Arg("key"))), err
}

// get leaves missing keys of a list out, unless there is a default for them.
func get(_ context.Context, c *modules.Call) (value.Value, error) {
	d, err := c.Stored(file)
	if err != nil {
		return nil, err
	}
	if key, one := c.Arg("key").(value.Str); one {
		v, ok := d.Get(key)
		return modules.OrElse(v, ok, c.Arg("default")), nil
	}
	keys, err := value.ToList(c.Arg("key"))
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, k := range keys {
		if v, ok := d.Get(k); ok || c.Arg("default") != value.None {
			out.Items = append(out.Items, modules.OrElse(v, ok, c.Arg("default")))
		}
	}
	return out, nil
}
