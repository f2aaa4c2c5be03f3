package jinja

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// filterLen is len(v) with the words of the filter.
func filterLen(v value.Value) (int, error) { return length(v) }

func filterLength(_ *Call, p []value.Value) (value.Value, error) {
	n, err := length(p[0])
	return value.Int(n), err
}

func filterList(_ *Call, p []value.Value) (value.Value, error) {
	items, err := list(p[0])
	if err != nil {
		return nil, err
	}
	return value.NewList(items...), nil
}

func filterFirst(c *Call, p []value.Value) (value.Value, error) {
	it, err := iterate(p[0])
	if err != nil {
		return nil, err
	}
	v, ok, err := it.next()
	if err != nil || ok {
		return v, err
	}
	return c.Env.undefinedHint("", "No first item, sequence was empty."), nil
}

func filterLast(c *Call, p []value.Value) (value.Value, error) {
	items, err := reversible(p[0])
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return c.Env.undefinedHint("", "No last item, sequence was empty."), nil
	}
	if s, ok := items[len(items)-1].(value.Str); ok && isMarkup(p[0]) {
		return Markup(s), nil // reversed() takes the characters one by one, each of them safe
	}
	return items[len(items)-1], nil
}

// reversible is what Python's reversed() can walk, in order.
func reversible(v value.Value) ([]value.Value, error) {
	switch v.(type) {
	case *value.List, *value.Tuple, value.Str, Markup, value.Bytes, *value.Range, *value.Dict, *value.KeysView,
		*value.ValuesView,
		*value.ItemsView, *groupTuple:
		return list(v)
	case *value.Undefined:
		return nil, strict(v)
	}
	return nil, raise("TypeError", "'%s' object is not reversible", typeName(v))
}

func filterRandom(c *Call, p []value.Value) (value.Value, error) {
	n, err := length(p[0])
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return c.Env.undefinedHint("", "No random item, sequence was empty."), nil
	}
	return value.GetItem(Plain(p[0]), value.Int(rand.IntN(n)))
}

func filterReverse(_ *Call, p []value.Value) (value.Value, error) {
	if s, ok := isText(p[0]); ok {
		rs := []rune(s)
		for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
			rs[i], rs[j] = rs[j], rs[i]
		}
		return like(p[0], string(rs)), nil
	}
	items, err := reversible(p[0])
	lazy := err == nil
	if !lazy {
		if items, err = list(p[0]); err != nil {
			if isClass(err, "TypeError") {
				err = raise("FilterArgumentError", "argument must be iterable")
			}
			return nil, err
		}
	}
	out := make([]value.Value, len(items))
	for i, it := range items {
		out[len(items)-1-i] = it
	}
	if !lazy {
		return value.NewList(out...), nil
	}
	return NewGenerator("reversed", (&sliceIter{items: out}).next), nil
}

func filterItems(_ *Call, p []value.Value) (value.Value, error) {
	if _, ok := p[0].(*value.Undefined); ok {
		return NewGenerator("do_items", (&sliceIter{}).next), nil
	}
	d, ok := p[0].(*value.Dict)
	if ok {
		return NewGenerator("do_items", (&dictIter{dict: d, n: d.Len(), kind: 'i'}).next), nil
	}
	return NewGenerator("do_items", func() (value.Value, bool, error) {
		return nil, false, raise("TypeError", "Can only get item pairs from a mapping.")
	}), nil
}

func filterJoin(c *Call, p []value.Value) (value.Value, error) {
	var get getter
	if p[2] != nil && p[2] != value.Value(value.None) {
		get = attrGetter(c.Env, p[2], nil)
	}
	it, err := iterate(p[0])
	if err != nil {
		return nil, err
	}
	var items []value.Value
	safe := false
	for {
		v, ok, err := it.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if get != nil {
			if v, err = get(v); err != nil {
				return nil, err
			}
		}
		_, isSafe := v.(Markup)
		safe = safe || isSafe
		items = append(items, v)
	}
	sep := p[1]
	if sep == nil {
		sep = value.Str("")
	}
	_, sepSafe := sep.(Markup)
	return joinItems(items, sep, c.autoescape() && (safe || sepSafe))
}

func joinItems(items []value.Value, sep value.Value, safe bool) (value.Value, error) {
	text := func(v value.Value) (string, error) {
		if safe {
			m, err := escape(v)
			return string(m), err
		}
		return str(v)
	}
	d, err := text(sep)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i, v := range items {
		if i > 0 {
			b.WriteString(d)
		}
		s, err := text(v)
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
		if b.Len() > value.MaxText {
			return nil, raise("MemoryError", "the joined text is too long")
		}
	}
	if safe {
		return Markup(b.String()), nil
	}
	return value.Str(b.String()), nil
}

func filterBatch(_ *Call, p []value.Value) (value.Value, error) {
	n, fill := p[1], p[2]
	it := later(p[0])
	var held value.Value
	return NewGenerator("do_batch", func() (value.Value, bool, error) {
		var tmp []value.Value
		if held != nil {
			tmp, held = append(tmp, held), nil
		}
		for {
			v, ok, err := it.next()
			if err != nil {
				return nil, false, err
			}
			if !ok {
				break
			}
			full, err := equal(value.Int(len(tmp)), n)
			if err != nil {
				return nil, false, err
			}
			if full {
				held = v
				return value.NewList(tmp...), true, nil
			}
			tmp = append(tmp, v)
		}
		if len(tmp) == 0 {
			return nil, false, nil
		}
		if count, ok := n.(value.Int); ok && fill != nil && fill != value.Value(value.None) && count < value.MaxText>>4 {
			for len(tmp) < int(count) {
				tmp = append(tmp, fill)
			}
		}
		return value.NewList(tmp...), true, nil
	}), nil
}

// later is the iterator of v, made when the first item is wanted.
func later(v value.Value) iterator {
	var it iterator
	return NewGenerator("", func() (value.Value, bool, error) {
		if it == nil {
			var err error
			if it, err = iterate(v); err != nil {
				return nil, false, err
			}
		}
		return it.next()
	})
}

// maxSlices bounds the lists that slice gives: each costs memory, empty or not.
const maxSlices = 1_000_000

func filterSlice(_ *Call, p []value.Value) (value.Value, error) {
	p = slices.Clone(p)
	var seq []value.Value
	number, offset, per, extra, count := -1, 0, 0, 0, 0
	return NewGenerator("sync_do_slice", func() (value.Value, bool, error) {
		if number < 0 {
			var err error
			if seq, err = list(p[0]); err != nil {
				return nil, false, err
			}
			if count, err = whole(p[1], 0); err != nil {
				return nil, false, err
			}
			if count == 0 {
				return nil, false, raise("ZeroDivisionError", "integer division or modulo by zero")
			}
			if count > maxSlices {
				return nil, false, raise("MemoryError", "more than %d slices", maxSlices)
			}
			if count > 0 {
				per, extra = len(seq)/count, len(seq)%count
			}
			number = 0
		}
		if number >= count {
			return nil, false, nil
		}
		start := offset + number*per
		if number < extra {
			offset++
		}
		end := offset + (number+1)*per
		tmp := append([]value.Value(nil), seq[start:end]...)
		if p[2] != nil && p[2] != value.Value(value.None) && number >= extra {
			tmp = append(tmp, p[2])
		}
		number++
		return value.NewList(tmp...), true, nil
	}), nil
}

func filterSum(c *Call, p []value.Value) (value.Value, error) {
	it, err := iterate(p[0])
	if err != nil {
		return nil, err
	}
	var get getter
	if p[1] != nil && p[1] != value.Value(value.None) {
		get = attrGetter(c.Env, p[1], nil)
	}
	total := p[2]
	if total == nil {
		total = value.Int(0)
	}
	if _, ok := isText(total); ok {
		return nil, raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
	}
	for {
		v, ok, err := it.next()
		if err != nil || !ok {
			return total, err
		}
		if get != nil {
			if v, err = get(v); err != nil {
				return nil, err
			}
		}
		if total, err = binary(Add, total, v); err != nil {
			return nil, err
		}
	}
}
