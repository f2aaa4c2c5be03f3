package value

import (
	"math"
	"math/big"
)

// maxDepth is how deep values may be nested where Python would raise a RecursionError.
const maxDepth = 1000

// Equal is Python's a == b: deep; 1, 1.0 and True are equal; a list equals no tuple; the order of a dict does not
// count.
// Values that contain themselves are equal when they unfold to the same. A NaN equals only itself within a container.
func Equal(a, b Value) bool {
	var e equality
	return e.equal(a, b)
}

// EqualItems is a == b where a strict undefined value within a or b, once it is compared, is an error, as in Python.
func EqualItems(a, b Value) (bool, error) {
	var e equality
	same := e.equal(a, b)
	if e.undefined != nil {
		return false, e.undefined.Err()
	}
	return same, nil
}

// equality is one comparison. Python ends in a RecursionError for values that hold themselves and takes exponential
// time for aliases of aliases; here pairs that are under comparison count as equal, which is sound, since one
// difference anywhere decides the whole.
type equality struct {
	steps int
	pairs map[[2]Value]struct{}
	// undefined is a strict undefined value that was compared with something else than itself.
	undefined *Undefined
}

// assume says whether the pair is known already, and remembers it. Small comparisons do without memory.
func (e *equality) assume(a, b Value) bool {
	e.steps++
	if e.steps < 1000 {
		return false
	}
	if e.pairs == nil {
		e.pairs = map[[2]Value]struct{}{}
	}
	p := [2]Value{a, b}
	if _, ok := e.pairs[p]; ok {
		return true
	}
	e.pairs[p] = struct{}{}
	return false
}

func (e *equality) equal(a, b Value) bool {
	switch x := a.(type) {
	case Str:
		if y, ok := b.(Str); ok {
			return x == y
		}
		y, ok := textOf(b)
		return ok && x == y
	case Int:
		if y, ok := b.(Int); ok {
			return x == y
		}
		return numEqual(a, b)
	case Bool, Float, BigInt:
		return numEqual(a, b)
	case Bytes:
		y, ok := b.(Bytes)
		return ok && x == y
	case nil, NoneType:
		return isNone(b)
	case *List:
		y, ok := b.(*List)
		return ok && (x == y || len(x.Items) == len(y.Items) && (e.assume(a, b) || e.items(x.Items, y.Items)))
	case *Tuple:
		y, ok := b.(*Tuple)
		return ok && (x == y || len(x.Items) == len(y.Items) && (e.assume(a, b) || e.items(x.Items, y.Items)))
	case *Dict:
		y, ok := b.(*Dict)
		return ok && (x == y || x.Len() == y.Len() && (e.assume(a, b) || e.dicts(x, y)))
	case *Undefined:
		_, ok := b.(*Undefined)
		return ok
	case Texter:
		return e.equal(x.PlainText(), b)
	case *Range:
		y, ok := b.(*Range)
		return ok && x.equal(y)
	}
	if s, ok := asSet(a); ok {
		t, ok := asSet(b)
		return ok && s.Len() == t.Len() && s.within(t)
	}
	return identical(a, b)
}

func (e *equality) items(a, b []Value) bool {
	for i := range a {
		if i >= len(b) || !e.within(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (e *equality) dicts(a, b *Dict) bool {
	for i := range a.made() {
		v, ok := b.Get(a.entries[i].Key)
		if !ok || !e.within(Opened(a.entries[i].Val), v) {
			return false
		}
	}
	return true
}

// within is equality of items of containers: identical ones are equal, NaN too.
func (e *equality) within(a, b Value) bool {
	for _, v := range [...]Value{a, b} {
		if u, ok := v.(*Undefined); ok && !u.Lenient && e.undefined == nil && !(v == a && a == b) {
			e.undefined = u
		}
	}
	if x, ok := a.(Float); ok && x != x {
		y, ok := b.(Float)
		return ok && y != y
	}
	return e.equal(a, b)
}

func isNone(v Value) bool {
	if v == nil {
		return true
	}
	_, ok := v.(NoneType)
	return ok
}

// identical is Python's `is` for values that have an identity.
func identical(a, b Value) bool {
	if !hashable(a, 0) || !hashable(b, 0) {
		return false
	}
	return a == b
}

// Is is Python's `a is b`, as far as values have an identity: scalars are identical when they have type and value in
// common.
func Is(a, b Value) bool {
	switch x := a.(type) {
	case nil, NoneType:
		return isNone(b)
	case *List:
		y, ok := b.(*List)
		return ok && x == y
	case *Dict:
		y, ok := b.(*Dict)
		return ok && x == y
	case *Set:
		y, ok := b.(*Set)
		return ok && x == y
	case BigInt:
		y, ok := b.(BigInt)
		return ok && x.i.Cmp(y.i) == 0
	}
	return identical(a, b)
}

func numEqual(a, b Value) bool {
	c, ok := numCompare(a, b)
	return ok && c == 0
}

// numCompare compares two numbers exactly: -1, 0, 1, or 2 when one is NaN. ok is false when one is no number.
func numCompare(a, b Value) (c int, ok bool) {
	x, ok := asNum(a)
	if !ok {
		return 0, false
	}
	y, ok := asNum(b)
	if !ok {
		return 0, false
	}
	switch {
	case x.kind == isInt && y.kind == isInt:
		return compareOrdered(x.i, y.i), true
	case x.kind == isFloat && y.kind == isFloat:
		return compareFloats(x.f, y.f), true
	case x.kind == isFloat:
		return compareFloatInt(x.f, y), true
	case y.kind == isFloat:
		if c := compareFloatInt(y.f, x); c != 2 {
			return -c, true
		}
		return 2, true
	}
	return x.big().Cmp(y.big()), true
}

func compareOrdered[T int64 | int | string | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareFloats(a, b float64) int {
	if a != a || b != b {
		return 2
	}
	return compareOrdered(a, b)
}

func compareFloatInt(f float64, n num) int {
	switch {
	case f != f:
		return 2
	case math.IsInf(f, 0):
		return int(math.Copysign(1, f))
	case n.kind == isInt && n.i > -1<<53 && n.i < 1<<53:
		return compareOrdered(f, float64(n.i))
	}
	return new(big.Float).SetFloat64(f).Cmp(new(big.Float).SetInt(n.big()))
}
