package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// ToInt is Python's int(v, base). base nil or None means that none is given.
func ToInt(v, base Value) (Value, error) {
	if err := undefinedAmong(v, base); err != nil {
		return nil, err
	}
	s, isText := asText(v)
	if isNone(base) && isText {
		return parseInt(s, 10, v)
	}
	if !isNone(base) {
		b, err := integer(base, 10)
		if err != nil {
			return nil, err
		}
		if !isText {
			return nil, Raise("TypeError", "int() can't convert non-string with explicit base")
		}
		return parseInt(s, b, v)
	}
	n, ok := asNum(v)
	switch {
	case !ok:
		return nil, Raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'",
			typeName(v))
	case n.kind == isFloat:
		return truncate(n.f)
	}
	return Pos(v)
}

func asText(v Value) (string, bool) {
	switch v := v.(type) {
	case Str:
		return string(v), true
	case Bytes:
		return string(v), true
	}
	return "", false
}

// truncate is int(f).
func truncate(f float64) (Value, error) {
	switch {
	case f != f:
		return nil, Raise("ValueError", "cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		return nil, Raise("OverflowError", "cannot convert float infinity to integer")
	case f > -1<<63 && f < 1<<63:
		return Int(int64(f)), nil
	}
	i, _ := big.NewFloat(f).Int(nil)
	return NewInt(i), nil
}

// maxDigits is CPython's limit on the digits of a number in text.
const maxDigits = 4300

func parseInt(s string, base int, orig Value) (Value, error) {
	if base != 0 && (base < 2 || base > 36) {
		return nil, Raise("ValueError", "int() base must be >= 2 and <= 36, or 0")
	}
	invalid := func() error {
		return Raise("ValueError", "invalid literal for int() with base %d: %s", base, Repr(orig))
	}
	t := strings.TrimFunc(plainDigits(s), isSpace)
	sign := ""
	if t != "" && (t[0] == '-' || t[0] == '+') {
		sign, t = t[:1], t[1:]
	}
	radix, t, ok := splitBase(t, base)
	if !ok || strings.HasPrefix(t, "_") || strings.HasSuffix(t, "_") || strings.Contains(t, "__") {
		return nil, invalid()
	}
	if i, err := strconv.ParseInt(t, radix, 64); err == nil && t[0] != '-' && t[0] != '+' {
		if sign == "-" {
			i = -i
		}
		return Int(i), nil
	}
	t = strings.ReplaceAll(t, "_", "")
	if radix&(radix-1) != 0 && len(t) > maxDigits {
		return nil, Raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
			"use sys.set_int_max_str_digits() to increase the limit", maxDigits, len(t))
	}
	if t == "" || strings.ContainsAny(t, "+-") {
		return nil, invalid()
	}
	if len(t) > 1<<16 {
		return nil, intTooBig()
	}
	i, ok := new(big.Int).SetString(sign+t, radix)
	if !ok {
		return nil, invalid()
	}
	return NewInt(i), nil
}

// splitBase takes 0x, 0o and 0b off digits where the base allows it.
func splitBase(t string, base int) (radix int, digits string, ok bool) {
	radix = base
	if base == 0 {
		radix = 10
	}
	if len(t) > 1 && t[0] == '0' {
		found := 0
		switch t[1] {
		case 'x', 'X':
			found = 16
		case 'o', 'O':
			found = 8
		case 'b', 'B':
			found = 2
		}
		if found != 0 && (base == 0 || base == found) {
			return found, strings.TrimPrefix(t[2:], "_"), len(t) > 2
		}
	}
	if base == 0 && len(t) > 1 && t[0] == '0' && strings.Trim(t, "0_") != "" {
		return radix, t, false
	}
	return radix, t, true
}

// plainDigits turns the decimal digits of all scripts into ASCII ones.
func plainDigits(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 || !unicode.Is(unicode.Nd, r) {
			return r
		}
		return '0' + digitValue(r)
	}, s)
}

// digitValue is the value of a decimal digit: they come in runs of ten.
func digitValue(r rune) rune {
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10
		}
	}
	return 0
}

// ToFloat is Python's float(v).
func ToFloat(v Value) (Value, error) {
	if err := undefinedAmong(v); err != nil {
		return nil, err
	}
	if n, ok := asNum(v); ok {
		f, err := n.float()
		return Float(f), err
	}
	s, ok := asText(v)
	if !ok {
		return nil, Raise("TypeError", "float() argument must be a string or a real number, not '%s'", typeName(v))
	}
	t := strings.TrimFunc(plainDigits(s), isSpace)
	if low := strings.ToLower(t); low == "+nan" || low == "-nan" {
		t = "nan" // Go takes no sign there
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(t, "_", ""), 64)
	if !isFloatText(t) || err != nil && !math.IsInf(f, 0) {
		return nil, Raise("ValueError", "could not convert string to float: %s", Repr(v))
	}
	return Float(f), nil
}

// isFloatText refuses what Go's parser takes and Python's does not: hexadecimals, and underscores not between digits.
func isFloatText(t string) bool {
	if strings.ContainsAny(t, "xXpP") {
		return false
	}
	for i := 0; i < len(t); i++ {
		if t[i] != '_' {
			continue
		}
		if i == 0 || i == len(t)-1 || !asciiDigit(t[i-1]) || !asciiDigit(t[i+1]) {
			return false
		}
	}
	return t != ""
}

func asciiDigit(c byte) bool { return c >= '0' && c <= '9' }

// Texts are the items of a list as texts, or the one value as its text.
func Texts(v Value) []string {
	l, ok := v.(*List)
	if !ok {
		return []string{String(v)}
	}
	out := make([]string, len(l.Items))
	for i, it := range l.Items {
		out[i] = String(it)
	}
	return out
}
