package render

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/value"
)

func dictFilters() []filter {
	return []filter{
		with("traverse", "key default= delimiter=", traverse),
		with("compare_dicts", "new", compareDicts),
		with("set_dict_key_value", "keys value delimiter= ordered_dict=",
			func(v value.Value, a []value.Value) (value.Value, error) {
				return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value,
					_ value.Value) error {
					return d.Set(key, a[1])
				})
			}),
		with("update_dict_key_value", "keys value delimiter= ordered_dict=",
			func(v value.Value, a []value.Value) (value.Value, error) {
				return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value,
					old value.Value) error {
					return updateKey(d, key, old, a[1])
				})
			}),
		with("append_dict_key_value", "keys value delimiter= ordered_dict=",
			func(v value.Value, a []value.Value) (value.Value, error) {
				return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value, old value.Value) error {
					return extendKey(d, key, old, []value.Value{a[1]})
				})
			}),
		with("extend_dict_key_value", "keys value delimiter= ordered_dict=",
			func(v value.Value, a []value.Value) (value.Value, error) {
				items, err := value.ToList(a[1])
				if err != nil {
					return nil, err
				}
				return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value, old value.Value) error {
					return extendKey(d, key, old, items)
				})
			}),
		// all four encode, whatever their names say
		simple("json_decode_dict", encodeDict), simple("json_encode_dict", encodeDict),
		simple("json_decode_list", encodeList), simple("json_encode_list", encodeList),
	}
}

func encodeDict(v value.Value) (value.Value, error) {
	if _, ok := v.(*value.Dict); !ok {
		return nil, value.Raise("AttributeError", "'%s' object has no attribute 'items'", v.TypeName())
	}
	return encodeText(v, &nesting{})
}

func encodeList(v value.Value) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	return encodeText(value.NewList(items...), &nesting{})
}

// encodeText is data with all its text as bytes, and its tuples as lists.
func encodeText(v value.Value, at *nesting) (value.Value, error) {
	switch v := v.(type) {
	case *value.Dict, *value.List, *value.Tuple:
	case value.Str:
		return value.Bytes(v), nil
	default:
		return v, nil
	}
	if err := at.enter(v); err != nil {
		return nil, err
	}
	defer at.leave()
	if d, ok := v.(*value.Dict); ok {
		out := value.NewDict(d.Len())
		for k, x := range d.All() {
			key, err := encodeText(k, at)
			if err != nil {
				return nil, err
			}
			if x, err = encodeText(x, at); err != nil {
				return nil, err
			}
			if err := out.Set(key, x); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, it := range items {
		x, err := encodeText(it, at)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, x)
	}
	return out, nil
}

// traverse follows 'a:b:0' through dicts and lists; a missing key gives the default.
func traverse(v value.Value, a []value.Value) (value.Value, error) {
	def := a[1]
	if def == nil {
		def = value.None
	}
	if key, ok := a[0].(value.Str); ok {
		if found, ok := value.Lookup(v, string(key), strOr(a[2], ":")); ok {
			return found, nil
		}
		return def, nil
	}
	if keys, err := value.ToList(a[0]); err == nil {
		for _, k := range keys {
			found, ok := value.Lookup(v, value.String(k), "")
			if !ok {
				return def, nil
			}
			v = found
		}
		return v, nil
	}
	if _, err := amount(a[0]); err != nil {
		return nil, value.Raise("TypeError", "'%s' object is not iterable", a[0].TypeName())
	}
	if found, ok := value.Lookup(v, value.String(a[0]), ""); ok {
		return found, nil
	}
	return def, nil
}

func compareDicts(old value.Value, a []value.Value) (value.Value, error) {
	left, ok1 := orNoDict(old)
	right, ok2 := orNoDict(a[0])
	// None and numbers are taken for an empty dict as long as nothing is looked for in them
	if !ok1 || !ok2 || left.Len()+right.Len() > 0 && (!value.CanIterate(old) || !value.CanIterate(a[0])) {
		return nil, value.Raise("TypeError", "compare_dicts() expects two dicts")
	}
	out := value.NewDict(0)
	note := func(k value.Value) {
		was, hadOld := left.Get(k)
		is, hasNew := right.Get(k)
		switch {
		case hadOld && hasNew && value.Equal(was, is):
			return
		case !hadOld:
			was = value.Str("")
		case !hasNew:
			_ = out.Set(k, value.DictOf("new", value.Str(""), "old", was))
			return
		}
		_ = out.Set(k, value.DictOf("old", was, "new", is))
	}
	for k := range left.All() {
		note(k)
	}
	for k := range right.All() {
		note(k)
	}
	return out, nil
}

// orNoDict is the dict, or an empty one for anything that is empty.
func orNoDict(v value.Value) (*value.Dict, bool) {
	if d, ok := v.(*value.Dict); ok {
		return d, true
	}
	return value.NewDict(0), !value.Truth(v)
}

// changeAt walks to the dict that holds the last key, and changes it there. What is no dict on the way gives way to
// one.
func changeAt(v, keys, delim value.Value, change func(d *value.Dict, key, old value.Value) error) error {
	d, ok := v.(*value.Dict)
	if !ok {
		return value.Raise("SaltInvocationError", "a dict is needed, not '%s'", v.TypeName())
	}
	path, ok := keys.(value.Str)
	if !ok {
		return value.Raise("TypeError", "argument of type '%s' is not iterable", keys.TypeName())
	}
	parts := strings.Split(string(path), strOr(delim, ":"))
	for _, p := range parts[:len(parts)-1] {
		next, _ := d.GetStr(p)
		inner, ok := next.(*value.Dict)
		if !ok {
			inner = value.NewDict(1)
			d.SetStr(p, inner)
		}
		d = inner
	}
	key := value.Str(parts[len(parts)-1])
	old, ok := d.Get(key)
	if !ok {
		old = value.None
	}
	return change(d, key, old)
}

func updateKey(d *value.Dict, key, old, with value.Value) error {
	into, ok := old.(*value.Dict)
	if isNone(old) {
		into, ok = value.NewDict(0), true
	}
	if !ok {
		return value.Raise("SaltInvocationError", "The last key contains a <class '%s'>, which cannot update.",
			old.TypeName())
	}
	// pairs do as well as a dict
	if _, _, err := value.CallMethod(context.Background(), into, "update", []value.Value{with}, nil); err != nil {
		return value.Raise("SaltInvocationError", "Cannot update <class 'dict'> with a <class '%s'>.", with.TypeName())
	}
	return d.Set(key, into)
}

func extendKey(d *value.Dict, key, old value.Value, items []value.Value) error {
	into, ok := old.(*value.List)
	if isNone(old) {
		into, ok = value.NewList(), true
	}
	if !ok {
		return value.Raise("SaltInvocationError", "the value at %s is no list", value.Repr(key))
	}
	into.Items = append(into.Items, items...)
	into.Marks = nil
	return d.Set(key, into)
}
