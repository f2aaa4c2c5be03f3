package value

import (
	"math"
	"math/big"
)

// Pow is a ** b. A power that is no real number, as of (-8) ** 0.5, is an error here; Python has complex numbers.
func Pow(a, b Value) (Value, error) {
	x, y, ok := twoNums(a, b)
	if !ok {
		if err := undefinedAmong(a, b); err != nil {
			return nil, err
		}
		return nil, Raise("TypeError", "unsupported operand type(s) for ** or pow(): '%s' and '%s'", typeName(a), typeName(b))
	}
	if x.kind == isFloat || y.kind == isFloat || y.negative() {
		return powFloat(x, y)
	}
	return powInt(x.big(), y)
}

func powInt(base *big.Int, y num) (Value, error) {
	switch {
	case y.isZero():
		return Int(1), nil
	case base.IsInt64() && magnitude(base.Int64()) <= 1:
		if base.Sign() < 0 && y.big().Bit(0) == 0 {
			return Int(1), nil
		}
		return Int(base.Int64()), nil
	case y.kind == isBig || y.i > maxBits || int64(base.BitLen()-1)*y.i > maxBits:
		return nil, intTooBig()
	}
	return NewInt(new(big.Int).Exp(base, big.NewInt(y.i), nil)), nil
}

func powFloat(x, y num) (Value, error) {
	f, err := x.float()
	if err != nil {
		return nil, err
	}
	g, err := y.float()
	if err != nil {
		return nil, err
	}
	switch {
	case f == 0 && g < 0:
		return nil, Raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case f < 0 && g != math.Trunc(g) && !math.IsInf(f, 0) && !math.IsInf(g, 0):
		return nil, Raise("ValueError", "complex numbers are not supported: a negative number cannot be raised to a "+
			"fractional power")
	}
	p := power(f, g)
	if math.IsInf(p, 0) && !math.IsInf(f, 0) && !math.IsInf(g, 0) {
		return nil, Raise("OverflowError", "(34, 'Numerical result out of range')")
	}
	return Float(p), nil
}

// Neg is -v.
func Neg(v Value) (Value, error) {
	n, ok := asNum(v)
	if !ok {
		return nil, badUnary("-", v)
	}
	switch {
	case n.kind == isFloat:
		return Float(-n.f), nil
	case n.kind == isInt && n.i != math.MinInt64:
		return Int(-n.i), nil
	}
	return NewInt(new(big.Int).Neg(n.big())), nil
}

// Pos is +v.
func Pos(v Value) (Value, error) {
	n, ok := asNum(v)
	if !ok {
		return nil, badUnary("+", v)
	}
	if n.kind == isInt {
		return Int(n.i), nil
	}
	return v, nil
}

// Invert is ~v.
func Invert(v Value) (Value, error) {
	n, ok := asInteger(v)
	if !ok {
		return nil, badUnary("~", v)
	}
	if n.kind == isInt {
		return Int(^n.i), nil
	}
	return NewInt(new(big.Int).Not(n.b)), nil
}

// Abs is abs(v).
func Abs(v Value) (Value, error) {
	n, ok := asNum(v)
	if !ok {
		if err := undefinedAmong(v); err != nil {
			return nil, err
		}
		return nil, Raise("TypeError", "bad operand type for abs(): '%s'", typeName(v))
	}
	if n.kind == isFloat {
		return Float(math.Abs(n.f)), nil
	}
	if n.negative() {
		return Neg(v)
	}
	return Pos(v)
}

func badUnary(op string, v Value) error {
	if err := undefinedAmong(v); err != nil {
		return err
	}
	return Raise("TypeError", "bad operand type for unary %s: '%s'", op, typeName(v))
}
