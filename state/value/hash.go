package value

import (
	"math"
	"strings"
)

// canonical gives a comparable Go value that is equal for keys that Python holds for one: 1, 1.0 and True alike.
func canonical(v Value) (any, bool) {
	switch v := v.(type) {
	case Str, NoneType, Int, Bytes:
		return v, true
	case Bool:
		if v {
			return Int(1), true
		}
		return Int(0), true
	case Float:
		if f := float64(v); f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
			return Int(int64(f)), true
		}
		return v, true
	case BigInt:
		return "big:" + v.i.String(), true
	case *Tuple:
		return canonicalTuple(v)
	case *List, *Dict, *Set:
		return nil, false
	default:
		return v, true
	}
}

type tupleKey string

func canonicalTuple(t *Tuple) (any, bool) {
	var b strings.Builder
	for _, it := range t.Items {
		k, ok := canonical(it)
		if !ok {
			return nil, false
		}
		switch k := k.(type) {
		case tupleKey:
			b.WriteString("(" + string(k) + ")")
		case Value:
			b.WriteString(k.TypeName() + ":" + Repr(k))
		case string:
			b.WriteString(k)
		}
		b.WriteByte(0)
	}
	return tupleKey(b.String()), true
}

func unhashableName(v Value) string {
	if t, ok := v.(*Tuple); ok {
		for _, it := range t.Items {
			if _, ok := canonical(it); !ok {
				return unhashableName(it)
			}
		}
	}
	return v.TypeName()
}
