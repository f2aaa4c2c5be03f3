package modules

import (
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// FilterBy picks the entry of lookup_dict whose key, a glob, matches what is found in data under a path; the entry
// default else. Entries are laid over the one that base names, and merge over the result. As in Salt the entry is not
// copied, so that merge shows in lookup_dict too.
func (c *Call) FilterBy(in *value.Dict, path value.Value) (value.Value, error) {
	table, ok := c.Arg("lookup_dict").(*value.Dict)
	if !ok {
		return nil, value.Raise("AttributeError", "filter_by: lookup_dict must be a map, this is a %s",
			c.Arg("lookup_dict").TypeName())
	}
	found, _ := value.Lookup(in, value.String(path), ":")
	ret := pick(table, found)
	if ret == value.None {
		if v, ok := table.Get(c.Arg("default")); ok {
			ret = v
		}
	}
	ret, err := overBase(c, table, ret)
	if err != nil {
		return nil, err
	}
	return c.MergeOver(ret)
}

// MergeOver lays the parameter merge, a map, over what a filter_by found.
func (c *Call) MergeOver(ret value.Value) (value.Value, error) {
	over := c.Arg("merge")
	if !value.Truth(over) {
		return ret, nil
	}
	d, ok := over.(*value.Dict)
	if !ok {
		return nil, value.Raise("SaltException", "filter_by merge argument must be a dictionary.")
	}
	if ret == value.None {
		return d, nil
	}
	dest, ok := ret.(*value.Dict)
	if !ok {
		return nil, value.Raise("TypeError", "Cannot update using non-dict types in dictupdate.update()")
	}
	merge.Update(dest, value.DeepCopy(d).(*value.Dict), true, c.Bool("merge_lists"))
	return dest, nil
}

// pick is the first entry that a value, or one of a list of values, matches. Entries of None are passed over.
func pick(table *value.Dict, found value.Value) value.Value {
	var values []value.Value
	switch f := found.(type) {
	case nil:
	case *value.List:
		values = f.Items
	default:
		values = []value.Value{found}
	}
	for _, v := range values {
		text := value.String(v)
		for k, entry := range table.All() {
			if fnmatch.Match(value.String(k), text) {
				if entry != value.None {
					return entry
				}
				break
			}
		}
	}
	return value.None
}

func overBase(c *Call, table *value.Dict, ret value.Value) (value.Value, error) {
	base := c.Arg("base")
	if !value.Truth(base) {
		return ret, nil
	}
	under, ok := table.Get(base)
	if !ok {
		return ret, nil
	}
	if ret == value.None {
		return under, nil
	}
	d, ok := under.(*value.Dict)
	if !ok {
		return ret, nil
	}
	over, ok := ret.(*value.Dict)
	if !ok {
		return nil, value.Raise("SaltException", "filter_by default and look-up values must both be dictionaries.")
	}
	d = value.DeepCopy(d).(*value.Dict)
	merge.Update(d, over, true, false)
	return d, nil
}
