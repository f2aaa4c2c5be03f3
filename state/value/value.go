// Package value is the one value model of gostate: what YAML, Jinja, pillar, grains, state arguments and JSON all hold.
//
// It follows CPython: dicts keep their order and are shared, not copied; 1, 1.0 and True are one key; truth, equality,
// ordering, str and repr are Python's. It never reads files, never prints and knows nothing of Salt.
package value

import (
	"context"
	"math/big"
)

// A Value is one Python-like value. The concrete types are NoneType, Bool, Int, BigInt, Float, Str, Bytes, *List,
// *Tuple, *Dict, *Set, *Undefined, and whatever else implements one of the protocols Callable, Attrs, Indexer,
// Iterable.
type Value interface {
	// TypeName is Python's name of the type: "int", "str", "dict", "NoneType", ...
	TypeName() string
}

// NoneType is the type of None.
type NoneType struct{}

// None is Python's None.
var None = NoneType{}

type (
	// Bool is True or False.
	Bool bool
	// Int is an integer that fits 64 bits.
	Int int64
	// Float is a double.
	Float float64
	// Str is text, valid UTF-8 wherever it came from text.
	Str string
	// Bytes is a bytes object.
	Bytes string
)

// BigInt is an integer beyond 64 bits. Make it with NewInt, which gives an Int where one suffices.
type BigInt struct{ i *big.Int }

// NewInt gives i as an Int, or as a BigInt when it needs more than 64 bits.
func NewInt(i *big.Int) Value {
	if i.IsInt64() {
		return Int(i.Int64())
	}
	return BigInt{i: i}
}

// Big is a copy of the integer.
func (b BigInt) Big() *big.Int { return new(big.Int).Set(b.i) }

// A Mark is a place in the text that a value was read from: line and column, both from 1; zero when unknown.
type Mark struct{ Line, Col int32 }

// A List is a mutable sequence; whoever holds the pointer sees the same list.
type List struct {
	Items []Value
	// Marks are the places of the items, where they were read from a file: empty, or as long as Items were then.
	Marks []Mark
}

// NewList makes a list of the items, which it keeps.
func NewList(items ...Value) *List { return &List{Items: items} }

// MarkAt is the place of item i, zero when unknown.
func (l *List) MarkAt(i int) Mark {
	if i < len(l.Marks) {
		return l.Marks[i]
	}
	return Mark{}
}

// A Tuple is an immutable sequence.
type Tuple struct{ Items []Value }

// NewTuple makes a tuple of the items, which it keeps.
func NewTuple(items ...Value) *Tuple { return &Tuple{Items: items} }

// Undefined is what an unknown name, attribute or item yields in a template.
type Undefined struct {
	Name string // what was looked up
	Obj  string // Python's type name of where it was looked up, "" for a variable
	Hint string // the whole message, when it is not the standard one
	Key  Value  // what was looked up, when it was no text
	In   Value  // where it was looked up, nil for a variable
	// Lenient makes str, iteration, length and `in` work as on nothing, as Jinja's default Undefined does. Without it they
	// raise, as StrictUndefined. Arithmetic, calls and items raise in both.
	Lenient bool
	// Cause is the error of using the value, whoever uses it: one that is there and cannot be told.
	Cause error
}

func (NoneType) TypeName() string   { return "NoneType" }
func (Bool) TypeName() string       { return "bool" }
func (Int) TypeName() string        { return "int" }
func (BigInt) TypeName() string     { return "int" }
func (Float) TypeName() string      { return "float" }
func (Str) TypeName() string        { return "str" }
func (Bytes) TypeName() string      { return "bytes" }
func (*List) TypeName() string      { return "list" }
func (*Tuple) TypeName() string     { return "tuple" }
func (*Dict) TypeName() string      { return "dict" }
func (*Set) TypeName() string       { return "set" }
func (*Undefined) TypeName() string { return "Undefined" }

// A Callable can be called with positional and keyword arguments; kwargs is never nil.
type Callable interface {
	Value
	Call(ctx context.Context, args []Value, kwargs *Dict) (Value, error)
}

// Attrs is a value with attributes (loop, namespace, a module of macros). ok is false when there is no such attribute.
type Attrs interface {
	Value
	Attr(name string) (v Value, ok bool)
}

// Indexer is a value with items, v[key]. ok is false when there is no such item.
type Indexer interface {
	Value
	Item(key Value) (v Value, ok bool)
}

// Iterable is a value that a for loop can walk. yield returns false to stop.
type Iterable interface {
	Value
	Iterate(yield func(Value) bool)
}

// Truther is a value of the program's own with Python truth; without it a foreign value is true.
type Truther interface{ Truth() bool }

// Lener is a value of the program's own with a length.
type Lener interface{ Len() int }

// Stringer is a value of the program's own that says how it prints, str() and repr() alike.
type Stringer interface {
	Value
	PyStr() string
}

// Texter is a value of the program's own that is text with a repr of its own: str() gives the text, repr() PyStr.
type Texter interface {
	Stringer
	PlainText() Str
}

// Tupled is a value of the program's own that is a tuple to JSON, as Python's named tuples are.
type Tupled interface {
	Value
	AsTuple() *Tuple
}

// textOf is v as text, when it is text.
func textOf(v Value) (Str, bool) {
	if s, ok := v.(Str); ok {
		return s, true
	}
	if t, ok := v.(Texter); ok {
		return t.PlainText(), true
	}
	return "", false
}

// A Func is a Go function as a callable of a template.
type Func struct {
	Name string
	Fn   func(ctx context.Context, args []Value, kwargs *Dict) (Value, error)
}

func (*Func) TypeName() string { return "function" }

// Call calls the function.
func (f *Func) Call(ctx context.Context, args []Value, kwargs *Dict) (Value, error) {
	return f.Fn(ctx, args, kwargs)
}
