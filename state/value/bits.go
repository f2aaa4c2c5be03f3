package value

import "math/big"

// Lshift is a << b.
func Lshift(a, b Value) (Value, error) { return bitOp("<<", a, b) }

// bitOp is & | ^ << >> of integers, and what of it sets and dicts have.
func bitOp(op string, a, b Value) (Value, error) {
	x, ok := asInteger(a)
	y, ok2 := asInteger(b)
	if !ok || !ok2 {
		return setOp(op, a, b)
	}
	if op == "<<" || op == ">>" {
		return shift(op, x, y)
	}
	p, aBool := a.(Bool)
	q, bBool := b.(Bool)
	if aBool && bBool {
		switch op {
		case "&":
			return p && q, nil
		case "|":
			return p || q, nil
		}
		return Bool(p != q), nil
	}
	z := new(big.Int)
	switch op {
	case "&":
		z.And(x.big(), y.big())
	case "|":
		z.Or(x.big(), y.big())
	case "^":
		z.Xor(x.big(), y.big())
	default:
		return nil, unsupported(op, a, b)
	}
	return NewInt(z), nil
}

func shift(op string, x, y num) (Value, error) {
	switch {
	case y.negative():
		return nil, Raise("ValueError", "negative shift count")
	case op == ">>" && (y.kind == isBig || y.i > 2*maxBits):
		if x.negative() {
			return Int(-1), nil
		}
		return Int(0), nil
	case op == ">>":
		return NewInt(new(big.Int).Rsh(x.big(), uint(y.i))), nil
	case x.isZero():
		return Int(0), nil
	case y.kind == isBig || y.i > maxBits || int64(x.big().BitLen())+y.i > maxBits:
		return nil, intTooBig()
	}
	return NewInt(new(big.Int).Lsh(x.big(), uint(y.i))), nil
}

// setOp is what an operator means to sets, views of dicts and, for |, dicts.
func setOp(op string, a, b Value) (Value, error) {
	if x, ok := a.(*Dict); ok && op == "|" {
		if y, ok := b.(*Dict); ok {
			out := x.Copy()
			out.Update(y)
			return out, nil
		}
	}
	s, isSet := asSet(a)
	t, isSet2 := asSet(b)
	if isSet != isSet2 && (isView(a) || isView(b)) {
		var err error
		if !isSet {
			s, err = setOf(a)
		} else {
			t, err = setOf(b)
		}
		if err != nil {
			return nil, err
		}
		isSet, isSet2 = true, true
	}
	if !isSet || !isSet2 {
		return nil, unsupported(op, a, b)
	}
	switch op {
	case "&":
		return s.intersect(t), nil
	case "|":
		return s.union(t), nil
	case "^":
		return s.symmetric(t), nil
	case "-":
		return s.minus(t), nil
	}
	return nil, unsupported(op, a, b)
}
