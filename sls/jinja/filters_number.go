package jinja

import (
	"errors"
	"math"
	"math/big"
	"strconv"

	"github.com/gostate/gostate/state/value"
)

func absolute(v value.Value) (value.Value, error) {
	if err := used(v); err != nil {
		return nil, raise("TypeError", "bad operand type for abs(): %s", quote(strictName(v)))
	}
	return value.Abs(v)
}

// strictName is the class of an undefined value.
func strictName(v value.Value) string {
	if u, ok := v.(*value.Undefined); ok && !u.Lenient {
		return "StrictUndefined"
	}
	return typeName(v)
}

func isClass(err error, classes ...string) bool {
	if err == nil {
		return false
	}
	var e *value.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range classes {
		if e.Class == c {
			return true
		}
	}
	return false
}

func filterInt(_ *Call, p []value.Value) (value.Value, error) {
	def := p[1]
	if def == nil {
		def = value.Int(0)
	}
	if err := used(p[0]); err != nil {
		return nil, err
	}
	v := Plain(p[0])
	var base value.Value
	if _, ok := v.(value.Str); ok {
		base = p[2]
	}
	out, err := value.ToInt(v, base)
	if !isClass(err, "TypeError", "ValueError") {
		return out, err
	}
	f, err := value.ToFloat(v)
	if err == nil {
		out, err = value.ToInt(f, nil)
	}
	if isClass(err, "TypeError", "ValueError", "OverflowError") {
		return def, nil
	}
	return out, err
}

func filterFloat(_ *Call, p []value.Value) (value.Value, error) {
	if err := used(p[0]); err != nil {
		return nil, err
	}
	out, err := value.ToFloat(Plain(p[0]))
	if isClass(err, "TypeError", "ValueError") {
		if p[1] == nil {
			return value.Float(0), nil
		}
		return p[1], nil
	}
	return out, err
}

func filterRound(_ *Call, p []value.Value) (value.Value, error) {
	method := "common"
	if p[2] != nil {
		m, err := str(p[2])
		if err != nil {
			return nil, err
		}
		method = m
	}
	precision, err := whole(p[1], 0)
	if err != nil {
		return nil, err
	}
	if precision > 400 || precision < -400 {
		precision = max(-400, min(400, precision))
	}
	switch method {
	case "common":
		return round(p[0], precision)
	case "ceil", "floor":
	default:
		return nil, raise("FilterArgumentError", "method must be common, ceil or floor")
	}
	scale, err := value.Pow(value.Int(10), value.Int(precision))
	if err != nil {
		return nil, err
	}
	v, err := binary(Mul, p[0], scale)
	if err != nil {
		return nil, err
	}
	f, ok := v.(value.Float)
	if ok {
		g := math.Floor(float64(f))
		if method == "ceil" {
			g = math.Ceil(float64(f))
		}
		if v, err = value.ToInt(value.Float(g), nil); err != nil {
			return nil, err
		}
	} else if !isWhole(v) {
		return nil, raise("TypeError", "must be real number, not %s", typeName(v))
	}
	return value.TrueDiv(v, scale)
}

func isWhole(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.BigInt, value.Bool:
		return true
	}
	return false
}

// round is Python's round(v, n): exact, halves to even.
func round(v value.Value, n int) (value.Value, error) {
	switch x := v.(type) {
	case value.Float:
		f := float64(x)
		if math.IsNaN(f) || math.IsInf(f, 0) || n > 330 {
			return x, nil
		}
		if n >= 0 {
			r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', n, 64), 64)
			if err != nil {
				return x, nil
			}
			return value.Float(r), nil
		}
		i, _ := new(big.Float).SetFloat64(math.Trunc(f)).Int(nil)
		exact := f == math.Trunc(f)
		r, _ := new(big.Float).SetInt(roundBig(i, n, exact, f < 0)).Float64()
		return value.Float(math.Copysign(r, f)), nil
	case value.Bool, value.Int, value.BigInt:
		i, err := value.ToInt(x, nil)
		if err != nil || n >= 0 {
			return i, err
		}
		b, ok := new(big.Int).SetString(value.String(i), 10)
		if !ok {
			return i, nil
		}
		return value.NewInt(roundBig(b, n, true, b.Sign() < 0)), nil
	case *value.Undefined:
		return nil, raise("TypeError", "type %s doesn't define __round__ method", strictName(v))
	}
	return nil, raise("TypeError", "type %s doesn't define __round__ method", typeName(v))
}

// roundBig rounds i to 10**-n; exact says that nothing was cut off i before.
func roundBig(i *big.Int, n int, exact, negative bool) *big.Int {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-n)), nil)
	q, r := new(big.Int).QuoRem(new(big.Int).Abs(i), unit, new(big.Int))
	switch c := new(big.Int).Lsh(r, 1).Cmp(unit); {
	case c > 0 || c == 0 && (!exact || q.Bit(0) == 1):
		q.Add(q, big.NewInt(1))
	}
	q.Mul(q, unit)
	if negative {
		q.Neg(q)
	}
	return q
}

func filterFilesize(_ *Call, p []value.Value) (value.Value, error) {
	if err := used(p[0]); err != nil {
		return nil, err
	}
	v, err := value.ToFloat(Plain(p[0]))
	if err != nil {
		return nil, err
	}
	bin, err := flag(p[1], false)
	if err != nil {
		return nil, err
	}
	bytes, base, prefixes := float64(v.(value.Float)), 1000.0, []string{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}
	if bin {
		base, prefixes = 1024, []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"}
	}
	switch {
	case bytes == 1:
		return value.Str("1 Byte"), nil
	case bytes < base:
		return value.Str(strconv.FormatFloat(math.Trunc(bytes), 'f', 0, 64) + " Bytes"), nil
	}
	unit := base
	for i, prefix := range prefixes {
		unit *= base
		if bytes < unit || i == len(prefixes)-1 {
			return value.Str(strconv.FormatFloat(base*bytes/unit, 'f', 1, 64) + " " + prefix), nil
		}
	}
	return nil, nil
}
