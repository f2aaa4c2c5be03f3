package value

import (
	"math"
	"math/big"
	"math/bits"
)

// maxBits bounds the size of an integer; CPython refuses to print one far below that.
const maxBits = 1 << 22

// Binary is a OP b for + - * / // % ** & | ^ << >> by name.
func Binary(op string, a, b Value) (Value, error) {
	switch op {
	case "+":
		return Add(a, b)
	case "-":
		return Sub(a, b)
	case "*":
		return Mul(a, b)
	case "/":
		return TrueDiv(a, b)
	case "//":
		return FloorDiv(a, b)
	case "%":
		return Mod(a, b)
	case "**":
		return Pow(a, b)
	}
	return bitOp(op, a, b)
}

func unsupported(op string, a, b Value) error {
	if err := undefinedAmong(a, b); err != nil {
		return err
	}
	return Raise("TypeError", "unsupported operand type(s) for %s: '%s' and '%s'", op, typeName(a), typeName(b))
}

// Add is a + b: numbers, and text, bytes, lists and tuples of one kind.
func Add(a, b Value) (Value, error) {
	switch x := a.(type) {
	case Int:
		if y, ok := b.(Int); ok {
			if s := x + y; (s > x) == (y > 0) {
				return s, nil
			}
			return NewInt(new(big.Int).Add(big.NewInt(int64(x)), big.NewInt(int64(y)))), nil
		}
	case Str:
		if y, ok := b.(Str); ok {
			if len(x)+len(y) > MaxText {
				return nil, tooBig()
			}
			return x + y, nil
		}
	}
	x, y, ok := twoNums(a, b)
	if !ok {
		return concat(a, b)
	}
	if x.kind == isFloat || y.kind == isFloat {
		return floatOp(x, y, func(f, g float64) float64 { return f + g })
	}
	return NewInt(new(big.Int).Add(x.big(), y.big())), nil
}

// Sub is a - b: numbers and sets.
func Sub(a, b Value) (Value, error) {
	if x, ok := a.(Int); ok {
		if y, ok := b.(Int); ok {
			if d := x - y; (d < x) == (y > 0) {
				return d, nil
			}
		}
	}
	x, y, ok := twoNums(a, b)
	switch {
	case !ok:
		return setOp("-", a, b)
	case x.kind == isFloat || y.kind == isFloat:
		return floatOp(x, y, func(f, g float64) float64 { return f - g })
	}
	return NewInt(new(big.Int).Sub(x.big(), y.big())), nil
}

// Mul is a * b: numbers, and sequences repeated.
func Mul(a, b Value) (Value, error) {
	x, y, ok := twoNums(a, b)
	switch {
	case !ok:
		return repeatEither(a, b)
	case x.kind == isFloat || y.kind == isFloat:
		return floatOp(x, y, func(f, g float64) float64 { return f * g })
	}
	if x.kind == isInt && y.kind == isInt {
		if p, ok := mulInts(x.i, y.i); ok {
			return Int(p), nil
		}
	}
	if x.big().BitLen()+y.big().BitLen() > maxBits {
		return nil, intTooBig()
	}
	return NewInt(new(big.Int).Mul(x.big(), y.big())), nil
}

func mulInts(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// TrueDiv is a / b, always a float.
func TrueDiv(a, b Value) (Value, error) {
	x, y, ok := twoNums(a, b)
	if !ok {
		return nil, unsupported("/", a, b)
	}
	if x.kind == isFloat || y.kind == isFloat {
		if y.isZero() {
			return nil, Raise("ZeroDivisionError", "float division by zero")
		}
		return floatOp(x, y, func(f, g float64) float64 { return f / g })
	}
	if y.isZero() {
		return nil, Raise("ZeroDivisionError", "division by zero")
	}
	const exact = 1 << 53
	if x.kind == isInt && y.kind == isInt && magnitude(x.i) <= exact && magnitude(y.i) <= exact {
		return Float(float64(x.i) / float64(y.i)), nil
	}
	f, _ := new(big.Rat).SetFrac(x.big(), y.big()).Float64()
	if math.IsInf(f, 0) {
		return nil, Raise("OverflowError", "integer division result too large for a float")
	}
	return Float(f), nil
}

// FloorDiv is a // b, rounded down.
func FloorDiv(a, b Value) (Value, error) {
	x, y, ok := twoNums(a, b)
	if !ok {
		return nil, unsupported("//", a, b)
	}
	if x.kind == isFloat || y.kind == isFloat {
		if y.isZero() {
			return nil, Raise("ZeroDivisionError", "float floor division by zero")
		}
		return floatOp(x, y, func(f, g float64) float64 { q, _ := floatDivmod(f, g); return q })
	}
	if y.isZero() {
		return nil, Raise("ZeroDivisionError", "integer division or modulo by zero")
	}
	q, _ := intDivmod(x, y)
	return q, nil
}

// Mod is a % b: the remainder with the sign of b; on text and bytes, formatting.
func Mod(a, b Value) (Value, error) {
	switch s := a.(type) {
	case Str:
		return FormatPercent(string(s), b)
	case Bytes:
		return nil, Raise("NotImplementedError", "%%-formatting of bytes is not supported")
	}
	x, y, ok := twoNums(a, b)
	if !ok {
		return nil, unsupported("%", a, b)
	}
	if x.kind == isFloat || y.kind == isFloat {
		if y.isZero() {
			return nil, Raise("ZeroDivisionError", "float modulo")
		}
		return floatOp(x, y, func(f, g float64) float64 { _, m := floatDivmod(f, g); return m })
	}
	if y.isZero() {
		return nil, Raise("ZeroDivisionError", "integer modulo by zero")
	}
	_, m := intDivmod(x, y)
	return m, nil
}

func twoNums(a, b Value) (x, y num, ok bool) {
	if x, ok = asNum(a); !ok {
		return
	}
	y, ok = asNum(b)
	return
}

func floatOp(x, y num, op func(f, g float64) float64) (Value, error) {
	f, err := x.float()
	if err != nil {
		return nil, err
	}
	g, err := y.float()
	if err != nil {
		return nil, err
	}
	return Float(op(f, g)), nil
}

// floatDivmod is Python's divmod of floats: the remainder has the sign of g, the quotient is whole.
func floatDivmod(f, g float64) (quotient, remainder float64) {
	m := math.Mod(f, g)
	q := (f - m) / g
	if m != 0 {
		if (g < 0) != (m < 0) {
			m += g
			q--
		}
	} else {
		m = math.Copysign(0, g)
	}
	if q == 0 {
		return math.Copysign(0, f/g), m
	}
	floor := math.Floor(q)
	if q-floor > 0.5 {
		floor++
	}
	return floor, m
}

func intDivmod(x, y num) (quotient, remainder Value) {
	if x.kind == isInt && y.kind == isInt && !(x.i == math.MinInt64 && y.i == -1) {
		q, m := x.i/y.i, x.i%y.i
		if m != 0 && (m < 0) != (y.i < 0) {
			q--
			m += y.i
		}
		return Int(q), Int(m)
	}
	q, m := new(big.Int).QuoRem(x.big(), y.big(), new(big.Int))
	if m.Sign() != 0 && (m.Sign() < 0) != y.negative() {
		q.Sub(q, big.NewInt(1))
		m.Add(m, y.big())
	}
	return NewInt(q), NewInt(m)
}

func intTooBig() error {
	return Raise("OverflowError", "integer is too big (more than %d bits)", maxBits)
}
