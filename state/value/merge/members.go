package merge

import (
	"slices"

	"github.com/gostate/gostate/state/value"
)

// members is a set of values by Python's equality. Values that cannot be hashed are compared one by one.
type members struct {
	hashed *value.Dict
	others []value.Value
}

func newMembers(items []value.Value) *members {
	m := &members{hashed: value.NewDict(len(items))}
	for _, it := range items {
		if m.hashed.Set(it, value.None) != nil {
			m.others = append(m.others, it)
		}
	}
	return m
}

func (m *members) has(v value.Value) bool {
	if _, ok := m.hashed.Get(v); ok {
		return true
	}
	return slices.ContainsFunc(m.others, func(o value.Value) bool { return value.Equal(o, v) })
}
