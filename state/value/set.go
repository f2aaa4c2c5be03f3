package value

// A Set is Python's set. Salt differs: iteration is in order of insertion, so that output does not change by itself.
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
func (s *Set) Add(v Value) error {
	if s.Has(v) {
		return nil
	}
	return s.dict.Set(v, None)
}

// Has says whether v is in the set.
func (s *Set) Has(v Value) bool { return s.dict.Has(v) }

// Delete removes v and says whether it was there.
func (s *Set) Delete(v Value) bool { return s.dict.Delete(v) }

// Len is the number of items.
func (s *Set) Len() int { return s.dict.Len() }

// Copy is a shallow copy.
func (s *Set) Copy() *Set {
	out := &Set{}
	out.dict.become(s.dict.Copy())
	return out
}

// Items are the items in order of insertion.
func (s *Set) Items() []Value {
	out := make([]Value, len(s.dict.entries))
	for i := range s.dict.entries {
		out[i] = s.dict.entries[i].Key
	}
	return out
}

// union, intersect, minus and symmetric make new sets; the order is that of s, then of t.
func (s *Set) union(t *Set) *Set {
	out := s.Copy()
	for _, v := range t.Items() {
		_ = out.Add(v) // an item of a set can be hashed
	}
	return out
}

func (s *Set) intersect(t *Set) *Set { return s.filter(t.Has) }

func (s *Set) minus(t *Set) *Set {
	return s.filter(func(v Value) bool { return !t.Has(v) })
}

func (s *Set) symmetric(t *Set) *Set { return s.minus(t).union(t.minus(s)) }

func (s *Set) within(t *Set) bool {
	if s.Len() > t.Len() {
		return false
	}
	for _, v := range s.Items() {
		if !t.Has(v) {
			return false
		}
	}
	return true
}

func (s *Set) filter(keep func(Value) bool) *Set {
	out := &Set{}
	for _, v := range s.Items() {
		if keep(v) {
			_ = out.Add(v)
		}
	}
	return out
}
