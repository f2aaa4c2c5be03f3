package value

import "slices"

// smallDict is the size up to which a linear search beats the index.
const smallDict = 8

// An index is the open-addressed table of a Dict with more than smallDict entries: slots hold the numbers of entries,
// so that one key costs 4 to 8 bytes and looking up allocates nothing. The number of an entry is its place + base + 1;
// base lets the first entry go without renumbering the others.
type index struct {
	slots []int32 // a power of two of them; 0 is free, gone is a removed one
	base  int32
	used  int32 // slots that are not free
}

const gone = -1

func (x index) clone() index {
	x.slots = slices.Clone(x.slots)
	return x
}

// add enters the last of the entries, whose key is new.
func (x *index) add(entries []Entry) {
	if (int(x.used)+1)*4 > len(x.slots)*3 {
		x.rebuild(entries)
		return
	}
	x.put(hashOf(entries[len(entries)-1].Key), len(entries)-1)
}

func (x *index) rebuild(entries []Entry) {
	size := 32
	for size < len(entries)*2 {
		size *= 2
	}
	x.slots, x.used, x.base = make([]int32, size), 0, 0
	for i := range entries {
		x.put(hashOf(entries[i].Key), i)
	}
}

func (x *index) put(hash uint64, place int) {
	mask := uint64(len(x.slots) - 1)
	for h := hash & mask; ; h = (h + 1) & mask {
		if x.slots[h] == 0 {
			x.slots[h] = int32(place) + x.base + 1
			x.used++
			return
		}
	}
}

func (x *index) find(entries []Entry, key Value) int {
	mask := uint64(len(x.slots) - 1)
	for h := hashOf(key) & mask; ; h = (h + 1) & mask {
		s := x.slots[h]
		if s == 0 {
			return -1
		}
		if s == gone {
			continue
		}
		if place := s - x.base - 1; sameKey(entries[place].Key, key) {
			return int(place)
		}
	}
}

func (x *index) findStr(entries []Entry, key string) int {
	mask := uint64(len(x.slots) - 1)
	for h := hashStr(key) & mask; ; h = (h + 1) & mask {
		s := x.slots[h]
		if s == 0 {
			return -1
		}
		if s == gone {
			continue
		}
		place := s - x.base - 1
		if k, ok := entries[place].Key.(Str); ok && string(k) == key {
			return int(place)
		}
	}
}

// remove takes entry i out of the entries and gives what is left. The fewer of those before and behind it move.
func (x *index) remove(entries []Entry, i int) []Entry {
	last := len(entries) - 1
	if x.slots != nil {
		x.renumber(hashOf(entries[i].Key), int32(i)+x.base+1, gone)
		if i < last-i {
			x.shift(entries, 0, i, 1)
		} else {
			x.shift(entries, i+1, last+1, -1)
		}
	}
	if i < last-i {
		copy(entries[1:i+1], entries[:i])
		entries[0] = Entry{}
		entries = entries[1:]
		x.base++
	} else {
		entries = slices.Delete(entries, i, i+1)
	}
	switch {
	case len(entries) <= smallDict:
		*x = index{}
	case len(entries)*16 < len(x.slots):
		x.rebuild(entries)
	}
	return entries
}

// shift adds by to the numbers of the entries from one place to another: one by one when they are few.
func (x *index) shift(entries []Entry, from, to int, by int32) {
	low, high := int32(from)+x.base+1, int32(to)+x.base+1
	if (to-from)*8 < len(x.slots) {
		for i := from; i < to; i++ {
			at := i
			if by > 0 {
				at = to - 1 - (i - from) // so that no number is there twice
			}
			n := int32(at) + x.base + 1
			x.renumber(hashOf(entries[at].Key), n, n+by)
		}
		return
	}
	for h, s := range x.slots {
		if s >= low && s < high {
			x.slots[h] = s + by
		}
	}
}

// renumber replaces the number in the slot that the hash leads to.
func (x *index) renumber(hash uint64, number, by int32) {
	mask := uint64(len(x.slots) - 1)
	for h := hash & mask; ; h = (h + 1) & mask {
		if x.slots[h] == number {
			x.slots[h] = by
			return
		}
	}
}
