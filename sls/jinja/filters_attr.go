package jinja

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A getter takes from an item what a filter compares or gives.
type getter func(v value.Value) (value.Value, error)

// ignoreCase makes text lower case.
func ignoreCase(v value.Value) (value.Value, error) {
	if s, ok := v.(value.Str); ok {
		return value.Str(strings.ToLower(string(s))), nil
	}
	if s, ok := v.(Markup); ok {
		return value.Str(strings.ToLower(string(s))), nil
	}
	return v, nil
}

// attributePath splits "a.b.0" into its parts: keys and, where a part is digits, indices.
func attributePath(attr value.Value) []value.Value {
	switch a := Plain(attr).(type) {
	case nil, value.NoneType:
		return nil
	case value.Str:
		var parts []value.Value
		for _, part := range strings.Split(string(a), ".") {
			if n, err := strconv.ParseUint(part, 10, 62); err == nil {
				parts = append(parts, value.Int(n))
				continue
			}
			parts = append(parts, value.Str(part))
		}
		return parts
	default:
		return []value.Value{a}
	}
}

// attrGetter follows the attribute path; def, when not nil, stands for a part that is missing.
func attrGetter(env *Environment, attr, def value.Value) getter {
	parts := attributePath(attr)
	if def == value.Value(value.None) {
		def = nil
	}
	return func(v value.Value) (value.Value, error) {
		for _, part := range parts {
			var err error
			if v, err = env.Getitem(v, part); err != nil {
				return nil, err
			}
			if isUndefined(v) && def != nil {
				v = def
			}
		}
		return v, nil
	}
}

// keyGetter is attrGetter without default, made lower case unless caseSensitive.
func keyGetter(env *Environment, attr, def value.Value, caseSensitive bool) getter {
	get := attrGetter(env, attr, def)
	if caseSensitive {
		return get
	}
	return func(v value.Value) (value.Value, error) {
		v, err := get(v)
		if err != nil {
			return nil, err
		}
		return ignoreCase(v)
	}
}

func filterDictsort(_ *Call, p []value.Value) (value.Value, error) {
	sensitive, err := flag(p[1], false)
	if err != nil {
		return nil, err
	}
	by := 0
	if p[2] != nil {
		key, isKey := isText(p[2])
		switch {
		case isKey && key == "key":
		case isKey && key == "value":
			by = 1
		default:
			return nil, raise("FilterArgumentError", `You can only sort by either "key" or "value"`)
		}
	}
	reverse, err := flag(p[3], false)
	if err != nil {
		return nil, err
	}
	d, ok := p[0].(*value.Dict)
	if !ok {
		if err := used(p[0]); err != nil {
			return nil, err
		}
		return nil, raise("AttributeError", "'%s' object has no attribute 'items'", typeName(p[0]))
	}
	items := make([]value.Value, d.Len())
	for i := range items {
		e := d.At(i)
		items[i] = value.NewTuple(e.Key, e.Val)
	}
	key := func(v value.Value) (value.Value, error) {
		v = v.(*value.Tuple).Items[by]
		if sensitive {
			return v, nil
		}
		return ignoreCase(v)
	}
	if err := value.Sort(items, key, reverse); err != nil {
		return nil, err
	}
	return value.NewList(items...), nil
}

func filterSort(c *Call, p []value.Value) (value.Value, error) {
	items, err := list(p[0])
	if err != nil {
		return nil, err
	}
	reverse, err := flag(p[1], false)
	if err != nil {
		return nil, err
	}
	sensitive, err := flag(p[2], false)
	if err != nil {
		return nil, err
	}
	get := sortKey(c.Env, p[3], sensitive)
	key := func(v value.Value) (value.Value, error) {
		k, err := get(v)
		if err != nil {
			return nil, err
		}
		several := value.NewList(k)
		if isSeveral(p[3]) {
			several = k.(*value.List)
		}
		for i, part := range several.Items {
			if !isUndefined(part) {
				continue
			}
			if err := strict(part); err != nil && len(items) > 1 {
				return nil, err
			}
			several.Items[i] = value.None
		}
		// Jinja compares lists of keys, where equal keys need no order.
		return several, nil
	}
	if scalar, err := scalarKeys(items, get); err != nil {
		return nil, err
	} else if scalar {
		key = get
	}
	if err := value.Sort(items, key, reverse); err != nil {
		return nil, err
	}
	return value.NewList(items...), nil
}

// scalarKeys says whether all keys are text or numbers, which have an order whatever they are compared as.
func scalarKeys(items []value.Value, get getter) (bool, error) {
	for _, it := range items {
		k, err := get(it)
		if err != nil {
			return false, err
		}
		switch k.(type) {
		case value.Str, value.Int, value.Float, value.Bool:
		default:
			return false, nil
		}
	}
	return true, nil
}

// isSeveral says whether sort's attribute names several ones, with commas between them.
func isSeveral(attr value.Value) bool {
	text, ok := isText(attr)
	return ok && strings.Contains(text, ",")
}

// sortKey is the key of the filter sort: the attribute, or the list of several.
func sortKey(env *Environment, attr value.Value, sensitive bool) getter {
	if !isSeveral(attr) {
		return keyGetter(env, attr, nil, sensitive)
	}
	text, _ := isText(attr)
	var gets []getter
	for _, part := range strings.Split(text, ",") {
		gets = append(gets, keyGetter(env, value.Str(part), nil, sensitive))
	}
	return func(v value.Value) (value.Value, error) {
		keys := make([]value.Value, len(gets))
		for i, get := range gets {
			k, err := get(v)
			if err != nil {
				return nil, err
			}
			keys[i] = k
		}
		return value.NewList(keys...), nil
	}
}

// filterUnique leaves out what has been before. Without options the answer is Salt's: a list from a list, a set from
// what cannot change, so that it can be printed, counted and gone through twice. With options it is Jinja's generator.
// Salt differs: its own unique, min and max take no options.
func filterUnique(c *Call, p []value.Value) (value.Value, error) {
	sensitive, err := flag(p[1], c.Env.cfg.CaseSensitive)
	if err != nil {
		return nil, err
	}
	get := keyGetter(c.Env, p[2], nil, sensitive)
	it := later(p[0])
	seen := value.NewDict(8)
	g := NewGenerator("sync_do_unique", func() (value.Value, bool, error) {
		for {
			v, ok, err := it.next()
			if err != nil || !ok {
				return nil, false, err
			}
			key, err := get(v)
			if err == nil {
				err = strict(key)
			}
			if err != nil {
				return nil, false, err
			}
			before := seen.Len()
			if err := seen.Set(Plain(key), value.None); err != nil {
				return nil, false, err
			}
			if seen.Len() > before {
				return v, true, nil
			}
		}
	})
	if p[1] == nil && p[2] == nil {
		return uniqueOf(p[0], g)
	}
	return g, nil
}

// uniqueOf makes Salt's answer of what the generator gives: of the kind that v, which it walks, asks for.
func uniqueOf(v value.Value, g *Generator) (value.Value, error) {
	out, err := drain(g)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case *value.List, *value.Dict, *value.Set:
		return value.NewList(out...), nil
	}
	return value.NewSet(out...)
}

// minOrMax keeps the first of the items whose key is op than all others'.
func minOrMax(op compareKind) func(c *Call, p []value.Value) (value.Value, error) {
	return func(c *Call, p []value.Value) (value.Value, error) {
		items, err := list(p[0])
		if err != nil {
			return nil, err
		}
		if len(items) == 0 {
			return c.Env.undefinedHint("", "No aggregated item, sequence was empty."), nil
		}
		sensitive, err := flag(p[1], c.Env.cfg.CaseSensitive)
		if err != nil {
			return nil, err
		}
		get := keyGetter(c.Env, p[2], nil, sensitive)
		var best, bestKey value.Value
		for _, it := range items {
			key, err := get(it)
			if err != nil {
				return nil, err
			}
			better := bestKey == nil
			if !better {
				if better, err = compare(op, key, bestKey); err != nil {
					return nil, err
				}
			}
			if better {
				best, bestKey = it, key
			}
		}
		return best, nil
	}
}

// A groupTuple is what groupby gives: a tuple with names for its parts.
type groupTuple struct{ key, items value.Value }

// TypeName is Python's name of the type.
func (*groupTuple) TypeName() string { return "_GroupTuple" }

// AsTuple is the tuple without the names.
func (g *groupTuple) AsTuple() *value.Tuple { return value.NewTuple(g.key, g.items) }

// PyStr is how it prints: as a tuple.
func (g *groupTuple) PyStr() string { return value.Repr(g.AsTuple()) }

// Attr is grouper or list.
func (g *groupTuple) Attr(name string) (value.Value, bool) {
	switch name {
	case "grouper":
		return g.key, true
	case "list":
		return g.items, true
	}
	m, ok := value.Method(g.AsTuple(), name)
	return m, ok
}

// Item is one of the two parts.
func (g *groupTuple) Item(key value.Value) (value.Value, bool) {
	v, err := value.GetItem(g.AsTuple(), key)
	return v, err == nil
}

// Iterate walks the two parts.
func (g *groupTuple) Iterate(yield func(value.Value) bool) {
	if yield(g.key) {
		yield(g.items)
	}
}

// Len is 2.
func (*groupTuple) Len() int { return 2 }

func filterGroupby(c *Call, p []value.Value) (value.Value, error) {
	items, err := list(p[0])
	if err != nil {
		return nil, err
	}
	sensitive, err := flag(p[3], false)
	if err != nil {
		return nil, err
	}
	key := keyGetter(c.Env, p[1], p[2], sensitive)
	if err := value.Sort(items, key, false); err != nil {
		return nil, err
	}
	real := attrGetter(c.Env, p[1], p[2])
	out := value.NewList()
	var last value.Value
	var group *value.List
	for _, it := range items {
		k, err := key(it)
		if err != nil {
			return nil, err
		}
		same := group != nil
		if same {
			if same, err = equal(k, last); err != nil {
				return nil, err
			}
		}
		if !same {
			name, err := real(it)
			if err != nil {
				return nil, err
			}
			group, last = value.NewList(), k
			out.Items = append(out.Items, &groupTuple{name, group})
		}
		group.Items = append(group.Items, it)
	}
	return out, nil
}
