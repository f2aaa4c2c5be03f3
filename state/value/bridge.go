package value

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// From makes a Value of Go data: nil, booleans, numbers, text, []byte, slices, maps (by key in order), pointers to them
// and Values. Whatever else becomes the text that fmt prints for it.
func From(x any) Value {
	switch x := x.(type) {
	case nil:
		return None
	case Value:
		return x
	case bool:
		return Bool(x)
	case int:
		return Int(x)
	case int64:
		return Int(x)
	case float64:
		return Float(x)
	case string:
		return Str(x)
	case []byte:
		return Bytes(x)
	case *big.Int:
		return NewInt(new(big.Int).Set(x))
	case error:
		return Str(x.Error())
	case fmt.Stringer:
		return Str(x.String())
	}
	return fromReflect(reflect.ValueOf(x))
}

func fromReflect(r reflect.Value) Value {
	switch r.Kind() {
	case reflect.Bool:
		return Bool(r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int(r.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return NewInt(new(big.Int).SetUint64(r.Uint()))
	case reflect.Float32, reflect.Float64:
		return Float(r.Float())
	case reflect.String:
		return Str(r.String())
	case reflect.Pointer:
		if r.IsNil() {
			return None
		}
		return From(r.Elem().Interface())
	case reflect.Slice, reflect.Array:
		items := make([]Value, r.Len())
		for i := range items {
			items[i] = From(r.Index(i).Interface())
		}
		return NewList(items...)
	case reflect.Map:
		return fromMap(r)
	}
	return Str(fmt.Sprint(r.Interface()))
}

// fromMap orders the keys by their text, since a Go map has no order.
func fromMap(r reflect.Value) Value {
	keys := make([]Value, 0, r.Len())
	vals := map[string]Value{}
	for _, k := range r.MapKeys() {
		key := From(k.Interface())
		if !Hashable(key) {
			key = Str(Repr(key))
		}
		keys = append(keys, key)
		vals[Repr(key)] = From(r.MapIndex(k).Interface())
	}
	slices.SortFunc(keys, func(a, b Value) int { return strings.Compare(String(a), String(b)) })
	d := NewDict(len(keys))
	for _, k := range keys {
		_ = d.Set(k, vals[Repr(k)]) // checked above
	}
	return d
}

// To makes Go data of a value, for encoders that know nothing of Values: nil, bool, int64, *big.Int, float64, string,
// []any and map[string]any, whose keys are str() of the dict's. It loses the order of dicts; DumpsJSON keeps it. A
// value that holds itself ends in nil.
func To(v Value) any { return to(v, 0) }

func to(v Value, depth int) any {
	if depth > maxDepth {
		return nil
	}
	switch v := v.(type) {
	case nil, NoneType, *Undefined:
		return nil
	case Bool:
		return bool(v)
	case Int:
		return int64(v)
	case BigInt:
		return v.Big()
	case Float:
		return float64(v)
	case Str:
		return string(v)
	case *Dict:
		out := make(map[string]any, v.Len())
		for k, val := range v.All() {
			out[String(k)] = to(val, depth+1)
		}
		return out
	case *List, *Tuple, *Set, *KeysView, *ValuesView, *ItemsView, *Range:
		items, err := ToList(v)
		if err != nil {
			return nil
		}
		out := make([]any, len(items))
		for i, it := range items {
			out[i] = to(it, depth+1)
		}
		return out
	}
	return String(v)
}
