package render

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

func dictFilters() []filter {
	return []filter{
		with("traverse", "key default= delimiter=", traverse),
		with("compare_dicts", "new", compareDicts),
		with("set_dict_key_value", "keys value delimiter= ordered_dict=", func(v value.Value, a []value.Value) (value.Value, error) {
			return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value, _ value.Value) error { return d.Set(key, a[1]) })
		}),
		with("update_dict_key_value", "keys value delimiter= ordered_dict=", func(v value.Value, a []value.Value) (value.Value, error) {
			return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value, old value.Value) error { return updateKey(d, key, old, a[1]) })
		}),
		with("append_dict_key_value", "keys value delimiter= ordered_dict=", func(v value.Value, a []value.Value) (value.Value, error) {
			return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value, old value.Value) error {
				return extendKey(d, key, old, []value.Value{a[1]})
			})
		}),
		with("extend_dict_key_value", "keys value delimiter= ordered_dict=", func(v value.Value, a []value.Value) (value.Value, error) {
			items, err := value.ToList(a[1])
			if err != nil {
				return nil, err
			}
			return v, changeAt(v, a[0], a[2], func(d *value.Dict, key value.Value, old value.Value) error {
				return extendKey(d, key, old, items)
			})
		}),
		with("json_decode_dict", "", asItIs), with("json_encode_dict", "", asItIs),
		with("json_decode_list", "", asItIs), with("json_encode_list", "", asItIs),
	}
}

// asItIs is for filters that only change Python 2's text types.
func asItIs(v value.Value, _ []value.Value) (value.Value, error) { return v, nil }

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
	if found, ok := value.Lookup(v, value.String(a[0]), ""); ok {
		return found, nil
	}
	return def, nil
}

func compareDicts(old value.Value, a []value.Value) (value.Value, error) {
	left, ok1 := old.(*value.Dict)
	right, ok2 := a[0].(*value.Dict)
	if !ok1 || !ok2 {
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

// changeAt walks to the dict that holds the last key, making the dicts on the way, and changes it there.
func changeAt(v, keys, delim value.Value, change func(d *value.Dict, key, old value.Value) error) error {
	d, ok := v.(*value.Dict)
	if !ok {
		return value.Raise("SaltInvocationError", "a dict is needed, not '%s'", v.TypeName())
	}
	parts := strings.Split(value.String(keys), strOr(delim, ":"))
	for _, p := range parts[:len(parts)-1] {
		next, ok := d.GetStr(p)
		if !ok || isNone(next) {
			next = value.NewDict(1)
			d.SetStr(p, next)
		}
		if d, ok = next.(*value.Dict); !ok {
			return value.Raise("SaltInvocationError", "'%s' on the way to %s is no dict", p, value.Repr(keys))
		}
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
	from, isDict := with.(*value.Dict)
	if !ok || !isDict {
		return value.Raise("SaltInvocationError", "update_dict_key_value() needs dicts")
	}
	into.Update(from)
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
