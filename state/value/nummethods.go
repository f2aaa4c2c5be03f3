package value

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

func intMethod(name string) method {
	switch name {
	case "bit_length", "bit_count", "conjugate", "as_integer_ratio":
		return intPlain
	case "to_bytes":
		return intToBytes
	}
	return nil
}

func floatMethod(name string) method {
	switch name {
	case "is_integer", "conjugate", "as_integer_ratio", "hex":
		return floatPlain
	}
	return nil
}

func rangeMethod(name string) method {
	switch name {
	case "index", "count":
		return rangeFind
	}
	return nil
}

func intPlain(recv Value, a args) (Value, error) {
	a.typ = "int"
	if err := a.none(); err != nil {
		return nil, err
	}
	n, _ := asNum(recv)
	switch a.name {
	case "bit_length":
		return Int(n.big().BitLen()), nil
	case "bit_count":
		count := 0
		for _, w := range n.big().Bits() {
			count += bits.OnesCount(uint(w))
		}
		return Int(count), nil
	case "as_integer_ratio":
		whole, err := Pos(recv)
		return NewTuple(whole, Int(1)), err
	}
	return Pos(recv)
}

func intToBytes(recv Value, a args) (Value, error) {
	v, err := a.named("length", "byteorder", "signed")
	if err != nil {
		return nil, err
	}
	n, _ := asNum(recv)
	size, err := integer(v[0], 1)
	if err != nil {
		return nil, err
	}
	order := "big"
	if v[1] != nil {
		if order, err = wantStr(v[1], "to_bytes() argument 'byteorder' must be str"); err != nil {
			return nil, err
		}
	}
	i, signed := n.big(), v[2] != nil && Truth(v[2])
	switch {
	case order != "big" && order != "little":
		return nil, Raise("ValueError", "byteorder must be either 'little' or 'big'")
	case size < 0:
		return nil, Raise("ValueError", "length argument must be non-negative")
	case size > MaxText:
		return nil, tooBig()
	case i.Sign() < 0 && !signed:
		return nil, Raise("OverflowError", "can't convert negative int to unsigned")
	}
	buf, ok := twosComplement(i, size, signed)
	if !ok {
		return nil, Raise("OverflowError", "int too big to convert")
	}
	if order == "little" {
		for l, r := 0, len(buf)-1; l < r; l, r = l+1, r-1 {
			buf[l], buf[r] = buf[r], buf[l]
		}
	}
	return Bytes(buf), nil
}

func twosComplement(i *big.Int, size int, signed bool) ([]byte, bool) {
	bitsOf, room := i.BitLen(), size*8
	if signed {
		room--
		if i.Sign() < 0 {
			bitsOf = new(big.Int).Not(i).BitLen()
		}
	}
	if bitsOf > max(room, 0) {
		return nil, false
	}
	if i.Sign() < 0 {
		i = new(big.Int).Add(i, new(big.Int).Lsh(big.NewInt(1), uint(size*8)))
	}
	return i.FillBytes(make([]byte, size)), true
}

func floatPlain(recv Value, a args) (Value, error) {
	if err := a.none(); err != nil {
		return nil, err
	}
	f := float64(recv.(Float))
	switch a.name {
	case "is_integer":
		return Bool(f == math.Trunc(f) && !math.IsInf(f, 0)), nil
	case "hex":
		return Str(floatHex(f)), nil
	case "as_integer_ratio":
		if f != f {
			return nil, Raise("ValueError", "cannot convert NaN to integer ratio")
		}
		if math.IsInf(f, 0) {
			return nil, Raise("OverflowError", "cannot convert Infinity to integer ratio")
		}
		r := new(big.Rat).SetFloat64(f)
		return NewTuple(NewInt(new(big.Int).Set(r.Num())), NewInt(new(big.Int).Set(r.Denom()))), nil
	}
	return recv, nil
}

// floatHex is float.hex: 13 digits, the exponent without leading zeros.
func floatHex(f float64) string {
	if f != f || math.IsInf(f, 0) {
		return string(appendFloatRepr(nil, f))
	}
	if f == 0 {
		return signOf(math.Signbit(f), 0) + "0x0.0p+0"
	}
	s := strconv.FormatFloat(f, 'x', 13, 64)
	at := strings.IndexByte(s, 'p')
	exp := strings.TrimLeft(s[at+2:], "0")
	if exp == "" {
		exp = "0"
	}
	return s[:at+2] + exp
}

func rangeFind(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	r := recv.(*Range)
	has := r.has(v)
	if a.name == "count" {
		if has {
			return Int(1), nil
		}
		return Int(0), nil
	}
	if !has {
		return nil, Raise("ValueError", "%s is not in range", Repr(v))
	}
	away, err := Sub(v, Int(r.Start))
	if err != nil {
		return nil, err
	}
	i, err := FloorDiv(away, Int(r.Step))
	if err != nil {
		return nil, err
	}
	return ToInt(i, nil)
}
