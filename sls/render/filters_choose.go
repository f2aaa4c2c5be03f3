package render

import (
	"context"
	"slices"

	"github.com/gostate/gostate/state/value"
)

// maxChoices and maxCells bound what combinations and its like give: rows, and items in all rows.
const (
	maxChoices = 1_000_000
	maxCells   = 10_000_000
)

// choose gives tuples of r items by indexes that pick yields.
func choose(v, r value.Value, pick func(n, r int, yield func([]int) bool)) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	k := len(items)
	if !isNone(r) {
		n, ok := r.(value.Int)
		if !ok || n < 0 {
			return nil, value.Raise("ValueError", "r must be non-negative")
		}
		if n > maxChoices {
			return nil, tooManyChoices()
		}
		k = int(n)
	}
	out, cells := value.NewList(), 0
	pick(len(items), k, func(idx []int) bool {
		row := value.NewTuple()
		for _, i := range idx {
			row.Items = append(row.Items, items[i])
		}
		out.Items = append(out.Items, row)
		cells += len(idx)
		return len(out.Items) <= maxChoices && cells <= maxCells
	})
	if cells > maxCells || len(out.Items) > maxChoices {
		return nil, tooManyChoices()
	}
	return out, nil
}

func tooManyChoices() error { return value.Raise("MemoryError", "more than %d choices", maxChoices) }

// pickIndexes walks index tuples in lexicographic order; from says where position i may begin, ok whether an index is
// allowed.
func pickIndexes(n, r int, from func(idx []int) int, ok func(idx []int, i int) bool, yield func([]int) bool) {
	idx := make([]int, 0, r)
	var walk func() bool
	walk = func() bool {
		if len(idx) == r {
			return yield(idx)
		}
		for i := from(idx); i < n; i++ {
			if !ok(idx, i) {
				continue
			}
			idx = append(idx, i)
			more := walk()
			idx = idx[:len(idx)-1]
			if !more {
				return false
			}
		}
		return true
	}
	walk()
}

func anyIndex([]int, int) bool { return true }

func combos(n, r int, yield func([]int) bool) {
	if r > n {
		return
	}
	pickIndexes(n, r, func(idx []int) int {
		if len(idx) == 0 {
			return 0
		}
		return idx[len(idx)-1] + 1
	}, func(idx []int, i int) bool { return i <= n-(r-len(idx)) }, yield) // enough must be left for the other places
}

func combosWithRepeats(n, r int, yield func([]int) bool) {
	pickIndexes(n, r, func(idx []int) int {
		if len(idx) == 0 {
			return 0
		}
		return idx[len(idx)-1]
	}, anyIndex, yield)
}

func perms(n, r int, yield func([]int) bool) {
	if r > n {
		return
	}
	pickIndexes(n, r, func([]int) int { return 0 }, func(idx []int, i int) bool {
		for _, j := range idx {
			if i == j {
				return false
			}
		}
		return true
	}, yield)
}

func product(_ context.Context, _ *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	cols, err := columns(v, a[1:])
	if err != nil {
		return nil, err
	}
	if n, ok := a[0].(value.Int); ok && n >= 0 {
		if n > maxChoices {
			return nil, tooManyChoices()
		}
		cols = slices.Repeat(cols, int(n))
	}
	out := []value.Value{value.NewTuple()}
	for done, c := range cols {
		if done*len(out) > maxCells {
			return nil, tooManyChoices()
		}
		var next []value.Value
		for _, row := range out {
			for _, it := range c {
				items := append(append([]value.Value{}, row.(*value.Tuple).Items...), it)
				next = append(next, value.NewTuple(items...))
				if len(next) > maxChoices {
					return nil, tooManyChoices()
				}
			}
		}
		out = next
	}
	return value.NewList(out...), nil
}

// ifelse takes pairs of a compound target and a value, and gives the value of the first that means this machine, else
// the last argument.
func ifelse(ctx context.Context, r *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	if r.cfg.Exec == nil || !r.cfg.Exec.Has("match.compound") {
		return nil, value.Raise("TemplateRuntimeError", "ifelse needs the function match.compound, which is not there")
	}
	all := append([]value.Value{v}, a[2:]...)
	kw := value.NewDict(1)
	if a[0] != nil {
		kw.SetStr("minion_id", a[0])
	}
	for i := 0; i+1 < len(all); i += 2 {
		ok, err := r.cfg.Exec.Call(ctx, "match.compound", []value.Value{all[i]}, kw)
		if err != nil {
			return nil, err
		}
		if value.Truth(ok) {
			return all[i+1], nil
		}
	}
	if len(all)%2 == 1 {
		return all[len(all)-1], nil
	}
	return value.None, nil
}
