// Package mine is the execution functions of Salt's mine, as they are on a machine without a master: what it publishes
// is kept in its own store (data), and only it finds it there.
package mine

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "mine", Execs: execs()} }

func execs() []modules.ExecSpec {
	out := append(modules.Writing(
		modules.NewExec("mine.delete", "delete(fun): takes what a function published out of the mine.", remove, "fun:list"),
		modules.NewExec("mine.flush", "flush(): empties the mine.", flush),
	),
		modules.NewExec("mine.get", "get(tgt, fun, tgt_type='glob'): what this machine published, where the target means "+
			"it; nothing of others.", get,
			"tgt", "fun:list", "tgt_type=glob", "exclude_minion=false"),
		modules.NewExec("mine.valid", "valid(): the functions of the mine that are configured and there.", valid))
	// They call any function, so they are taken for what may do anything.
	for _, s := range []modules.ExecSpec{
		modules.NewExec("mine.send", "send(name, *args, mine_function=None, **kwargs): calls a function and publishes its "+
			"answer; False where it failed.", send,
			"name", "*args", "mine_function=None", "allow_tgt=None", "allow_tgt_type=None", "**kwargs"),
		modules.NewExec("mine.update", "update(clear=False, mine_functions=None): publishes the answers of the functions "+
			"that mine_functions names.", update,
			"clear=false", "mine_functions=None"),
	} {
		s.Class = modules.Commands
		out = append(out, s)
	}
	return out
}

// stored is where Salt keeps the mine of a machine without a master.
const stored = "mine_cache"

// An item whose function may not be asked for by all is a map with these two keys.
const aclMark, aclData = "__saltmine_acl__", "__data__"

func load(ctx context.Context, c *modules.Call) (*value.Dict, error) {
	v, err := c.Exec.Call(ctx, "data.get", []value.Value{value.Str(stored)}, nil)
	if d, ok := v.(*value.Dict); ok && err == nil {
		return d, nil
	}
	return value.NewDict(0), err
}

func save(ctx context.Context, c *modules.Call, d *value.Dict) (value.Value, error) {
	return c.Exec.Call(ctx, "data.update", []value.Value{value.Str(stored), d}, nil)
}

func flush(ctx context.Context, c *modules.Call) (value.Value, error) {
	return save(ctx, c, value.NewDict(0))
}

func remove(ctx context.Context, c *modules.Call) (value.Value, error) {
	d, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	d.Delete(c.Arg("fun"))
	return save(ctx, c, d)
}

// get gives {id: answer} for one function, {function: {id: answer}} for several.
func get(ctx context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	if c.Match == nil {
		return out, nil
	}
	if meant, err := c.Match(c.Str("tgt_type"), c.Str("tgt"), "", ""); err != nil || !meant {
		return out, err
	}
	d, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	names := c.Strs("fun")
	_, many := c.Arg("fun").(*value.List)
	for _, name := range names {
		item, ok := d.GetStr(name)
		if !ok {
			continue
		}
		if acl, wrapped := item.(*value.Dict); wrapped && acl.Has(value.Str(aclMark)) {
			item, _ = acl.GetStr(aclData)
		}
		mine := value.DictOf(c.Opts.Text("id"), item)
		if !many && len(names) < 2 {
			return mine, nil
		}
		out.SetStr(name, mine)
	}
	return out, nil
}

// A function is one that is published: under its alias what it is called by, with its arguments, and who may ask.
type function struct {
	alias, name string
	args        []value.Value
	kwargs, acl *value.Dict
}

// newFunction reads an entry of mine_functions: a list of arguments, maps among them being keywords, or a map of
// keywords.
func newFunction(alias string, def value.Value) function {
	f := function{alias: alias, name: alias, kwargs: value.NewDict(0)}
	switch def := def.(type) {
	case *value.Dict:
		f.kwargs = def.Copy()
	case *value.List:
		for _, it := range def.Items {
			if d, ok := it.(*value.Dict); ok {
				f.kwargs.Update(d)
				continue
			}
			f.args = append(f.args, it)
		}
	}
	if v, ok := f.kwargs.GetStr("mine_function"); ok && value.Truth(v) {
		f.name = value.String(v)
	}
	f.kwargs.Delete(value.Str("mine_function"))
	f.acl = takeACL(f.kwargs)
	return f
}

// takeACL takes who may ask out of keywords.
func takeACL(kwargs *value.Dict) *value.Dict {
	acl := value.NewDict(2)
	for _, k := range []string{"allow_tgt", "allow_tgt_type"} {
		if v, ok := kwargs.GetStr(k); ok && value.Truth(v) {
			acl.SetStr(k, v)
		}
		kwargs.Delete(value.Str(k))
	}
	return acl
}

// ask calls the function; ok is false where it failed, which is logged, unless it only cannot be foretold.
func (f function) ask(ctx context.Context, c *modules.Call) (v value.Value, ok bool, err error) {
	v, err = c.Exec.Call(ctx, f.name, f.args, f.kwargs)
	if errors.Is(err, host.ErrPreview) {
		return nil, false, err
	}
	if err != nil {
		c.Log("error", fmt.Sprintf("the mine's function %s failed: %v", f.name, err))
		return nil, false, nil
	}
	if allowed, has := f.acl.GetStr("allow_tgt"); has && value.Truth(allowed) {
		wrapped := value.DictOf(aclData, v, aclMark, value.Int(1))
		wrapped.Update(f.acl)
		v = wrapped
	}
	return v, true, nil
}

func send(ctx context.Context, c *modules.Call) (value.Value, error) {
	f := newFunction(c.Str("name"), value.NewList(c.Rest()...))
	if c.Bool("mine_function") {
		f.name = c.Str("mine_function")
	}
	f.kwargs = c.Extra()
	f.acl = takeACL(value.DictOf("allow_tgt", c.Arg("allow_tgt"), "allow_tgt_type", c.Arg("allow_tgt_type")))
	f.args = c.Rest()
	v, ok, err := f.ask(ctx, c)
	if err != nil || !ok {
		return value.Bool(false), err
	}
	d, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	d.SetStr(f.alias, v)
	return save(ctx, c, d)
}

// configured are the functions that an argument, or else the option or pillar mine_functions, names and that are there.
func configured(ctx context.Context, c *modules.Call, given value.Value) (out []function, named bool, err error) {
	if !value.Truth(given) {
		given, err = c.Exec.Call(ctx, "config.merge", []value.Value{value.Str("mine_functions"), value.NewDict(0)}, nil)
		if err != nil {
			return nil, false, err
		}
	}
	var all []function
	switch given := given.(type) {
	case *value.Dict:
		for k, v := range given.All() {
			all = append(all, newFunction(value.String(k), v))
		}
	case *value.List:
		for _, k := range given.Items {
			all = append(all, newFunction(value.String(k), value.None))
		}
	}
	for _, f := range all {
		if !c.Exec.Has(f.name) {
			c.Log("error", fmt.Sprintf("Function %s in mine_functions not available", f.name))
			continue
		}
		out = append(out, f)
	}
	return out, len(all) > 0, nil
}

func update(ctx context.Context, c *modules.Call) (value.Value, error) {
	functions, named, err := configured(ctx, c, c.Arg("mine_functions"))
	if err != nil || !named {
		return value.None, err
	}
	d, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	if c.Bool("clear") {
		d = value.NewDict(len(functions))
	}
	for _, f := range functions {
		v, ok, err := f.ask(ctx, c)
		if err != nil {
			return nil, err
		}
		if ok {
			d.SetStr(f.alias, v)
		}
	}
	return save(ctx, c, d)
}

// valid gives each function by its alias: with its arguments, below its own name where it has another one.
func valid(ctx context.Context, c *modules.Call) (value.Value, error) {
	functions, named, err := configured(ctx, c, value.None)
	if err != nil || !named {
		return value.None, err
	}
	out := value.NewDict(len(functions))
	for _, f := range functions {
		list := value.NewList(f.args...)
		for k, v := range f.kwargs.All() {
			list.Items = append(list.Items, value.DictOf(value.String(k), v))
		}
		var shown value.Value = list
		if f.name != f.alias {
			shown = value.DictOf(f.name, list)
		}
		out.SetStr(f.alias, shown)
	}
	return out, nil
}
