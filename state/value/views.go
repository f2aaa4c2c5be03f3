package value

import (
	"math"
	"strconv"
)

// A KeysView is dict.keys(): it shows the dict as it is when looked at.
type KeysView struct{ Dict *Dict }

// A ValuesView is dict.values().
type ValuesView struct{ Dict *Dict }

// An ItemsView is dict.items().
type ItemsView struct{ Dict *Dict }

func (*KeysView) TypeName() string   { return "dict_keys" }
func (*ValuesView) TypeName() string { return "dict_values" }
func (*ItemsView) TypeName() string  { return "dict_items" }

// Len is the number of entries of the dict.
func (v *KeysView) Len() int { return v.Dict.Len() }

// Len is the number of entries of the dict.
func (v *ValuesView) Len() int { return v.Dict.Len() }

// Len is the number of entries of the dict.
func (v *ItemsView) Len() int { return v.Dict.Len() }

// Iterate walks the keys.
func (v *KeysView) Iterate(yield func(Value) bool) {
	for i := 0; i < v.Dict.Len(); i++ {
		if !yield(v.Dict.PeekAt(i).Key) {
			return
		}
	}
}

// Iterate walks the values.
func (v *ValuesView) Iterate(yield func(Value) bool) {
	for _, val := range v.Dict.All() {
		if !yield(val) {
			return
		}
	}
}

// Iterate walks the entries as tuples of key and value.
func (v *ItemsView) Iterate(yield func(Value) bool) {
	for k, val := range v.Dict.All() {
		if !yield(NewTuple(k, val)) {
			return
		}
	}
}

func (v *KeysView) items() []Value {
	out := make([]Value, v.Dict.Len())
	for i := range v.Dict.entries {
		out[i] = v.Dict.entries[i].Key
	}
	return out
}

func (v *ValuesView) items() []Value {
	out := make([]Value, v.Dict.Len())
	for i := range v.Dict.entries {
		out[i] = Opened(v.Dict.entries[i].Val)
	}
	return out
}

func (v *ItemsView) items() []Value { return v.Dict.pairs() }

// pairs are the entries as tuples, in three allocations.
func (d *Dict) pairs() []Value {
	n := d.Len()
	out, tuples, cells := make([]Value, n), make([]Tuple, n), make([]Value, 2*n)
	for i := range d.entries {
		pair := cells[2*i : 2*i+2 : 2*i+2]
		pair[0], pair[1] = d.entries[i].Key, Opened(d.entries[i].Val)
		tuples[i].Items = pair
		out[i] = &tuples[i]
	}
	return out
}

// asSet sees sets and the views that work as sets as a Set.
func asSet(v Value) (*Set, bool) {
	switch v := v.(type) {
	case *Set:
		return v, true
	case *KeysView:
		s, err := NewSet(v.items()...)
		return s, err == nil
	case *ItemsView:
		s, err := NewSet(v.items()...)
		return s, err == nil
	}
	return nil, false
}

// isView says whether v is a view that works as a set. Its operators take any iterable beside it.
func isView(v Value) bool {
	switch v.(type) {
	case *KeysView, *ItemsView:
		return true
	}
	return false
}

// setOf is set(v).
func setOf(v Value) (*Set, error) {
	items, err := ToList(v)
	if err != nil {
		return nil, err
	}
	return NewSet(items...)
}

// A Range is Python's range object. Step is never 0; make it with NewRange.
type Range struct{ Start, Stop, Step int64 }

// NewRange is range(start, stop, step).
func NewRange(start, stop, step int64) (*Range, error) {
	if step == 0 {
		return nil, Raise("ValueError", "range() arg 3 must not be zero")
	}
	return &Range{Start: start, Stop: stop, Step: step}, nil
}

func (*Range) TypeName() string { return "range" }

// Len is the number of integers in the range.
func (r *Range) Len() int {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		return int(min((uint64(r.Stop)-uint64(r.Start)-1)/uint64(r.Step), math.MaxInt-1)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int(min((uint64(r.Start)-uint64(r.Stop)-1)/uint64(-r.Step), math.MaxInt-1)) + 1
	}
	return 0
}

// Truth says whether the range has integers.
func (r *Range) Truth() bool { return r.Len() > 0 }

// Iterate walks the integers.
func (r *Range) Iterate(yield func(Value) bool) {
	for i, n := int64(0), int64(r.Len()); i < n; i++ {
		if !yield(Int(r.Start + i*r.Step)) {
			return
		}
	}
}

func (r *Range) at(i int) Value { return Int(r.Start + int64(i)*r.Step) }

func (r *Range) has(v Value) bool {
	n, ok := asNum(v)
	if !ok || n.kind == isBig {
		return false
	}
	i := n.i
	if n.kind == isFloat {
		i = int64(n.f)
		if float64(i) != n.f {
			return false
		}
	}
	if r.Step > 0 {
		return i >= r.Start && i < r.Stop && (i-r.Start)%r.Step == 0
	}
	return i <= r.Start && i > r.Stop && (r.Start-i)%-r.Step == 0
}

func (r *Range) equal(o *Range) bool {
	n := r.Len()
	return n == o.Len() && (n == 0 || r.Start == o.Start && (n == 1 || r.Step == o.Step))
}

func (r *Range) repr() string {
	s := "range(" + strconv.FormatInt(r.Start, 10) + ", " + strconv.FormatInt(r.Stop, 10)
	if r.Step != 1 {
		s += ", " + strconv.FormatInt(r.Step, 10)
	}
	return s + ")"
}
