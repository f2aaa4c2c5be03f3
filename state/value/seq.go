package value

import (
	"slices"
	"strings"
)

// concat is + for what is no number.
func concat(a, b Value) (Value, error) {
	if err := undefinedAmong(a, b); err != nil {
		return nil, err
	}
	switch x := a.(type) {
	case Str:
		if _, ok := b.(Str); !ok {
			return nil, Raise("TypeError", "can only concatenate str (not \"%s\") to str", typeName(b))
		}
	case Bytes:
		y, ok := b.(Bytes)
		if !ok {
			return nil, Raise("TypeError", "can't concat %s to bytes", typeName(b))
		}
		if len(x)+len(y) > MaxText {
			return nil, tooBig()
		}
		return x + y, nil
	case *List:
		y, ok := b.(*List)
		if !ok {
			return nil, Raise("TypeError", "can only concatenate list (not \"%s\") to list", typeName(b))
		}
		return joinItems(x.Items, y.Items, func(items []Value) Value { return NewList(items...) })
	case *Tuple:
		y, ok := b.(*Tuple)
		if !ok {
			return nil, Raise("TypeError", "can only concatenate tuple (not \"%s\") to tuple", typeName(b))
		}
		return joinItems(x.Items, y.Items, func(items []Value) Value { return NewTuple(items...) })
	}
	return nil, unsupported("+", a, b)
}

func joinItems(a, b []Value, wrap func([]Value) Value) (Value, error) {
	if len(a)+len(b) > maxItems {
		return nil, tooBig()
	}
	return wrap(slices.Concat(a, b)), nil
}

// repeatEither is * where not both are numbers.
func repeatEither(a, b Value) (Value, error) {
	if err := undefinedAmong(a, b); err != nil {
		return nil, err
	}
	if isSequence(a) {
		return repeat(a, b)
	}
	if isSequence(b) {
		return repeat(b, a)
	}
	return nil, unsupported("*", a, b)
}

func isSequence(v Value) bool {
	switch v.(type) {
	case Str, Bytes, *List, *Tuple:
		return true
	}
	return false
}

func repeat(seq, times Value) (Value, error) {
	n, ok := asIndex(times)
	if !ok {
		return nil, Raise("TypeError", "can't multiply sequence by non-int of type '%s'", typeName(times))
	}
	n = max(n, 0)
	switch s := seq.(type) {
	case Str:
		if len(s) > 0 && n > MaxText/len(s) {
			return nil, tooBig()
		}
		return Str(strings.Repeat(string(s), n*min(len(s), 1))), nil
	case Bytes:
		if len(s) > 0 && n > MaxText/len(s) {
			return nil, tooBig()
		}
		return Bytes(strings.Repeat(string(s), n*min(len(s), 1))), nil
	case *List:
		items, err := repeatItems(s.Items, n)
		return NewList(items...), err
	case *Tuple:
		items, err := repeatItems(s.Items, n)
		return NewTuple(items...), err
	}
	return nil, unsupported("*", seq, times)
}

func repeatItems(items []Value, n int) ([]Value, error) {
	if len(items) == 0 || n == 0 {
		return nil, nil
	}
	if n > maxItems/len(items) {
		return nil, tooBig()
	}
	return slices.Repeat(items, n), nil
}

func containsText(s Str, item Value) (bool, error) {
	sub, ok := item.(Str)
	if !ok {
		if err := undefinedAmong(item); err != nil {
			return false, err
		}
		return false, Raise("TypeError", "'in <string>' requires string as left operand, not %s", typeName(item))
	}
	return strings.Contains(string(s), string(sub)), nil
}

func containsByte(s Bytes, item Value) (bool, error) {
	if sub, ok := item.(Bytes); ok {
		return strings.Contains(string(s), string(sub)), nil
	}
	i, ok := asIndex(item)
	if !ok {
		return false, Raise("TypeError", "a bytes-like object is required, not '%s'", typeName(item))
	}
	if i < 0 || i > 255 {
		return false, Raise("ValueError", "byte must be in range(0, 256)")
	}
	return strings.IndexByte(string(s), byte(i)) >= 0, nil
}
