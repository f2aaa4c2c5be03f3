package value

import "unicode/utf8"

// GetItem is Python's v[key] for sequences and dicts. The errors are its IndexError, KeyError and TypeError.
func GetItem(v, key Value) (Value, error) {
	switch v := v.(type) {
	case *Dict:
		if val, ok := v.Get(key); ok {
			return val, nil
		}
		if _, err := hasKey(v, key); err != nil {
			return nil, err
		}
		return nil, KeyError(key)
	case *List:
		i, err := position(key, len(v.Items), "list")
		if err != nil {
			return nil, err
		}
		return v.Items[i], nil
	case *Tuple:
		i, err := position(key, len(v.Items), "tuple")
		if err != nil {
			return nil, err
		}
		return v.Items[i], nil
	case Str:
		return charAt(string(v), key)
	case Bytes:
		i, err := position(key, len(v), "byte")
		if err != nil {
			return nil, err
		}
		return Int(v[i]), nil
	case *Range:
		i, err := position(key, v.Len(), "range object")
		if err != nil {
			return nil, err
		}
		return v.at(i), nil
	case Indexer:
		if val, ok := v.Item(key); ok {
			return val, nil
		}
		return nil, KeyError(key)
	}
	if err := undefinedAmong(v); err != nil {
		return nil, err
	}
	return nil, Raise("TypeError", "'%s' object is not subscriptable", typeName(v))
}

// KeyError is the error of a missing key; its text is the key's repr, as Python prints it.
func KeyError(key Value) error { return &Error{Class: "KeyError", Msg: Repr(key)} }

// position is the index that the key means in a sequence of n items.
func position(key Value, n int, kind string) (int, error) {
	i, ok := asIndex(key)
	if !ok {
		return 0, badIndex(key, kind)
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		if _, big := key.(BigInt); big {
			return 0, Raise("IndexError", "cannot fit 'int' into an index-sized integer")
		}
		if kind == "byte" {
			kind = "index"
			return 0, Raise("IndexError", "index out of range")
		}
		return 0, Raise("IndexError", "%s index out of range", kind)
	}
	return i, nil
}

func badIndex(key Value, kind string) error {
	if err := undefinedAmong(key); err != nil {
		return err
	}
	switch kind {
	case "string":
		return Raise("TypeError", "string indices must be integers, not '%s'", typeName(key))
	case "range object":
		return Raise("TypeError", "range indices must be integers or slices, not %s", typeName(key))
	}
	return Raise("TypeError", "%s indices must be integers or slices, not %s", kind, typeName(key))
}

func charAt(s string, key Value) (Value, error) {
	n := utf8.RuneCountInString(s)
	i, err := position(key, n, "string")
	if err != nil {
		return nil, err
	}
	if n == len(s) {
		return Str(s[i : i+1]), nil
	}
	return Str(runeSlice(s, i, i+1)), nil
}

// runeSlice is s[i:j] by characters, 0 <= i <= j <= their number.
func runeSlice(s string, i, j int) string {
	start := runeOffset(s, i)
	return s[start : start+runeOffset(s[start:], j-i)]
}

// runeOffset is the byte at which character i starts.
func runeOffset(s string, i int) int {
	off := 0
	for ; i > 0 && off < len(s); i-- {
		_, n := utf8.DecodeRuneInString(s[off:])
		off += n
	}
	return off
}

// Slice is Python's v[start:stop:step]; nil or None leaves one out.
func Slice(v, start, stop, step Value) (Value, error) {
	if err := undefinedAmong(v, start, stop, step); err != nil {
		return nil, err
	}
	n, err := Len(v)
	if err != nil || !canSlice(v) {
		if _, ok := v.(*Dict); ok {
			return nil, Raise("TypeError", "unhashable type: 'slice'")
		}
		return nil, Raise("TypeError", "'%s' object is not subscriptable", typeName(v))
	}
	s, err := newSlice(n, start, stop, step)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case Str:
		return Str(s.text(string(v), n)), nil
	case Bytes:
		return Bytes(s.text(string(v), len(v))), nil
	case *List:
		return NewList(s.items(v.Items)...), nil
	case *Tuple:
		return NewTuple(s.items(v.Items)...), nil
	case *Range:
		return &Range{v.Start + int64(s.start)*v.Step, v.Start + int64(s.stop)*v.Step, v.Step * int64(s.step)}, nil
	}
	return nil, Raise("TypeError", "'%s' object is not subscriptable", typeName(v))
}

func canSlice(v Value) bool {
	_, isRange := v.(*Range)
	return isRange || isSequence(v)
}

// slicing is a slice of a sequence whose length is known: count items from start on, step apart.
type slicing struct{ start, stop, step, count int }

func newSlice(n int, start, stop, step Value) (slicing, error) {
	s := slicing{step: 1}
	if !isNone(step) {
		i, ok := asIndex(step)
		if !ok {
			return s, badSlice()
		}
		if i == 0 {
			return s, Raise("ValueError", "slice step cannot be zero")
		}
		s.step = min(max(i, -n-1), n+1) // a longer step than that means the same
	}
	low, high, first, last := 0, n, 0, n
	if s.step < 0 {
		low, high, first, last = -1, n-1, n-1, -1
	}
	var err error
	if s.start, err = sliceEnd(start, n, low, high, first); err != nil {
		return s, err
	}
	if s.stop, err = sliceEnd(stop, n, low, high, last); err != nil {
		return s, err
	}
	end := s.stop
	if s.step > 0 && s.start < end {
		s.count = (end-s.start-1)/s.step + 1
	} else if s.step < 0 && s.start > end {
		s.count = (s.start-end-1)/-s.step + 1
	}
	return s, nil
}

func sliceEnd(v Value, n, low, high, missing int) (int, error) {
	if isNone(v) {
		return missing, nil
	}
	i, ok := asIndex(v)
	if !ok {
		return 0, badSlice()
	}
	if i < 0 {
		i += n
	}
	return min(max(i, low), high), nil
}

func badSlice() error {
	return Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
}

func (s slicing) items(items []Value) []Value {
	out := make([]Value, 0, s.count)
	for i, at := 0, s.start; i < s.count; i, at = i+1, at+s.step {
		out = append(out, items[at])
	}
	return out
}

// text cuts s, which has n characters: bytes when n is its length.
func (s slicing) text(str string, n int) string {
	switch {
	case s.count == 0:
		return ""
	case n == len(str) && s.step == 1:
		return str[s.start : s.start+s.count]
	case s.step == 1:
		return runeSlice(str, s.start, s.start+s.count)
	case n == len(str):
		out := make([]byte, 0, s.count)
		for i, at := 0, s.start; i < s.count; i, at = i+1, at+s.step {
			out = append(out, str[at])
		}
		return string(out)
	}
	offsets := make([]int, 0, n+1)
	for i := 0; i < len(str); {
		offsets = append(offsets, i)
		_, w := utf8.DecodeRuneInString(str[i:])
		i += w
	}
	offsets = append(offsets, len(str))
	out := make([]byte, 0, s.count)
	for i, at := 0, s.start; i < s.count; i, at = i+1, at+s.step {
		out = append(out, str[offsets[at]:offsets[at+1]]...)
	}
	return string(out)
}

// SetItem is Python's v[key] = val for lists and dicts.
func SetItem(v, key, val Value) error {
	switch v := v.(type) {
	case *Dict:
		return v.Set(key, val)
	case *List:
		i, err := position(key, len(v.Items), "list")
		if e, ok := err.(*Error); ok && e.Class == "IndexError" {
			return Raise("IndexError", "list assignment index out of range")
		}
		if err != nil {
			return err
		}
		v.Items[i] = val
		return nil
	}
	if err := undefinedAmong(v); err != nil {
		return err
	}
	return Raise("TypeError", "'%s' object does not support item assignment", typeName(v))
}
