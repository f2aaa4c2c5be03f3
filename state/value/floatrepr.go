package value

import (
	"math"
	"strconv"
)

// appendFloatRepr is Python's repr of a float: the shortest digits that read back, with an exponent below 1e-4 and from
// 1e+16 on.
func appendFloatRepr(b []byte, f float64) []byte {
	switch {
	case f != f:
		return append(b, "nan"...)
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(b, f, 'e', -1, 64) // Go's exponent has two digits at least, too
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	for _, c := range b[start:] {
		if c == '.' {
			return b
		}
	}
	return append(b, '.', '0')
}
