package render

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/pyrandom"
	"github.com/gostate/gostate/state/value"
)

func listFilters() []filter {
	return []filter{
		simple("sequence", func(v value.Value) (value.Value, error) {
			switch v.(type) {
			case *value.List, *value.Tuple, *value.Set, *value.Dict:
				return v, nil
			}
			return value.NewList(v), nil
		}),
		simple("is_list", func(v value.Value) (value.Value, error) { _, ok := v.(*value.List); return value.Bool(ok), nil }),
		with("is_iter", "ignore=", func(v value.Value, a []value.Value) (value.Value, error) {
			_, text := v.(value.Str)
			return value.Bool((!text || a[0] != nil && !truth(a[0])) && value.CanIterate(v)), nil
		}),
		simple("is_sorted", isSorted),
		with("exactly_n_true", "amount", func(v value.Value, a []value.Value) (value.Value,
			error) {
			return exactly(v, a[0])
		}),
		simple("exactly_one_true", func(v value.Value) (value.Value, error) { return exactly(v, value.Int(1)) }),
		simple("avg", avg),
		with("union", "other", func(v value.Value, a []value.Value) (value.Value, error) {
			return joined(v, a[0], func(inA, inB bool) bool { return true })
		}),
		with("intersect", "other", func(v value.Value, a []value.Value) (value.Value, error) {
			return chosen(v, a[0], true)
		}),
		with("difference", "other", func(v value.Value, a []value.Value) (value.Value, error) {
			return chosen(v, a[0], false)
		}),
		with("symmetric_difference", "other", func(v value.Value, a []value.Value) (value.Value, error) {
			return joined(v, a[0], func(inA, inB bool) bool { return inA != inB })
		}),
		with("flatten", "levels= preserve_nulls= _ids=", func(v value.Value, a []value.Value) (value.Value, error) {
			levels := -1
			if n, ok := a[0].(value.Int); ok {
				levels = int(n)
			}
			out := value.NewList()
			return out, flatten(out, v, levels, truth(a[1]), &nesting{})
		}),
		with("sorted_ignorecase", "", sortedIgnoreCase),
		with("compare_lists", "new", compareLists),
		{name: "method_call", params: []string{"f_name"}, required: 1, keywords: []string{"**"}, rest: true, kwRest: true,
			fn: methodCall},
		{name: "zip", rest: true, fn: zip},
		{name: "zip_longest", keywords: []string{"fillvalue"}, rest: true, fn: zipLongest},
		with("combinations", "r", func(v value.Value, a []value.Value) (value.Value,
			error) {
			return choose(v, a[0], combos)
		}),
		with("combinations_with_replacement", "r", func(v value.Value, a []value.Value) (value.Value, error) {
			return choose(v, a[0], combosWithRepeats)
		}),
		with("permutations", "r=", func(v value.Value, a []value.Value) (value.Value,
			error) {
			return choose(v, a[0], perms)
		}),
		{name: "product", keywords: []string{"repeat"}, rest: true, fn: product},
		{name: "ifelse", keywords: []string{"minion_id", "tgt_type"}, rest: true, fn: ifelse},
		with("compress", "selectors", compress),
		with("random_sample", "size seed=", func(v value.Value, a []value.Value) (value.Value,
			error) {
			return sample(v, a[0], a[1])
		}),
		with("random_shuffle", "seed=", func(v value.Value, a []value.Value) (value.Value,
			error) {
			return sample(v, nil, a[0])
		}),
	}
}

func isSorted(v value.Value) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(items); i++ {
		less, err := value.Less(items[i], items[i-1])
		if err != nil || less {
			return value.Bool(false), err
		}
	}
	return value.Bool(true), nil
}

func exactly(v, n value.Value) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	count := 0
	for _, it := range items {
		if value.Truth(it) {
			count++
		}
	}
	want, err := amount(n)
	return value.Bool(count == max(0, want)), err
}

// amount is a whole number; Python counts true and false as such.
func amount(n value.Value) (int, error) {
	switch n := n.(type) {
	case value.Int:
		return int(n), nil
	case value.Bool:
		if n {
			return 1, nil
		}
		return 0, nil
	}
	return 0, value.Raise("TypeError", "'%s' object cannot be interpreted as an integer", n.TypeName())
}

func avg(v value.Value) (value.Value, error) {
	if value.Hashable(v) {
		return value.ToFloat(v)
	}
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, value.Raise("ZeroDivisionError", "avg() of an empty list")
	}
	var sum value.Value = value.Int(0)
	for _, it := range items {
		if sum, err = value.Add(sum, it); err != nil {
			return nil, err
		}
	}
	if sum, err = value.TrueDiv(sum, value.Int(len(items))); err != nil {
		return nil, err
	}
	return value.ToFloat(sum)
}

// joined is setFilter of what Salt adds up first, unless both can be in a set: a list and text cannot be added.
func joined(a, b value.Value, keep func(inA, inB bool) bool) (value.Value, error) {
	if !value.Hashable(a) || !value.Hashable(b) {
		if _, err := value.Add(a, b); err != nil {
			return nil, err
		}
	}
	return setFilter(a, b, keep)
}

// chosen gives the items of a, each once, that are in b, or those that are not.
func chosen(a, b value.Value, in bool) (value.Value, error) {
	if _, isText := b.(value.Str); !isText || value.Hashable(a) {
		return setFilter(a, b, func(inA, inB bool) bool { return inA && inB == in })
	}
	items, err := value.ToList(a) // a list and text: the text's parts are in it, 'ab' in 'abc'
	if err != nil {
		return nil, err
	}
	has, err := membership(b)
	if err != nil {
		return nil, err
	}
	out, seen := value.NewList(), newItemSet(nil)
	for _, it := range items {
		there, err := has(it)
		if err != nil {
			return nil, err
		}
		if there == in && !seen.has(it) {
			seen.add(it)
			out.Items = append(out.Items, it)
		}
	}
	return out, nil
}

// setFilter gives the items of both, each once in order of sight, for which keep holds.
func setFilter(a, b value.Value, keep func(inA, inB bool) bool) (value.Value, error) {
	left, err := value.ToList(a)
	if err != nil {
		return nil, err
	}
	right, err := value.ToList(b)
	if err != nil {
		return nil, err
	}
	inLeft, inRight := newItemSet(left), newItemSet(right)
	out, seen := value.NewList(), newItemSet(nil)
	for _, it := range slices.Concat(left, right) {
		if keep(inLeft.has(it), inRight.has(it)) && !seen.has(it) {
			seen.add(it)
			out.Items = append(out.Items, it)
		}
	}
	if value.Hashable(a) && value.Hashable(b) {
		return value.NewSet(out.Items...) // as Salt does for tuples and text
	}
	return out, nil
}

// An itemSet holds any values: those that can be keys in a dict, the others in a list.
type itemSet struct {
	keys *value.Dict
	rest []value.Value
}

func newItemSet(items []value.Value) *itemSet {
	s := &itemSet{keys: value.NewDict(len(items))}
	for _, it := range items {
		s.add(it)
	}
	return s
}

func (s *itemSet) add(v value.Value) {
	if s.keys.Set(v, value.None) != nil {
		s.rest = append(s.rest, v)
	}
}

func (s *itemSet) has(v value.Value) bool {
	if _, ok := s.keys.Get(v); ok {
		return true
	}
	return slices.ContainsFunc(s.rest, func(x value.Value) bool { return value.Equal(x, v) })
}

// maxDeep bounds lists within each other.
const maxDeep = 500

func flatten(out *value.List, v value.Value, levels int, nulls bool, at *nesting) error {
	items, err := value.ToList(v)
	if err != nil {
		return err
	}
	if err := at.enter(v); err != nil {
		return err
	}
	defer at.leave()
	for _, it := range items {
		_, isList := it.(*value.List)
		none := isNone(it) || value.Equal(it, value.Str("None")) || value.Equal(it, value.Str("null"))
		switch {
		case none && !nulls:
		case isList && levels != 0:
			if err := flatten(out, it, levels-1, nulls, at); err != nil {
				return err
			}
		default:
			out.Items = append(out.Items, it)
		}
	}
	return nil
}

func sortedIgnoreCase(v value.Value, _ []value.Value) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	err = value.Sort(items, func(v value.Value) (value.Value, error) {
		s, err := textOf("sorted_ignorecase", v)
		return value.Str(strings.ToLower(s)), err
	}, false)
	return value.NewList(items...), err
}

func compareLists(old value.Value, a []value.Value) (value.Value, error) {
	left, err := value.ToList(old)
	if err != nil {
		return nil, err
	}
	right, err := value.ToList(a[0])
	if err != nil {
		return nil, err
	}
	added, err := without(right, old)
	if err != nil {
		return nil, err
	}
	gone, err := without(left, a[0])
	if err != nil {
		return nil, err
	}
	out := value.NewDict(2)
	if len(added) > 0 {
		out.SetStr("new", value.NewList(added...))
	}
	if len(gone) > 0 {
		out.SetStr("old", value.NewList(gone...))
	}
	return out, nil
}

// without leaves out what is in the other value; of a text that is all its parts, and what is no text is an error.
func without(items []value.Value, other value.Value) ([]value.Value, error) {
	in, err := membership(other)
	if err != nil {
		return nil, err
	}
	var out []value.Value
	for _, it := range items {
		there, err := in(it)
		if err != nil {
			return nil, err
		}
		if !there {
			out = append(out, it)
		}
	}
	return out, nil
}

// membership is Python's `item in v` for many items.
func membership(v value.Value) (func(item value.Value) (bool, error), error) {
	switch v.(type) {
	case value.Str, value.Bytes:
		return func(item value.Value) (bool, error) { return value.Contains(v, item) }, nil
	}
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	set := newItemSet(items)
	return func(item value.Value) (bool, error) { return set.has(item), nil }, nil
}

func methodCall(ctx context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	name, err := textOf("method_call", a[0])
	if err != nil {
		return nil, err
	}
	kw, ok := a[1].(*value.Dict)
	if !ok {
		kw = value.NewDict(0)
	}
	out, ok, err := value.CallMethod(ctx, v, name, a[2:], kw)
	if !ok && err == nil {
		return value.None, nil
	}
	return out, err
}

// columns gives the items of the value and of all further arguments.
func columns(v value.Value, a []value.Value) ([][]value.Value, error) {
	var out [][]value.Value
	for _, x := range append([]value.Value{v}, a...) {
		items, err := value.ToList(x)
		if err != nil {
			return nil, err
		}
		out = append(out, items)
	}
	return out, nil
}

func zip(_ context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	cols, err := columns(v, a)
	if err != nil {
		return nil, err
	}
	n := len(cols[0])
	for _, c := range cols {
		n = min(n, len(c))
	}
	return rows(cols, n, nil), nil
}

func zipLongest(_ context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	cols, err := columns(v, a[1:])
	if err != nil {
		return nil, err
	}
	fill := a[0]
	if fill == nil {
		fill = value.None
	}
	n := 0
	for _, c := range cols {
		n = max(n, len(c))
	}
	return rows(cols, n, fill), nil
}

func rows(cols [][]value.Value, n int, fill value.Value) *value.List {
	out := value.NewList()
	for i := range n {
		row := value.NewTuple()
		for _, c := range cols {
			if i < len(c) {
				row.Items = append(row.Items, c[i])
			} else {
				row.Items = append(row.Items, fill)
			}
		}
		out.Items = append(out.Items, row)
	}
	return out
}

func compress(v value.Value, a []value.Value) (value.Value, error) {
	cols, err := columns(v, a[:1])
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for i := range min(len(cols[0]), len(cols[1])) {
		if value.Truth(cols[1][i]) {
			out.Items = append(out.Items, cols[0][i])
		}
	}
	return out, nil
}

// sample picks size items, all of them shuffled when size is nil; a seed makes the choice the same each time.
func sample(v, size, seed value.Value) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	n := len(items)
	if size != nil {
		k, ok := size.(value.Int)
		if !ok {
			k = -1
		}
		n = int(k)
	}
	items, err = pyrandom.Pick(items, n, seed)
	return value.NewList(items...), err
}
