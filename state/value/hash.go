package value

import (
	"hash/maphash"
	"math"
	"math/big"
	"reflect"
)

// hashSeed makes the hashes of one process differ from those of another. No order that a user sees depends on it.
var hashSeed = maphash.MakeSeed()

// Hash is a hash of a value that can be a key: equal keys (1, 1.0, True) have equal hashes. The error is Python's
// TypeError for lists, dicts, sets and tuples that hold one. The number is good for one process only.
func Hash(v Value) (uint64, error) {
	if !hashable(v, 0) {
		return 0, unhashable(v)
	}
	return hashOf(v), nil
}

// Hashable says whether v can be a key of a dict or an item of a set.
func Hashable(v Value) bool { return hashable(v, 0) }

func unhashable(v Value) error {
	return Raise("TypeError", "unhashable type: '%s'", unhashableName(v, 0))
}

func hashable(v Value, depth int) bool {
	switch v := v.(type) {
	case Str, Int, Bool, Float, NoneType, Bytes, BigInt:
		return true
	case *Tuple:
		if depth > maxDepth {
			return false
		}
		for _, it := range v.Items {
			if !hashable(it, depth+1) {
				return false
			}
		}
		return true
	case nil, *List, *Dict, *Set, *KeysView, *ItemsView:
		return false
	case *Undefined:
		return v.Lenient
	case *Range, *Func, *BoundMethod:
		return true
	}
	return reflect.TypeOf(v).Comparable()
}

func unhashableName(v Value, depth int) string {
	if t, ok := v.(*Tuple); ok && depth <= maxDepth {
		for _, it := range t.Items {
			if !hashable(it, 0) {
				return unhashableName(it, depth+1)
			}
		}
	}
	return typeName(v)
}

// hashOf is the hash of a hashable value.
func hashOf(v Value) uint64 {
	switch v := v.(type) {
	case Str:
		return hashStr(string(v))
	case Int:
		return hashInt(int64(v))
	case Bool:
		if v {
			return hashInt(1)
		}
		return hashInt(0)
	case Float:
		return hashFloat(float64(v))
	case BigInt:
		return hashBig(v.i)
	case Bytes:
		return hashStr(string(v)) + 1
	case NoneType:
		return 0x9e3779b97f4a7c15
	case *Tuple:
		h := uint64(len(v.Items)) + 0x345678
		for _, it := range v.Items {
			h = (h ^ hashOf(it)) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		return h
	case *Range:
		if v.Len() == 0 {
			return 0
		}
		return hashInt(v.Start) ^ uint64(v.Len())
	}
	return maphash.Comparable(hashSeed, v)
}

func hashStr(s string) uint64 { return maphash.String(hashSeed, s) }

func hashInt(i int64) uint64 {
	h := uint64(i) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

func hashFloat(f float64) uint64 {
	if f == math.Trunc(f) && !math.IsInf(f, 0) {
		if f >= -1<<63 && f < 1<<63 {
			return hashInt(int64(f))
		}
		i, _ := big.NewFloat(f).Int(nil)
		return hashBig(i)
	}
	if f != f {
		return 0x7ff8
	}
	return hashInt(int64(math.Float64bits(f)))
}

func hashBig(i *big.Int) uint64 {
	h := uint64(i.Sign()) + 77
	for _, w := range i.Bits() {
		h = (h ^ uint64(w)) * 0x9e3779b97f4a7c15
		h ^= h >> 31
	}
	return h
}

// sameKey says whether two hashable values are one key. A NaN is one key with itself: Python goes by the identity of
// the object there, which a Float has not.
func sameKey(a, b Value) bool {
	switch x := a.(type) {
	case Str:
		y, ok := b.(Str)
		return ok && x == y
	case Int:
		if y, ok := b.(Int); ok {
			return x == y
		}
	case Bytes:
		y, ok := b.(Bytes)
		return ok && x == y
	case NoneType:
		return b == Value(None)
	case Float:
		if y, ok := b.(Float); ok && x != x {
			return y != y
		}
	case *Tuple:
		y, ok := b.(*Tuple)
		if !ok || len(x.Items) != len(y.Items) {
			return false
		}
		for i := range x.Items {
			if !sameKey(x.Items[i], y.Items[i]) {
				return false
			}
		}
		return true
	}
	return Equal(a, b)
}
