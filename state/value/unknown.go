package value

import "context"

// Unknown is a value of which nothing is known: what a command that is not run would have printed. Its attributes, its
// items and what it gives when it is called are unknown, too; it holds nothing and is false, and prints as the word
// unknown, so that an ID made of it is one.
type Unknown struct {
	By string // what it depends on
}

// TypeName is the name in messages.
func (*Unknown) TypeName() string { return "unknown" }

// Attr is the value itself.
func (u *Unknown) Attr(string) (Value, bool) { return u, true }

// Item is the value itself.
func (u *Unknown) Item(Value) (Value, bool) { return u, true }

// Call gives the value itself.
func (u *Unknown) Call(context.Context, []Value, *Dict) (Value, error) { return u, nil }

// Iterate walks over nothing.
func (*Unknown) Iterate(func(Value) bool) {}

// Truth is false.
func (*Unknown) Truth() bool { return false }

// Len is 0.
func (*Unknown) Len() int { return 0 }

// PyStr is the word for it.
func (*Unknown) PyStr() string { return "unknown" }

// UnknownAmong is the first value of which nothing is known, nil when all are known.
func UnknownAmong(vs ...Value) *Unknown {
	for _, v := range vs {
		if u, ok := v.(*Unknown); ok {
			return u
		}
	}
	return nil
}
