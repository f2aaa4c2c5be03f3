package value

import (
	"iter"
	"slices"
	"unicode/utf8"
)

// Iterate is Python's iter(v): items of sequences and sets, keys of dicts, characters of text. Lists and dicts are
// walked as they are at each step. The error is the TypeError for what cannot be walked, or the UndefinedError.
func Iterate(v Value) (iter.Seq[Value], error) {
	switch v := v.(type) {
	case *List:
		return func(yield func(Value) bool) {
			for i := 0; i < len(v.Items); i++ {
				if !yield(v.Items[i]) {
					return
				}
			}
		}, nil
	case *Tuple:
		return slices.Values(v.Items), nil
	case *Dict:
		return (&KeysView{v}).Iterate, nil
	case *Set:
		return slices.Values(v.Items()), nil
	case Str:
		return func(yield func(Value) bool) {
			for s := string(v); s != ""; {
				_, n := utf8.DecodeRuneInString(s)
				if !yield(Str(s[:n])) {
					return
				}
				s = s[n:]
			}
		}, nil
	case Bytes:
		return func(yield func(Value) bool) {
			for i := 0; i < len(v); i++ {
				if !yield(Int(v[i])) {
					return
				}
			}
		}, nil
	case *Undefined:
		if v.Lenient {
			return func(func(Value) bool) {}, nil
		}
		return nil, v.Err()
	case Iterable:
		return v.Iterate, nil
	}
	return nil, Raise("TypeError", "'%s' object is not iterable", typeName(v))
}

// CanIterate says whether Iterate gives no TypeError.
func CanIterate(v Value) bool {
	switch v.(type) {
	case *List, *Tuple, *Dict, *Set, Str, Bytes, *Undefined, Iterable:
		return true
	}
	return false
}

// ToList is the items that Iterate would give, in a slice of the caller's own.
func ToList(v Value) ([]Value, error) {
	switch v := v.(type) {
	case *List:
		return slices.Clone(v.Items), nil
	case *Tuple:
		return slices.Clone(v.Items), nil
	case *Dict:
		return (&KeysView{v}).items(), nil
	case *Set:
		return v.Items(), nil
	case *KeysView:
		return v.items(), nil
	case *ValuesView:
		return v.items(), nil
	case *ItemsView:
		return v.items(), nil
	case *Range:
		if v.Len() > maxItems {
			return nil, tooBig()
		}
	}
	walk, err := Iterate(v)
	if err != nil {
		return nil, err
	}
	var out []Value
	for it := range walk {
		if len(out) >= maxItems {
			return nil, tooBig()
		}
		out = append(out, it)
	}
	return out, nil
}

// maxItems bounds the length of a list that one operation makes.
const maxItems = 1 << 24

func tooBig() error {
	return Raise("MemoryError", "result is too big (more than %d bytes or %d items)", MaxText, maxItems)
}

// Len is Python's len(v).
func Len(v Value) (int, error) {
	switch v := v.(type) {
	case Str:
		return utf8.RuneCountInString(string(v)), nil
	case Bytes:
		return len(v), nil
	case *List:
		return len(v.Items), nil
	case *Tuple:
		return len(v.Items), nil
	case *Undefined:
		if v.Lenient {
			return 0, nil
		}
		return 0, v.Err()
	case Lener:
		return v.Len(), nil
	}
	return 0, Raise("TypeError", "object of type '%s' has no len()", typeName(v))
}

// Contains is Python's `item in v`.
func Contains(v, item Value) (bool, error) {
	switch v := v.(type) {
	case Str:
		return containsText(v, item)
	case Bytes:
		return containsByte(v, item)
	case *Dict:
		return hasKey(v, item)
	case *Set:
		return hasKey(&v.dict, item)
	case *KeysView:
		return hasKey(v.Dict, item)
	case *List:
		return containsItem(v.Items, item), nil
	case *Tuple:
		return containsItem(v.Items, item), nil
	case *Range:
		return v.has(item), nil
	case Indexer:
		if _, isIterable := v.(Iterable); !isIterable {
			_, ok := v.Item(item)
			return ok, nil
		}
	case *Undefined:
		if v.Lenient {
			return false, nil
		}
		return false, v.Err()
	}
	walk, err := Iterate(v)
	if err != nil {
		return false, Raise("TypeError", "argument of type '%s' is not iterable", typeName(v))
	}
	for it := range walk {
		if sameItem(it, item) {
			return true, nil
		}
	}
	return false, nil
}

func containsItem(items []Value, item Value) bool {
	for _, it := range items {
		if sameItem(it, item) {
			return true
		}
	}
	return false
}

// sameItem is identity or equality, as `in` and list.index go by.
func sameItem(a, b Value) bool {
	var e equality
	return e.within(a, b)
}

// findItem is the index of the first item that is v, -1 when none is. A strict undefined value that is compared is an
// error.
func findItem(items []Value, v Value) (int, error) {
	for i, it := range items {
		var e equality
		same := e.within(it, v)
		if e.undefined != nil {
			return -1, e.undefined.Err()
		}
		if same {
			return i, nil
		}
	}
	return -1, nil
}

func hasKey(d *Dict, key Value) (bool, error) {
	if !hashable(key, 0) {
		if err := undefinedAmong(key); err != nil {
			return false, err
		}
		return false, unhashable(key)
	}
	return d.Has(key), nil
}
