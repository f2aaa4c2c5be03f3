package value

import (
	"iter"
	"slices"
)

// An Entry is one key of a Dict with its value and where both were read.
type Entry struct {
	Key, Val       Value
	KeyAt, ValueAt Mark
}

// A Dict is Python's dict: insertion-ordered, mutable, shared by whoever holds the pointer. The zero Dict is empty.
type Dict struct {
	entries []Entry
	index   map[any]int32 // canonical key -> place in entries; nil while the dict is small
}

// smallDict is the size up to which a linear search beats the index.
const smallDict = 8

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
func (d *Dict) Len() int { return len(d.entries) }

// At is entry i in order of insertion.
func (d *Dict) At(i int) Entry { return d.entries[i] }

// All walks the entries in order. The dict must not be changed meanwhile.
func (d *Dict) All() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i := range d.entries {
			if !yield(d.entries[i].Key, d.entries[i].Val) {
				return
			}
		}
	}
}

// Get is the value of the key. ok is false when it is absent or can be no key.
func (d *Dict) Get(key Value) (v Value, ok bool) {
	k, hashable := canonical(key)
	if !hashable {
		return nil, false
	}
	if i := d.find(k); i >= 0 {
		return d.entries[i].Val, true
	}
	return nil, false
}

// GetStr is the value of a text key.
func (d *Dict) GetStr(key string) (Value, bool) { return d.Get(Str(key)) }

// Entry is the whole entry of a text key.
func (d *Dict) Entry(key string) (Entry, bool) {
	if i := d.find(Str(key)); i >= 0 {
		return d.entries[i], true
	}
	return Entry{}, false
}

// Set binds the key; a key that is there keeps its place and its first spelling. The error is Python's TypeError for a
// key that cannot be hashed.
func (d *Dict) Set(key, v Value) error { return d.SetAt(key, v, Mark{}, Mark{}) }

// SetStr binds a text key.
func (d *Dict) SetStr(key string, v Value) { _ = d.Set(Str(key), v) }

// SetAt is Set with the places that the key and the value were read from.
func (d *Dict) SetAt(key, v Value, keyAt, valueAt Mark) error {
	k, ok := canonical(key)
	if !ok {
		return Raise("TypeError", "unhashable type: '%s'", unhashableName(key))
	}
	if i := d.find(k); i >= 0 {
		d.entries[i].Val, d.entries[i].ValueAt = v, valueAt
		return nil
	}
	d.entries = append(d.entries, Entry{Key: key, Val: v, KeyAt: keyAt, ValueAt: valueAt})
	switch {
	case d.index != nil:
		d.index[k] = int32(len(d.entries) - 1)
	case len(d.entries) > smallDict:
		d.reindex()
	}
	return nil
}

// Delete removes the key and says whether it was there.
func (d *Dict) Delete(key Value) bool {
	k, ok := canonical(key)
	if !ok {
		return false
	}
	i := d.find(k)
	if i < 0 {
		return false
	}
	if i == len(d.entries)-1 {
		d.entries = d.entries[:i]
		delete(d.index, k)
		return true
	}
	d.entries = slices.Delete(d.entries, i, i+1)
	if d.index != nil {
		d.reindex()
	}
	return true
}

// Copy is a shallow copy.
func (d *Dict) Copy() *Dict {
	c := &Dict{entries: slices.Clone(d.entries)}
	if d.index != nil {
		c.reindex()
	}
	return c
}

// Clear removes all entries.
func (d *Dict) Clear() { d.entries, d.index = nil, nil }

func (d *Dict) reindex() {
	d.index = make(map[any]int32, len(d.entries)*2)
	for i := range d.entries {
		k, _ := canonical(d.entries[i].Key)
		d.index[k] = int32(i)
	}
}

func (d *Dict) find(k any) int {
	if d.index != nil {
		if i, ok := d.index[k]; ok {
			return int(i)
		}
		return -1
	}
	for i := range d.entries {
		if c, _ := canonical(d.entries[i].Key); c == k {
			return i
		}
	}
	return -1
}

// A Set is Python's set. Iteration is in order of insertion, so that output is deterministic.
type Set struct{ dict Dict }

// NewSet makes a set of the items; items that cannot be hashed are an error.
func NewSet(items ...Value) (*Set, error) {
	s := &Set{}
	for _, v := range items {
		if err := s.Add(v); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add puts v in the set.
func (s *Set) Add(v Value) error { return s.dict.Set(v, None) }

// Has says whether v is in the set.
func (s *Set) Has(v Value) bool { _, ok := s.dict.Get(v); return ok }

// Len is the number of items.
func (s *Set) Len() int { return s.dict.Len() }

// Items are the items in order of insertion.
func (s *Set) Items() []Value {
	out := make([]Value, 0, s.Len())
	for k := range s.dict.All() {
		out = append(out, k)
	}
	return out
}
