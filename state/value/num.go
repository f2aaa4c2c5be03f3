package value

import (
	"math"
	"math/big"
)

type numKind uint8

const (
	isInt numKind = iota
	isBig
	isFloat
)

// num is a number taken out of its Value: bools are ints.
type num struct {
	kind numKind
	i    int64
	b    *big.Int
	f    float64
}

func asNum(v Value) (num, bool) {
	switch v := v.(type) {
	case Int:
		return num{kind: isInt, i: int64(v)}, true
	case Bool:
		if v {
			return num{kind: isInt, i: 1}, true
		}
		return num{kind: isInt}, true
	case Float:
		return num{kind: isFloat, f: float64(v)}, true
	case BigInt:
		return num{kind: isBig, b: v.i}, true
	}
	return num{}, false
}

// asInteger is asNum for whole numbers only: int and bool.
func asInteger(v Value) (num, bool) {
	n, ok := asNum(v)
	return n, ok && n.kind != isFloat
}

// asIndex is a whole number that fits an int, clamped when it does not.
func asIndex(v Value) (int, bool) {
	n, ok := asInteger(v)
	if !ok {
		return 0, false
	}
	if n.kind == isBig {
		if n.b.Sign() < 0 {
			return math.MinInt, true
		}
		return math.MaxInt, true
	}
	return int(n.i), true
}

func (n num) big() *big.Int {
	if n.kind == isBig {
		return n.b
	}
	return big.NewInt(n.i)
}

func (n num) isZero() bool {
	switch n.kind {
	case isInt:
		return n.i == 0
	case isFloat:
		return n.f == 0
	}
	return n.b.Sign() == 0
}

func (n num) negative() bool {
	switch n.kind {
	case isInt:
		return n.i < 0
	case isFloat:
		return n.f < 0
	}
	return n.b.Sign() < 0
}

// float is the nearest double, as Python converts; the error is its OverflowError.
func (n num) float() (float64, error) {
	switch n.kind {
	case isInt:
		return float64(n.i), nil
	case isFloat:
		return n.f, nil
	}
	f, _ := new(big.Float).SetInt(n.b).Float64()
	if math.IsInf(f, 0) {
		return 0, Raise("OverflowError", "int too large to convert to float")
	}
	return f, nil
}
