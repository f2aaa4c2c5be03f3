package syntax

import (
	"math/big"
	"strconv"
	"strings"
)

// parseNumber reads a number as it is written: an int64, a float64, or a *big.Int for one that is too large.
func parseNumber(text string) (any, bool) {
	lower := strings.ToLower(text)
	base, digits := 10, lower
	switch {
	case strings.HasPrefix(lower, "0x"):
		base, digits = 16, lower[2:]
	case strings.ContainsAny(lower, ".e"):
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil && !strings.Contains(text, "_") && !strings.HasSuffix(text, ".")
	case len(lower) > 1 && lower[0] == '0':
		base, digits = 8, lower[1:]
	}
	if strings.Contains(digits, "_") {
		return nil, false
	}
	n, ok := new(big.Int).SetString(digits, base)
	if ok && n.IsInt64() {
		return n.Int64(), true
	}
	return n, ok
}
