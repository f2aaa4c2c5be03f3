package bridge

import (
	"encoding/base64"
	"math"

	"github.com/gostate/gostate/state/value"
)

// The key that marks what JSON does not have: {"$": KIND, "v": ...}.
const tag = "$"

// toWire is a value as the wire holds it.
func toWire(v value.Value) value.Value {
	switch v := v.(type) {
	case nil:
		return value.None
	case *value.List:
		return wired(v.Items)
	case *value.Tuple:
		return tagged("tuple", wired(v.Items))
	case *value.Set:
		items, _ := value.ToList(v)
		return tagged("set", wired(items))
	case value.Bytes:
		return tagged("bytes", value.Str(base64.StdEncoding.EncodeToString([]byte(v))))
	case value.Float:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return tagged("float", value.Str(value.Repr(v)))
		}
	case *value.Dict:
		return wiredDict(v)
	case value.Texter, value.NoneType, value.Bool, value.Int, *value.BigInt, value.Str:
	default:
		return value.Str(value.String(v))
	}
	return v
}

func wired(items []value.Value) *value.List {
	out := &value.List{Items: make([]value.Value, len(items))}
	for i, v := range items {
		out.Items[i] = toWire(v)
	}
	return out
}

func tagged(kind string, v value.Value) value.Value {
	return value.DictOf(tag, value.Str(kind), "v", v)
}

// wiredDict is an object where all keys are texts, else a list of pairs.
func wiredDict(d *value.Dict) value.Value {
	out, pairs := value.NewDict(d.Len()), value.NewList()
	plain := true
	for k, v := range d.All() {
		w := toWire(v)
		text, ok := k.(value.Str)
		if plain = plain && ok && text != tag; plain {
			out.SetStr(string(text), w)
		}
		pairs.Items = append(pairs.Items, value.NewList(toWire(k), w))
	}
	if plain {
		return out
	}
	return tagged("dict", pairs)
}

// fromWire is the value that the wire holds, without the places that it has in the line.
func fromWire(v value.Value) (value.Value, error) {
	switch v := v.(type) {
	case *value.List:
		items, err := eachFromWire(v.Items)
		return value.NewList(items...), err
	case *value.Dict:
		if kind, ok := v.GetStr(tag); ok {
			of, _ := v.GetStr("v")
			return untagged(value.String(kind), of)
		}
		out := value.NewDict(v.Len())
		for k, item := range v.All() {
			got, err := fromWire(item)
			if err != nil {
				return nil, err
			}
			out.SetStr(value.String(k), got)
		}
		return out, nil
	}
	return v, nil
}

func eachFromWire(items []value.Value) (out []value.Value, err error) {
	out = make([]value.Value, len(items))
	for i := range items {
		if out[i], err = fromWire(items[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func untagged(kind string, v value.Value) (value.Value, error) {
	switch kind {
	case "bytes":
		raw, err := base64.StdEncoding.DecodeString(value.String(v))
		return value.Bytes(raw), err
	case "float":
		return value.ToFloat(v)
	}
	l, ok := v.(*value.List)
	if !ok {
		return nil, value.Raise("ValueError", "the wire has a %s that is no list", kind)
	}
	items, err := eachFromWire(l.Items)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "tuple":
		return value.NewTuple(items...), nil
	case "set":
		return value.NewSet(items...)
	case "dict":
		return pairsDict(items)
	}
	return nil, value.Raise("ValueError", "the wire has %q, which is no kind of value", kind)
}

func pairsDict(pairs []value.Value) (value.Value, error) {
	d := value.NewDict(len(pairs))
	for _, p := range pairs {
		pair, ok := p.(*value.List)
		if !ok || len(pair.Items) != 2 {
			return nil, value.Raise("ValueError", "the wire has a dict whose items are no pairs")
		}
		if err := d.Set(pair.Items[0], pair.Items[1]); err != nil {
			return nil, err
		}
	}
	return d, nil
}
