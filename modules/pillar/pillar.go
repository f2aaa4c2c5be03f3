// Package pillar is the execution functions that look the pillar up.
package pillar

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "pillar", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("pillar.get", "get(key, default='', merge=False): the pillar under a colon-separated path.",
			pillarGet,
			"key", "default=''", "merge=false", "merge_nested_lists=None", "delimiter=:", "pillarenv=None", "saltenv=None"),
		modules.NewExec("pillar.items", "items(*keys, pillar=None): the whole pillar, or those keys of it, with what "+
			"pillar adds and replaces.", items,
			"*args", "pillar=None", "pillarenv=None", "saltenv=None"),
		modules.NewExec("pillar.obfuscate", "obfuscate(): the whole pillar, with the types of its values in their places.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				all, err := items(ctx, c)
				return obfuscated(all), err
			}, "*args", "pillar=None", "pillarenv=None", "saltenv=None"),
		{Name: "pillar.data", Doc: "data(*keys, pillar=None): as pillar.items.",
			Params: []string{"*args", "pillar=None", "pillarenv=None", "saltenv=None"}, Fn: items},
		modules.NewExec("pillar.item", "item(*keys): a map of each key and its pillar.", pillarItem, "*args", "default=''",
			"delimiter=:", "pillarenv=None", "saltenv=None"),
		modules.NewExec("pillar.raw", "raw(key=None): the pillar, or a top-level key of it.", pillarRaw, "key=None"),
		modules.NewExec("pillar.ls", "ls(): the top-level keys of the pillar.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return modules.Keys(c.Pillar.Dict()), nil
			}, "*args"),
		modules.NewExec("pillar.keys", "keys(key): the keys of the map under a path.", pillarKeys, "key", "delimiter=:"),
		modules.NewExec("pillar.fetch", "fetch(key, default=''): as pillar.get.", pillarGet,
			"key", "default=''", "merge=false", "merge_nested_lists=None", "delimiter=:", "pillarenv=None", "saltenv=None"),
		modules.NewExec("pillar.filter_by", "filter_by(lookup_dict, pillar, merge=None, default='default', base=None): the "+
			"entry that a pillar value names.",
			pillarFilterBy, "lookup_dict", "pillar", "merge=None", "default=default", "base=None"),
		modules.NewExec("pillar.file_exists", "file_exists(path, saltenv=None): whether the pillar roots hold a file.",
			pillarFileExists, "path", "saltenv=None"),
		modules.NewExec("pillar.ext", "ext(external): the pillar of external sources, of which there are none.",
			func(context.Context, *modules.Call) (value.Value, error) {
				return value.NewDict(0), nil
			}, "external", "pillar=None"),
	}
}

// items is the pillar, with an override merged into a copy of it.
func items(ctx context.Context, c *modules.Call) (value.Value, error) {
	if len(c.Rest()) > 0 {
		return pillarItem(ctx, c)
	}
	over, err := modules.Map(c.Arg("pillar"))
	if err != nil || over.Len() == 0 {
		return c.Pillar.Dict(), nil
	}
	all := value.DeepCopy(c.Pillar.Dict()).(*value.Dict)
	merge.Update(all, over, true, mergeLists(c))
	return all, nil
}

// pillarGet looks up a path; with merge, the default's maps and lists are filled up with what is found.
func pillarGet(_ context.Context, c *modules.Call) (value.Value, error) {
	def := c.Arg("default")
	v, ok := c.Find(c.Pillar.Dict(), c.Arg("key"))
	if c.Bool("merge") {
		if merged, done := mergeDefault(c, def, v, ok); done {
			return merged, nil
		}
	}
	if !ok && !c.Has("default") {
		if raise, _ := c.Opts.Dict().GetStr("pillar_raise_on_missing"); raise != nil && value.Truth(raise) {
			return nil, value.Raise("KeyError", "Pillar key not found: %s", c.Str("key"))
		}
	}
	return modules.OrElse(v, ok, def), nil
}

// mergeDefault merges what was found over a default that is a map or a list. done is false where the types do not
// agree: Salt then says so in its log and goes on without merging.
func mergeDefault(c *modules.Call, def, v value.Value, found bool) (out value.Value, done bool) {
	switch d := def.(type) {
	case *value.Dict:
		if !found {
			return value.DeepCopy(d), true
		}
		if over, ok := v.(*value.Dict); ok {
			d = value.DeepCopy(d).(*value.Dict)
			merge.Update(d, over, true, mergeLists(c))
			return d, true
		}
	case *value.List:
		if !found {
			return value.DeepCopy(d), true
		}
		if over, ok := v.(*value.List); ok {
			out, err := merge.Merge(value.DictOf("l", d), value.DictOf("l", over),
				merge.Options{Strategy: "recurse", Lists: true})
			if err == nil {
				l, _ := out.(*value.Dict).GetStr("l")
				return l, true
			}
		}
	}
	c.Log("error", fmt.Sprintf("pillar.get: the default (%s) and the pillar %s cannot be merged: they are not of one type",
		def.TypeName(), c.Str("key")))
	return nil, false
}

// mergeLists is merge_nested_lists, else the option pillar_merge_lists.
func mergeLists(c *modules.Call) bool {
	if v := c.Arg("merge_nested_lists"); v != value.None {
		return value.Truth(v)
	}
	v, ok := c.Opts.Dict().GetStr("pillar_merge_lists")
	return ok && value.Truth(v)
}

func pillarItem(_ context.Context, c *modules.Call) (value.Value, error) {
	return c.Items(c.Pillar.Dict())
}

func pillarRaw(_ context.Context, c *modules.Call) (value.Value, error) {
	if !value.Truth(c.Arg("key")) {
		return c.Pillar.Dict(), nil
	}
	v, ok := c.Pillar.Dict().Get(c.Arg("key"))
	return modules.OrElse(v, ok, value.NewDict(0)), nil
}

func pillarKeys(_ context.Context, c *modules.Call) (value.Value, error) {
	v, ok := c.Find(c.Pillar.Dict(), c.Arg("key"))
	if !ok {
		return nil, value.Raise("KeyError", "Pillar key not found: %s", c.Str("key"))
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, value.Raise("ValueError", "Pillar value in key %s is not a dict", c.Str("key"))
	}
	return modules.Keys(d), nil
}

// obfuscated is a value whose texts, numbers and the like are the names of their types.
func obfuscated(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Dict:
		out := value.NewDict(v.Len())
		for i := range v.Len() {
			e := v.At(i)
			_ = out.Set(e.Key, obfuscated(e.Val)) // it was a key before
		}
		return out
	case *value.List:
		out := value.NewList()
		for _, it := range v.Items {
			out.Items = append(out.Items, obfuscated(it))
		}
		return out
	}
	return value.Str("<" + v.TypeName() + ">")
}

func pillarFilterBy(_ context.Context, c *modules.Call) (value.Value, error) {
	return c.FilterBy(c.Pillar.Dict(), c.Arg("pillar"))
}

// pillarFileExists looks in the pillar roots of the environment, of all of them when none is named.
func pillarFileExists(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.Bool(c.InPillar != nil && c.InPillar(c.Str("saltenv"), strings.TrimPrefix(c.Str("path"), "salt://"))), nil
}
