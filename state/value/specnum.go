package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

func (s *spec) integer(n num, typ string) (string, error) {
	base, prefix := 10, ""
	switch s.kind {
	case 0, 'd', 'n':
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0o"
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	case 'c':
		if s.precision < 0 && !s.noNegZero {
			return s.char(n)
		}
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		f, err := n.float()
		if err != nil {
			return "", err
		}
		return s.float(f, typ)
	default:
		return "", s.unknown(typ)
	}
	if s.precision >= 0 {
		return "", Raise("ValueError", "Precision not allowed in integer format specifier")
	}
	if s.noNegZero {
		return "", Raise("ValueError", "Negative zero coercion (z) not allowed in integer format specifier")
	}
	digits := new(big.Int).Abs(n.big()).Text(base)
	if s.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	if !s.alt {
		prefix = ""
	}
	return s.number(signOf(n.negative(), s.sign)+prefix, digits, "", base)
}

func (s *spec) char(n num) (string, error) {
	switch {
	case s.sign != 0:
		return "", Raise("ValueError", "Sign not allowed with integer format specifier 'c'")
	case s.alt:
		return "", Raise("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'")
	case n.kind == isBig || n.i < 0 || n.i > 0x10ffff:
		return "", Raise("OverflowError", "%%c arg not in range(0x110000)")
	}
	return s.pad("", string(rune(n.i)), '>')
}

func signOf(negative bool, sign byte) string {
	switch {
	case negative:
		return "-"
	case sign == '+' || sign == ' ':
		return string(sign)
	}
	return ""
}

// number puts a number together: zeros that fill the width are grouped like its digits.
func (s *spec) number(prefix, digits, tail string, base int) (string, error) {
	if s.group == 0 {
		return s.pad(prefix, digits+tail, '>')
	}
	size := 3
	if base != 10 {
		size = 4
	}
	if s.fill == "0" && s.align == '=' {
		if s.width > maxWidth {
			return "", tooBig()
		}
		room := s.width - len(prefix) - len(tail)
		if zeros := digitsFor(room, size) - len(digits); zeros > 0 {
			digits = strings.Repeat("0", zeros) + digits
		}
	}
	return s.pad(prefix, groupDigits(digits, size, s.group)+tail, '>')
}

// digitsFor is the least number of digits that fill the room when grouped.
func digitsFor(room, size int) int {
	n := room / (size + 1) * size
	for n+(n-1)/size < room {
		n++
	}
	return n
}

func groupDigits(digits string, size int, sep byte) string {
	if !strings.ContainsAny(digits, "0123456789abcdefABCDEF") {
		return digits
	}
	b := make([]byte, 0, len(digits)*4/3+1)
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%size == 0 {
			b = append(b, sep)
		}
		b = append(b, digits[i])
	}
	return string(b)
}

func (s *spec) float(f float64, typ string) (string, error) {
	if s.kind != 0 && !strings.ContainsRune("eEfFgGn%", s.kind) {
		return "", s.unknown(typ)
	}
	if s.precision > math.MaxInt32 {
		return "", Raise("ValueError", "precision too big")
	}
	if s.precision > maxWidth {
		return "", tooBig()
	}
	body := floatDigits(math.Abs(f), s.kind, s.precision, s.alt)
	negative := math.Signbit(f) && f == f
	if s.noNegZero && negative && strings.Trim(body, "0.eE+-%") == "" {
		negative = false
	}
	prefix := signOf(negative, s.sign)
	if math.IsInf(f, 0) || f != f {
		// nan and inf have no digits to group
		return s.pad(prefix, body, '>')
	}
	whole := len(body)
	if i := strings.IndexAny(body, ".eE%"); i >= 0 {
		whole = i
	}
	return s.number(prefix, body[:whole], body[whole:], 10)
}

// floatDigits formats f >= 0 (or nan) by a type of the mini-language; precision -1 is the default one.
func floatDigits(f float64, kind rune, precision int, alt bool) string {
	var out string
	switch {
	case f != f || math.IsInf(f, 0):
		if out = "inf"; f != f {
			out = "nan"
		}
		if kind == '%' {
			out += "%"
		}
	case kind == 0 && precision < 0:
		out = string(appendFloatRepr(nil, f))
		if alt && !strings.ContainsAny(out, ".") {
			out = addPoint(out)
		}
	case kind == 0:
		out = general(f, max(precision, 1), alt, true)
	case kind == 'e' || kind == 'E':
		out = strconv.FormatFloat(f, 'e', orSix(precision), 64)
		if alt && precision == 0 {
			out = addPoint(out)
		}
	case kind == 'f' || kind == 'F' || kind == '%':
		if kind == '%' {
			f *= 100
		}
		if math.IsInf(f, 0) {
			return "inf%"
		}
		if out = strconv.FormatFloat(f, 'f', orSix(precision), 64); alt && precision == 0 {
			out += "."
		}
		if kind == '%' {
			out += "%"
		}
	default:
		out = general(f, max(orSix(precision), 1), alt, false)
	}
	if kind == 'E' || kind == 'F' || kind == 'G' {
		return strings.ToUpper(out)
	}
	return out
}

func orSix(precision int) int {
	if precision < 0 {
		return 6
	}
	return precision
}

func addPoint(s string) string {
	if i := strings.IndexByte(s, 'e'); i >= 0 {
		return s[:i] + "." + s[i:]
	}
	return s + "."
}

// general is the type g: precision significant digits, an exponent where it is shorter. asStr keeps one digit behind
// the point, as the type-less form does.
func general(f float64, precision int, alt, asStr bool) string {
	e := strconv.FormatFloat(f, 'e', precision-1, 64)
	at := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[at+1:])
	limit := precision
	if asStr {
		limit-- // so that there is room for the digit behind the point
	}
	if exp < -4 || exp >= limit {
		return trimFraction(e[:at], alt) + e[at:]
	}
	out := strconv.FormatFloat(f, 'f', max(precision-1-exp, 0), 64)
	if out = trimFraction(out, alt); asStr && !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}

func trimFraction(s string, alt bool) string {
	if alt {
		if !strings.Contains(s, ".") {
			s += "."
		}
		return s
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
