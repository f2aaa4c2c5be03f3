// Package pyrandom is Python's random: the same seed picks the same numbers, so that a tree that spreads its jobs over
// the hour by random.seed keeps their minutes. It is for nothing that has to stay secret.
package pyrandom

import (
	"crypto/sha512"
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/gostate/gostate/state/value"
)

// words is how many numbers of 32 bits the Mersenne twister keeps.
const words = 624

// A Source gives numbers one after the other.
type Source struct {
	state [words]uint32
	next  int
}

// New is the source that a seed stands for: a whole number without its sign, or a text or bytes. Other values count as
// what they are printed as.
func New(seed value.Value) *Source {
	n := new(big.Int)
	switch v := seed.(type) {
	case value.Int:
		n.SetInt64(int64(v))
	case value.Bool:
		if v {
			n.SetInt64(1)
		}
	case value.BigInt:
		n.SetString(value.String(v), 10)
	default:
		text := value.BytesOf(seed)
		sum := sha512.Sum512(text)
		n.SetBytes(append(slices.Clone(text), sum[:]...))
	}
	return fromKey(n.Bytes())
}

// fromKey seeds with the bytes of a number, the highest first.
func fromKey(b []byte) *Source {
	slices.Reverse(b)
	b = append(b, make([]byte, (4-len(b)%4)%4)...)
	if len(b) == 0 {
		b = make([]byte, 4)
	}
	key := make([]uint32, len(b)/4)
	for i := range key {
		key[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	s := &Source{next: words}
	s.begin(19650218)
	s.mix(key)
	return s
}

func (s *Source) begin(seed uint32) {
	s.state[0] = seed
	for i := uint32(1); i < words; i++ {
		s.state[i] = 1812433253*(s.state[i-1]^s.state[i-1]>>30) + i
	}
}

// mix is init_by_array of the twister's authors.
func (s *Source) mix(key []uint32) {
	i, j := 1, 0
	step := func() {
		if i++; i >= words {
			s.state[0], i = s.state[words-1], 1
		}
	}
	for range max(words, len(key)) {
		s.state[i] = (s.state[i] ^ (s.state[i-1]^s.state[i-1]>>30)*1664525) + key[j] + uint32(j)
		step()
		j = (j + 1) % len(key)
	}
	for range words - 1 {
		s.state[i] = (s.state[i] ^ (s.state[i-1]^s.state[i-1]>>30)*1566083941) - uint32(i)
		step()
	}
	s.state[0] = 0x80000000
}

func (s *Source) twist() {
	for i := range s.state {
		y := s.state[i]&0x80000000 | s.state[(i+1)%words]&0x7fffffff
		s.state[i] = s.state[(i+397)%words] ^ y>>1 ^ y&1*0x9908b0df
	}
	s.next = 0
}

func (s *Source) uint32() uint32 {
	if s.next >= words {
		s.twist()
	}
	y := s.state[s.next]
	s.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// bits are so many random bits, at most 64.
func (s *Source) bits(n int) uint64 {
	if n <= 32 {
		return uint64(s.uint32()) >> (32 - n)
	}
	low := uint64(s.uint32())
	return low | uint64(s.uint32())>>(64-n)<<32
}

// Below is a number from 0 to n-1; n is above 0.
func (s *Source) Below(n int64) int64 {
	k := bits.Len64(uint64(n))
	for {
		if r := int64(s.bits(k)); r < n {
			return r
		}
	}
}

// Sample are k different places of a list of n items, in the order in which random.sample takes them.
func (s *Source) Sample(n, k int) []int {
	size := 21 // Python keeps a set of the places from here on
	if k > 5 {
		size += int(math.Pow(4, math.Ceil(math.Log(float64(k)*3)/math.Log(4))))
	}
	out := make([]int, k)
	if n > size {
		taken := map[int]bool{}
		for i := range out {
			for out[i] = int(s.Below(int64(n))); taken[out[i]]; out[i] = int(s.Below(int64(n))) {
			}
			taken[out[i]] = true
		}
		return out
	}
	pool := make([]int, n)
	for i := range pool {
		pool[i] = i
	}
	for i := range out {
		j := s.Below(int64(n - i))
		out[i], pool[j] = pool[j], pool[n-i-1]
	}
	return out
}
