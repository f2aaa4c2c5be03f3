package jinja

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// This file is the border to state/value: Python's operations as templates need them.

// Plain is v as values from outside know it: Markup becomes Str.
func Plain(v value.Value) value.Value {
	if m, ok := v.(Markup); ok {
		return value.Str(m)
	}
	return v
}

// plainAll makes arguments plain for a function from outside.
func plainAll(args []value.Value) {
	for i, a := range args {
		if m, ok := a.(Markup); ok {
			args[i] = value.Str(m)
		}
	}
}

// qualified is a value whose type Python shows with its module in messages about undefined attributes.
type qualified interface{ QualName() string }

// typeOf is the name of v's type in messages about undefined attributes.
func typeOf(v value.Value) string {
	if q, ok := v.(qualified); ok {
		return q.QualName()
	}
	return typeName(v)
}

func typeName(v value.Value) string {
	if v == nil {
		return "NoneType"
	}
	return v.TypeName()
}

const unsafeHint = "access to attribute "

// useError is the error of using an undefined value.
func useError(u *value.Undefined) error {
	if strings.HasPrefix(u.Hint, unsafeHint) && strings.HasSuffix(u.Hint, " object is unsafe.") {
		return raise("SecurityError", "%s", u.Hint)
	}
	return u.Err()
}

// strict is the error of printing, comparing, testing or walking v, if it is undefined and not lenient.
func strict(v value.Value) error {
	if u, ok := v.(*value.Undefined); ok && !u.Lenient {
		return useError(u)
	}
	return nil
}

// used is the error of computing with v, if it is undefined.
func used(v value.Value) error {
	if u, ok := v.(*value.Undefined); ok {
		return useError(u)
	}
	return nil
}

func truth(v value.Value) (bool, error) {
	switch v := v.(type) {
	case value.Bool:
		return bool(v), nil
	case *value.Undefined:
		return false, strict(v)
	}
	return value.Truth(v), nil
}

// str is Python's str(v).
func str(v value.Value) (string, error) {
	switch v := v.(type) {
	case value.Str:
		return string(v), nil
	case Markup:
		return string(v), nil
	case *value.Undefined:
		if err := strict(v); err != nil {
			return "", err
		}
	}
	return value.String(v), nil
}

// equal is Python's ==.
func equal(a, b value.Value) (bool, error) {
	if u, ok := a.(*value.Undefined); ok {
		return undefinedEqual(u, b)
	}
	if u, ok := b.(*value.Undefined); ok {
		return undefinedEqual(u, a)
	}
	return value.EqualItems(Plain(a), Plain(b))
}

func undefinedEqual(u *value.Undefined, v value.Value) (bool, error) {
	if err := strict(u); err != nil {
		return false, err
	}
	if err := strict(v); err != nil {
		return false, err
	}
	_, ok := v.(*value.Undefined)
	return ok, nil
}

func compare(op compareKind, a, b value.Value) (bool, error) {
	switch x := a.(type) {
	case value.Int:
		if y, ok := b.(value.Int); ok && op <= opGe {
			return ordered(op, x, y), nil
		}
	case value.Str:
		if y, ok := b.(value.Str); ok && op <= opGe {
			return ordered(op, x, y), nil
		}
	}
	switch op {
	case opEq:
		return equal(a, b)
	case opNe:
		ok, err := equal(a, b)
		return !ok, err
	case opIn:
		return contains(b, a)
	case opNotIn:
		ok, err := contains(b, a)
		return !ok, err
	}
	if err := used(a); err != nil {
		return false, err
	}
	if err := used(b); err != nil {
		return false, err
	}
	if value.UnknownAmong(a, b) != nil {
		return false, nil
	}
	return value.Compare([...]string{opLt: "<", opLe: "<=", opGt: ">", opGe: ">="}[op], Plain(a), Plain(b))
}

func ordered[T value.Int | value.Str](op compareKind, x, y T) bool {
	switch op {
	case opEq:
		return x == y
	case opNe:
		return x != y
	case opLt:
		return x < y
	case opLe:
		return x <= y
	case opGt:
		return x > y
	}
	return x >= y
}

// contains is Python's `item in v`.
func contains(v, item value.Value) (bool, error) {
	if err := strict(v); err != nil {
		return false, err
	}
	if u, ok := item.(*value.Undefined); ok {
		return containsUndefined(v, u)
	}
	if g, ok := lazy(v); ok {
		for {
			it, ok, err := g.next()
			if err != nil || !ok {
				return false, err
			}
			if same, err := equal(it, item); err != nil || same {
				return same, err
			}
		}
	}
	if items := itemsOf(v); slices.ContainsFunc(items, isUndefined) {
		for _, it := range items {
			if same, err := equal(it, item); err != nil || same {
				return same, err
			}
		}
		return false, nil
	}
	return value.Contains(Plain(v), Plain(item))
}

// lazy is what v walks when that is used up by walking it.
func lazy(v value.Value) (iterator, bool) {
	switch v := v.(type) {
	case *Generator:
		return v, true
	case *Loop:
		return &loopIter{v}, true
	}
	return nil, false
}

// itemsOf are the items of a list or a tuple.
func itemsOf(v value.Value) []value.Value {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case *value.Tuple:
		return v.Items
	}
	return nil
}

func containsUndefined(v value.Value, u *value.Undefined) (bool, error) {
	if _, ok := Plain(v).(value.Str); ok {
		name := "StrictUndefined"
		if u.Lenient {
			name = "Undefined"
		}
		return false, raise("TypeError", "'in <string>' requires string as left operand, not %s", name)
	}
	items, err := list(v)
	if err != nil {
		if _, ok := v.(value.Iterable); !ok {
			err = raise("TypeError", "argument of type '%s' is not iterable", typeName(v))
		}
		return false, err
	}
	if _, ok := v.(*value.Dict); ok {
		if err := strict(u); err != nil {
			return false, err
		}
	}
	for _, it := range items {
		if it == value.Value(u) {
			return true, nil
		}
		if ok, err := undefinedEqual(u, it); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// binary is an arithmetic operation.
func binary(op Kind, a, b value.Value) (value.Value, error) {
	if u := value.UnknownAmong(a, b); u != nil {
		return u, nil
	}
	if err := used(a); err != nil {
		return nil, err
	}
	if err := used(b); err != nil {
		if _, ok := Plain(a).(value.Str); !ok || op != Mod {
			return nil, err
		}
	}
	ma, aSafe := a.(Markup)
	mb, bSafe := b.(Markup)
	if aSafe || bSafe {
		if out, ok, err := markupOp(op, a, b, ma, mb, aSafe, bSafe); ok {
			return out, err
		}
		a, b = Plain(a), Plain(b)
	}
	switch op {
	case Add:
		return value.Add(a, b)
	case Sub:
		return value.Sub(a, b)
	case Mul:
		return value.Mul(a, b)
	case Div:
		return value.TrueDiv(a, b)
	case FloorDiv:
		return value.FloorDiv(a, b)
	case Mod:
		return value.Mod(a, b)
	}
	return value.Pow(a, b)
}

// length is Python's len(v).
func length(v value.Value) (int, error) {
	if err := strict(v); err != nil {
		return 0, err
	}
	return value.Len(v)
}

// call calls v from a template.
func call(ctx context.Context, v value.Value, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	switch fn := v.(type) {
	case *Macro:
		return fn.Call(ctx, args, kwargs)
	case *builtin:
		return fn.fn(ctx, args, kwargs)
	case *value.Undefined:
		return nil, useError(fn)
	case value.Callable:
		plainAll(args)
		if kwargs == nil {
			kwargs = value.NewDict(0)
		}
		out, err := fn.Call(ctx, args, kwargs)
		if out == nil && err == nil {
			out = value.None
		}
		return out, err
	}
	return nil, raise("TypeError", "'%s' object is not callable", typeName(v))
}
