package modules

import "hash/crc32"

// Meant gathers sums of the contents that a state means a machine to have and that its arguments do not hold: what its
// source gives, or its template. A report keeps what comes of it, and so tells a change that the tree asks for from one
// of the machine. A nil one gathers nothing.
type Meant struct {
	first uint64
	more  map[uint64]bool
}

// Note notes the sum of what a name (a path, an address) is to hold. A state may note it as often as it looks.
func (m *Meant) Note(name string, sum uint32) {
	if m == nil {
		return
	}
	pair := uint64(crc32.ChecksumIEEE([]byte(name)))<<32 | uint64(sum)
	switch {
	case m.first == 0:
		m.first = pair
	case m.first != pair:
		if m.more == nil {
			m.more = map[uint64]bool{}
		}
		m.more[pair] = true
	}
}

// Sum is of all that was noted, in whatever order.
func (m *Meant) Sum() uint64 {
	const odd = 0x9E3779B97F4A7C15
	sum := m.first * odd
	for pair := range m.more {
		sum += pair * odd
	}
	return sum
}
