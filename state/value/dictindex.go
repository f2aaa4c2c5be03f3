package value

import "slices"

// smallDict is the size up to which a linear search beats the index.
const smallDict = 8

// An index is the open-addressed table of a Dict: slots hold places in the entries, so that one key costs 4 to 8 bytes and
// looking up allocates nothing.
type index struct {
	slots []int32 // a power of two of them: place+1, 0 is free, gone is a removed one
	used  int     // slots that are not free
}

const gone = -1

func (x index) clone() index { return index{slots: slices.Clone(x.slots), used: x.used} }

// add enters the last of the entries, whose key is new.
func (x *index) add(entries []Entry) {
	if (x.used+1)*4 > len(x.slots)*3 {
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
	x.slots, x.used = make([]int32, size), 0
	for i := range entries {
		x.put(hashOf(entries[i].Key), i)
	}
}

func (x *index) put(hash uint64, place int) {
	mask := uint64(len(x.slots) - 1)
	for h := hash & mask; ; h = (h + 1) & mask {
		if x.slots[h] == 0 {
			x.slots[h] = int32(place + 1)
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
		if s != gone && sameKey(entries[s-1].Key, key) {
			return int(s - 1)
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
		if k, ok := entries[s-1].Key.(Str); ok && string(k) == key {
			return int(s - 1)
		}
	}
}

// remove forgets entry i, which is still there, and moves those behind it one place down.
func (x *index) remove(entries []Entry, i int) {
	if x.slots == nil {
		return
	}
	mask := uint64(len(x.slots) - 1)
	for h := hashOf(entries[i].Key) & mask; ; h = (h + 1) & mask {
		if x.slots[h] == int32(i+1) {
			x.slots[h] = gone
			break
		}
	}
	if i == len(entries)-1 {
		return
	}
	for h, s := range x.slots {
		if s > int32(i+1) {
			x.slots[h] = s - 1
		}
	}
}
