package value

import (
	"iter"
	"sync"
)

// A Sealed is the value of a Dict that is made when it is first got out of the dict: a text that is encrypted. Only
// entries of dicts are sealed; a list that holds such a text is sealed as a whole. What looks at entries as they are
// (Peek, PeekAt, DeepCopy, Update) leaves it closed. It prints as three asterisks, so that what forgot to open it shows
// nothing.
type Sealed struct {
	open func() Value
	once sync.Once
	v    Value
}

// NewSealed is a value that open makes, once. What cannot be opened is an Undefined with a Cause.
func NewSealed(open func() Value) *Sealed { return &Sealed{open: open} }

// TypeName is the name in messages.
func (*Sealed) TypeName() string { return "str" }

// PyStr hides the value.
func (*Sealed) PyStr() string { return "***" }

// Open is the value itself.
func (s *Sealed) Open() Value {
	s.once.Do(func() { s.v, s.open = s.open(), nil })
	return s.v
}

// Opened is v, or what is sealed in it.
func Opened(v Value) Value {
	if s, ok := v.(*Sealed); ok {
		return s.Open()
	}
	return v
}

// opened is the entry with its value.
func (e Entry) opened() Entry {
	e.Val = Opened(e.Val)
	return e
}

// Peek is Get that leaves a sealed value closed.
func (d *Dict) Peek(key Value) (Value, bool) {
	if !hashable(key, 0) || len(d.made()) == 0 {
		return nil, false
	}
	if i := d.find(key); i >= 0 {
		return d.entries[i].Val, true
	}
	return nil, false
}

// Peeks is All that leaves sealed values closed.
func (d *Dict) Peeks() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i := 0; i < len(d.made()); i++ {
			if !yield(d.entries[i].Key, d.entries[i].Val) {
				return
			}
		}
	}
}

// PeekAt is At that leaves a sealed value closed.
func (d *Dict) PeekAt(i int) Entry { return d.made()[i] }
