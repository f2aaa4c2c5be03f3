package compile

import "math/big"

// A mersenne is MT19937 as Ruby's Random seeds it with a large number.
type mersenne struct {
	state [624]uint32
	at    int
}

func newMersenne(seed *big.Int) *mersenne {
	var key []uint32
	rest, mask := new(big.Int).Set(seed), big.NewInt(0xffffffff)
	for rest.Sign() > 0 {
		key = append(key, uint32(new(big.Int).And(rest, mask).Uint64()))
		rest.Rsh(rest, 32)
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	m := &mersenne{}
	m.init(19650218)
	const n = 624
	i, j := 1, 0
	for range max(n, len(key)) {
		m.state[i] = (m.state[i] ^ ((m.state[i-1] ^ (m.state[i-1] >> 30)) * 1664525)) + key[j] + uint32(j)
		i, j = i+1, j+1
		if i >= n {
			m.state[0], i = m.state[n-1], 1
		}
		if j >= len(key) {
			j = 0
		}
	}
	for range n - 1 {
		m.state[i] = (m.state[i] ^ ((m.state[i-1] ^ (m.state[i-1] >> 30)) * 1566083941)) - uint32(i)
		if i++; i >= n {
			m.state[0], i = m.state[n-1], 1
		}
	}
	m.state[0] = 0x80000000
	m.at = n
	return m
}

func (m *mersenne) init(seed uint32) {
	m.state[0] = seed
	for i := uint32(1); i < 624; i++ {
		m.state[i] = 1812433253*(m.state[i-1]^(m.state[i-1]>>30)) + i
	}
}

func (m *mersenne) next() uint32 {
	if m.at >= 624 {
		for i := range 624 {
			y := m.state[i]&0x80000000 | m.state[(i+1)%624]&0x7fffffff
			v := m.state[(i+397)%624] ^ y>>1
			if y&1 != 0 {
				v ^= 0x9908b0df
			}
			m.state[i] = v
		}
		m.at = 0
	}
	y := m.state[m.at]
	m.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// below is a number from 0 to n-1, as Ruby takes it: bits under a mask until they fit.
func (m *mersenne) below(n int64) int64 {
	limit := uint64(n - 1)
	if limit == 0 {
		return 0
	}
	mask := limit
	for s := uint(1); s < 64; s <<= 1 {
		mask |= mask >> s
	}
	for {
		var v uint64
		ok := true
		for i := 1; i >= 0; i-- {
			if mask>>(uint(i)*32)&0xffffffff == 0 {
				continue
			}
			v |= uint64(m.next()) << (uint(i) * 32)
			v &= mask
			if limit < v {
				ok = false
				break
			}
		}
		if ok {
			return int64(v)
		}
	}
}
