package value

import "slices"

// Compare is Python's a OP b for the operators ==, !=, <, <=, > and >=. The error is the TypeError for values that have
// no order, or the UndefinedError.
func Compare(op string, a, b Value) (bool, error) {
	switch op {
	case "==":
		return Equal(a, b), nil
	case "!=":
		return !Equal(a, b), nil
	}
	return ordered(op, a, b, 0)
}

// Less is Python's a < b.
func Less(a, b Value) (bool, error) {
	switch x := a.(type) {
	case Int:
		if y, ok := b.(Int); ok {
			return x < y, nil
		}
	case Str:
		if y, ok := b.(Str); ok {
			return x < y, nil
		}
	}
	return ordered("<", a, b, 0)
}

func ordered(op string, a, b Value, depth int) (bool, error) {
	if depth > maxDepth {
		return false, Raise("RecursionError", "maximum recursion depth exceeded in comparison")
	}
	if c, ok := numCompare(a, b); ok {
		return c != 2 && holds(op, c), nil
	}
	switch x := a.(type) {
	case Str:
		if y, ok := b.(Str); ok {
			return holds(op, compareOrdered(string(x), string(y))), nil
		}
	case Bytes:
		if y, ok := b.(Bytes); ok {
			return holds(op, compareOrdered(string(x), string(y))), nil
		}
	case *List:
		if y, ok := b.(*List); ok {
			return orderedItems(op, x.Items, y.Items, depth)
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			return orderedItems(op, x.Items, y.Items, depth)
		}
	}
	if s, ok := asSet(a); ok {
		if t, ok := asSet(b); ok {
			return orderedSets(op, s, t), nil
		}
	}
	if err := undefinedAmong(a, b); err != nil {
		return false, err
	}
	return false, Raise("TypeError", "'%s' not supported between instances of '%s' and '%s'", op, typeName(a), typeName(b))
}

func holds(op string, c int) bool {
	switch op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// orderedItems goes by the first pair that differs, and by the length when none does.
func orderedItems(op string, a, b []Value, depth int) (bool, error) {
	var e equality
	for i := 0; i < len(a) && i < len(b); i++ {
		if !e.within(a[i], b[i]) {
			return ordered(op, a[i], b[i], depth+1)
		}
	}
	return holds(op, compareOrdered(len(a), len(b))), nil
}

func orderedSets(op string, a, b *Set) bool {
	switch op {
	case "<":
		return a.Len() < b.Len() && a.within(b)
	case "<=":
		return a.within(b)
	case ">":
		return b.Len() < a.Len() && b.within(a)
	}
	return b.within(a)
}

// Sort sorts the items in place as Python's list.sort: stable, by key if that is not nil, equal ones in their order
// even in reverse. The items are as before when a comparison fails.
func Sort(items []Value, key func(Value) (Value, error), reverse bool) error {
	type keyed struct{ key, item Value }
	work := make([]keyed, len(items))
	for i, it := range items {
		work[i] = keyed{it, it}
		if key != nil {
			k, err := key(it)
			if err != nil {
				return err
			}
			work[i].key = k
		}
	}
	var failed error
	slices.SortStableFunc(work, func(a, b keyed) int {
		if failed != nil {
			return 0
		}
		if reverse {
			a, b = b, a
		}
		var c int
		c, failed = threeWay(a.key, b.key)
		return c
	})
	if failed != nil {
		return failed
	}
	for i := range work {
		items[i] = work[i].item
	}
	return nil
}

// threeWay is -1, 0 or 1 by Python's < alone.
func threeWay(a, b Value) (int, error) {
	if x, ok := a.(Str); ok {
		if y, ok := b.(Str); ok {
			return compareOrdered(string(x), string(y)), nil
		}
	}
	if less, err := Less(a, b); less || err != nil {
		return -1, err
	}
	if more, err := Less(b, a); more || err != nil {
		return 1, err
	}
	return 0, nil
}
