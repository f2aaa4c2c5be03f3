package modules

import (
	"slices"
	"sort"
)

// diffWork is how many comparisons a diff may cost, some tenths of a second. What is left to compare then takes the
// nearest equal lines, not the longest block: nearBy is how far apart they may be.
const (
	diffWork = 30_000_000
	nearBy   = 1000
)

// A matcher finds what two texts have in common, as Python's difflib.SequenceMatcher does: the longest block of equal
// lines, then the same on both sides of it. Lines of b that make up more than a hundredth of it are popular: no block
// is looked for by them.
type matcher struct {
	a, b   []int   // lines by number, equal ones have the same
	places [][]int // by number: where b has the line, unless it is popular
	work   int     // what is left of diffWork
	blocks []block

	// The lengths of the blocks that end at each line of b, and the step at which they were found.
	length, found []int
	step          int
}

// A block is a run of equal lines: a[a:a+size] and b[b:b+size].
type block struct{ a, b, size int }

// matching gives the blocks in order, with an empty one at the end of both.
func matching(a, b []string) []block {
	m := &matcher{work: diffWork, length: make([]int, len(b)+1), found: make([]int, len(b)+1)}
	numbers := make(map[string]int, len(a))
	number := func(lines []string) []int {
		out := make([]int, len(lines))
		for i, l := range lines {
			n, ok := numbers[l]
			if !ok {
				n = len(numbers)
				numbers[l] = n
			}
			out[i] = n
		}
		return out
	}
	m.a, m.b = number(a), number(b)
	m.places = make([][]int, len(numbers))
	for j, n := range m.b {
		m.places[n] = append(m.places[n], j)
	}
	for n, places := range m.places {
		if len(b) >= 200 && len(places) > len(b)/100+1 {
			m.places[n] = nil
		}
	}
	m.match(0, len(a), 0, len(b))
	return append(m.blocks, block{len(a), len(b), 0})
}

// match adds the blocks of a[alo:ahi] and b[blo:bhi]. The larger part of what is left is done in place: texts in which
// every second line differs would go as deep as they are long.
func (m *matcher) match(alo, ahi, blo, bhi int) {
	for alo < ahi && blo < bhi {
		var l block
		if m.work > 0 {
			l = m.longest(alo, ahi, blo, bhi)
			if l.size > 0 {
				m.match(alo, l.a, blo, l.b)
			}
		} else {
			l = m.nearest(alo, ahi, blo, bhi)
		}
		if l.size == 0 {
			return
		}
		m.add(l)
		alo, blo = l.a+l.size, l.b+l.size
	}
}

// add appends a block, to the last one when it goes on from there.
func (m *matcher) add(l block) {
	if n := len(m.blocks); n > 0 {
		if last := &m.blocks[n-1]; last.a+last.size == l.a && last.b+last.size == l.b {
			last.size += l.size
			return
		}
	}
	m.blocks = append(m.blocks, l)
}

// longest is the longest block of equal lines, of those the first in a, and of those the first in b.
func (m *matcher) longest(alo, ahi, blo, bhi int) block {
	best := block{alo, blo, 0}
	m.step++ // so that nothing that was found before counts
	for i := alo; i < ahi && m.work > 0; i++ {
		m.step++
		places := m.places[m.a[i]]
		places = places[sort.SearchInts(places, blo):]
		places = places[:sort.SearchInts(places, bhi)]
		m.work -= 1 + len(places)
		for _, j := range slices.Backward(places) { // backward, as j's entry is that of the line before until it is set
			size := 1
			if j > 0 && m.found[j-1] == m.step-1 {
				size += m.length[j-1]
			}
			m.found[j], m.length[j] = m.step, size
			if first := i - size + 1; size > best.size || size == best.size && first == best.a {
				best = block{first, j - size + 1, size}
			}
		}
	}
	for best.a > alo && best.b > blo && m.a[best.a-1] == m.b[best.b-1] {
		best.a, best.b, best.size = best.a-1, best.b-1, best.size+1
	}
	return m.extended(best, ahi, bhi)
}

// extended is the block with the equal lines behind it.
func (m *matcher) extended(l block, ahi, bhi int) block {
	for l.a+l.size < ahi && l.b+l.size < bhi && m.a[l.a+l.size] == m.b[l.b+l.size] {
		l.size++
	}
	return l
}

// nearest is the first block of a whose lines are not much farther on in b.
func (m *matcher) nearest(alo, ahi, blo, bhi int) block {
	for i := alo; i < ahi; i++ {
		places := m.places[m.a[i]]
		at := sort.SearchInts(places, blo)
		if at < len(places) && places[at] < min(bhi, blo+i-alo+nearBy) {
			return m.extended(block{i, places[at], 1}, ahi, bhi)
		}
	}
	return block{}
}
