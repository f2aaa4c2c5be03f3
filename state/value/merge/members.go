package merge

import "github.com/gostate/gostate/state/value"

// members is a set of values by Python's equality. Values that cannot be hashed are compared one by one.
type members struct {
	hashed *value.Dict
	others []value.Value
}

func newMembers(items []value.Value) *members {
	m := &members{hashed: value.NewDict(len(items))}
	for _, it := range items {
		m.add(it)
	}
	return m
}

// add puts v in and says whether it was not there.
func (m *members) add(v value.Value) bool {
	before := m.hashed.Len()
	if m.hashed.Set(v, value.None) == nil {
		return m.hashed.Len() > before
	}
	for _, o := range m.others {
		if value.Equal(o, v) {
			return false
		}
	}
	m.others = append(m.others, v)
	return true
}
