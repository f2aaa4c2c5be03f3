// Package defaults is the execution functions for the defaults that lie beside a formula.
package defaults

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "defaults", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("defaults.get", "get(key, default=''): from FORMULA/defaults.yaml or .json; the key begins with "+
			"the formula and a colon.", defaultsGet, "key", "default=''"),
		modules.NewExec("defaults.merge", "merge(dest, src, merge_lists=False, in_place=True, convert_none=True): src "+
			"merged into dest.", defaultsMerge,
			"dest", "src", "merge_lists=false", "in_place=true", "convert_none=true"),
		modules.NewExec("defaults.deepcopy", "deepcopy(source): a copy that shares nothing.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.DeepCopy(c.Arg("source")), nil
			}, "source"),
		modules.NewExec("defaults.update", "update(dest, defaults, merge_lists=True, in_place=True, convert_none=True): "+
			"every map in dest over the defaults.", defaultsUpdate,
			"dest", "defaults", "merge_lists=true", "in_place=true", "convert_none=true"),
	}
}

// defaultsGet reads the defaults that lie beside a formula.
func defaultsGet(ctx context.Context, c *modules.Call) (value.Value, error) {
	formula, key, _ := strings.Cut(c.Str("key"), ":")
	for _, format := range []string{"json", "yaml"} {
		text, err := c.Files.Fetch(ctx, "salt://"+formula+"/defaults."+format, c.SaltEnv)
		if err != nil {
			continue
		}
		v, err := c.Deserialize(format, string(text))
		if err != nil {
			return nil, err
		}
		if key == "" {
			return v, nil
		}
		found, ok := value.Lookup(v, key, ":")
		return modules.OrElse(found, ok, c.Arg("default")), nil
	}
	return c.Arg("default"), nil
}

// maps gives dest and src as maps, None as an empty one where convert_none says so.
func maps(c *modules.Call, dest, src value.Value) (d, s *value.Dict, err error) {
	none := func(v value.Value) value.Value {
		if v == value.None && c.Bool("convert_none") {
			return value.NewDict(0)
		}
		return v
	}
	d, ok := none(dest).(*value.Dict)
	s, ok2 := none(src).(*value.Dict)
	if !ok || !ok2 {
		return nil, nil, value.Raise("TypeError", "Cannot update using non-dict types in dictupdate.update()")
	}
	return d, s, nil
}

func defaultsMerge(_ context.Context, c *modules.Call) (value.Value, error) {
	dest, src, err := maps(c, c.Arg("dest"), c.Arg("src"))
	if err != nil {
		return nil, err
	}
	if !c.Bool("in_place") {
		dest = value.DeepCopy(dest).(*value.Dict)
	}
	merge.Update(dest, src, true, c.Bool("merge_lists"))
	return dest, nil
}

func defaultsUpdate(_ context.Context, c *modules.Call) (value.Value, error) {
	nodes, ok := c.Arg("dest").(*value.Dict)
	if !ok {
		return nil, value.Raise("AttributeError", "'%s' object has no attribute 'items'", c.Arg("dest").TypeName())
	}
	if !c.Bool("in_place") {
		nodes = value.DeepCopy(nodes).(*value.Dict)
	}
	for i := range nodes.Len() {
		e := nodes.At(i)
		base, own, err := maps(c, value.DeepCopy(c.Arg("defaults")), e.Val)
		if err != nil {
			return nil, err
		}
		merge.Update(base, own, true, c.Bool("merge_lists"))
		if err := nodes.Set(e.Key, base); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}
