package yaml

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// sortEntries sorts by key where Python can: keys that are all text, all bytes, all numbers or all tuples of such.
func sortEntries(entries []value.Entry) {
	for _, e := range entries {
		if _, ok := compare(entries[0].Key, e.Key); !ok {
			return
		}
	}
	slices.SortStableFunc(entries, func(a, b value.Entry) int {
		c, _ := compare(a.Key, b.Key)
		return c
	})
}

// compare is Python's order of two keys; ok is false where it raises a TypeError.
func compare(a, b value.Value) (order int, ok bool) {
	switch x := a.(type) {
	case value.Str:
		y, ok := b.(value.Str)
		return strings.Compare(string(x), string(y)), ok
	case value.Bytes:
		y, ok := b.(value.Bytes)
		return strings.Compare(string(x), string(y)), ok
	case *value.Tuple:
		y, ok := b.(*value.Tuple)
		if !ok {
			return 0, false
		}
		return compareTuples(x.Items, y.Items)
	}
	x, xok := number(a)
	y, yok := number(b)
	return cmp.Compare(x, y), xok && yok
}

func compareTuples(a, b []value.Value) (int, bool) {
	for i := range min(len(a), len(b)) {
		if c, ok := compare(a[i], b[i]); !ok || c != 0 {
			return c, ok
		}
	}
	return cmp.Compare(len(a), len(b)), true
}

func number(v value.Value) (float64, bool) {
	switch v := v.(type) {
	case value.Int:
		return float64(v), true
	case value.Float:
		return float64(v), true
	case value.Bool:
		if v {
			return 1, true
		}
		return 0, true
	case value.BigInt:
		f, _ := v.Big().Float64()
		return f, true
	}
	return 0, false
}
