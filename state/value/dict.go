package value

import (
	"iter"
	"slices"
	"sync/atomic"
)

// An Entry is one key of a Dict with its value and where both were read.
type Entry struct {
	Key, Val       Value
	KeyAt, ValueAt Mark
}

// A Dict is Python's dict: insertion-ordered, mutable, shared by whoever holds the pointer. The zero Dict is empty.
type Dict struct {
	entries []Entry
	index   index                  // finds entries by key; empty while the dict is small
	unmade  atomic.Pointer[unmade] // nil unless the dict was made by NewLazyDict, and nobody needed the whole of it yet
}

// NewDict makes an empty dict with room for n entries.
func NewDict(n int) *Dict { return &Dict{entries: make([]Entry, 0, n)} }

// DictOf makes a dict of text keys: key, value, key, value...
func DictOf(pairs ...any) *Dict {
	d := NewDict(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		d.SetStr(pairs[i].(string), pairs[i+1].(Value))
	}
	return d
}

// Len is the number of entries.
func (d *Dict) Len() int { return len(d.made()) }

// At is entry i in order of insertion.
func (d *Dict) At(i int) Entry { return d.made()[i].opened() }

// All walks the entries in order. Entries that are added meanwhile are seen, too.
func (d *Dict) All() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i := 0; i < len(d.made()); i++ {
			if !yield(d.entries[i].Key, Opened(d.entries[i].Val)) {
				return
			}
		}
	}
}

// Get is the value of the key. ok is false when it is absent or can be no key.
func (d *Dict) Get(key Value) (v Value, ok bool) {
	if s, ok := key.(Str); ok {
		return d.GetStr(string(s))
	}
	if len(d.made()) == 0 || !hashable(key, 0) {
		return nil, false
	}
	if i := d.find(key); i >= 0 {
		return Opened(d.entries[i].Val), true
	}
	return nil, false
}

// GetStr is the value of a text key.
func (d *Dict) GetStr(key string) (Value, bool) {
	if u := d.unmade.Load(); u != nil {
		return u.get(key)
	}
	if i := d.findStr(key); i >= 0 {
		return Opened(d.entries[i].Val), true
	}
	return nil, false
}

// Has says whether the key is there.
func (d *Dict) Has(key Value) bool {
	if s, ok := key.(Str); ok && d.unmade.Load() != nil {
		_, ok := d.GetStr(string(s))
		return ok
	}
	_, ok := d.Peek(key)
	return ok
}

// Entry is the whole entry of a text key.
func (d *Dict) Entry(key string) (Entry, bool) {
	d.made()
	if i := d.findStr(key); i >= 0 {
		return d.entries[i].opened(), true
	}
	return Entry{}, false
}

// Set binds the key; a key that is there keeps its place and its first spelling. The error is Python's TypeError for a
// key that cannot be hashed.
func (d *Dict) Set(key, v Value) error { return d.SetAt(key, v, Mark{}, Mark{}) }

// SetStr binds a text key.
func (d *Dict) SetStr(key string, v Value) {
	d.made()
	if i := d.findStr(key); i >= 0 {
		d.entries[i].Val, d.entries[i].ValueAt = v, Mark{}
		return
	}
	d.append(Entry{Key: Str(key), Val: v})
}

// SetAt is Set with the places that the key and the value were read from.
func (d *Dict) SetAt(key, v Value, keyAt, valueAt Mark) error {
	if !hashable(key, 0) {
		return unhashable(key)
	}
	d.made()
	if i := d.find(key); i >= 0 {
		d.entries[i].Val, d.entries[i].ValueAt = v, valueAt
		return nil
	}
	d.append(Entry{Key: key, Val: v, KeyAt: keyAt, ValueAt: valueAt})
	return nil
}

// Delete removes the key and says whether it was there. It costs a move of the entries before or behind it.
func (d *Dict) Delete(key Value) bool {
	if !hashable(key, 0) {
		return false
	}
	d.made()
	i := d.find(key)
	if i < 0 {
		return false
	}
	d.removeAt(i)
	return true
}

// Copy is a shallow copy.
func (d *Dict) Copy() *Dict {
	return &Dict{entries: slices.Clone(d.made()), index: d.index.clone()}
}

// Clear removes all entries.
func (d *Dict) Clear() {
	d.made()
	d.entries, d.index = nil, index{}
}

// Update sets all entries of other, with their places.
func (d *Dict) Update(other *Dict) {
	for i := 0; i < len(other.made()); i++ {
		e := &other.entries[i]
		_ = d.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt) // a key of a dict can be hashed
	}
}

func (d *Dict) append(e Entry) {
	d.entries = append(d.entries, e)
	if len(d.entries) > smallDict {
		d.index.add(d.entries)
	}
}

func (d *Dict) removeAt(i int) {
	d.entries = d.index.remove(d.entries, i)
}

func (d *Dict) find(key Value) int {
	if s, ok := key.(Str); ok {
		return d.findStr(string(s))
	}
	if d.index.slots != nil {
		return d.index.find(d.entries, key)
	}
	for i := range d.entries {
		if sameKey(d.entries[i].Key, key) {
			return i
		}
	}
	return -1
}

func (d *Dict) findStr(key string) int {
	if d.index.slots != nil {
		return d.index.findStr(d.entries, key)
	}
	for i := range d.entries {
		if s, ok := d.entries[i].Key.(Str); ok && string(s) == key {
			return i
		}
	}
	return -1
}
