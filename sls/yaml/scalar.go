package yaml

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// The tags of YAML 1.1 as nodes carry them.
const (
	tagNull      = "!!null"
	tagBool      = "!!bool"
	tagInt       = "!!int"
	tagFloat     = "!!float"
	tagStr       = "!!str"
	tagTimestamp = "!!timestamp"
	tagMerge     = "!!merge"
	tagValue     = "!!value"
	tagIndicator = "!!yaml"
)

// resolve is the tag that YAML 1.1 gives a plain scalar.
func resolve(s string) string {
	if s == "" {
		return tagNull
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9', c == '-', c == '+', c == '.':
		return resolveNumber(s)
	case len(s) > 5:
		return tagStr
	}
	switch s {
	case "~", "null", "Null", "NULL":
		return tagNull
	case "=":
		return tagValue
	case "<<":
		return tagMerge
	case "!", "&", "*":
		return tagIndicator
	}
	if _, ok := parseBool(s); ok {
		return tagBool
	}
	return tagStr
}

func parseBool(s string) (v, ok bool) {
	switch s {
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}

func resolveNumber(s string) string {
	switch {
	case isInt(s):
		return tagInt
	case isFloat(s):
		return tagFloat
	case isTimestamp(s):
		return tagTimestamp
	}
	return tagStr
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func digit_(c byte) bool { return digit(c) || c == '_' }

// span is the number of leading bytes of s that are ok.
func span(s string, ok func(byte) bool) int {
	for i := 0; i < len(s); i++ {
		if !ok(s[i]) {
			return i
		}
	}
	return len(s)
}

func all(s string, ok func(byte) bool) bool { return s != "" && span(s, ok) == len(s) }

func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// isInt: 0b10, 017, 0 and 1_000, 0x1F, 1:30:00, each with a sign or without.
func isInt(s string) bool {
	s = unsigned(s)
	switch {
	case s == "":
		return false
	case s == "0":
		return true
	case strings.HasPrefix(s, "0b"):
		return all(s[2:], func(c byte) bool { return c == '0' || c == '1' || c == '_' })
	case strings.HasPrefix(s, "0x"):
		return all(s[2:], func(c byte) bool { return digit_(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' })
	case s[0] == '0':
		return all(s[1:], func(c byte) bool { return c >= '0' && c <= '7' || c == '_' })
	case !digit(s[0]):
		return false
	}
	n := span(s, digit_)
	return n == len(s) || isSixties(s[n:])
}

// isSixties: one or more of a colon with 0 to 59, one digit or two.
func isSixties(s string) bool {
	for s != "" {
		switch {
		case s[0] != ':' || len(s) < 2 || !digit(s[1]):
			return false
		case len(s) > 2 && digit(s[2]):
			if s[1] > '5' {
				return false
			}
			s = s[3:]
		default:
			s = s[2:]
		}
	}
	return true
}

// isFloat: 1.5, 1., 1.5e+3, .5, 1:30.5, .inf, -.INF, .nan. An exponent needs its sign, and .5 takes none.
func isFloat(s string) bool {
	switch s {
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
		return true
	}
	if s[0] == '.' {
		return len(s) > 1 && digit(s[1]) && isFraction(s[1:])
	}
	s = unsigned(s)
	if s == "" || !digit(s[0]) {
		return false
	}
	n := span(s, digit_)
	if n < len(s) && s[n] == '.' {
		return isFraction(s[n+1:])
	}
	dot := strings.IndexByte(s, '.')
	return dot > n && isSixties(s[n:dot]) && span(s[dot+1:], digit_) == len(s)-dot-1
}

// isFraction: what follows the point: digits, perhaps none, and perhaps an exponent.
func isFraction(s string) bool {
	s = s[span(s, digit_):]
	if s == "" {
		return true
	}
	return len(s) > 2 && (s[0] == 'e' || s[0] == 'E') && (s[1] == '-' || s[1] == '+') && all(s[2:], digit)
}

// isTimestamp: 2001-12-14, or a date with a time and perhaps a zone. Salt leaves them text; the emitter quotes such
// text.
func isTimestamp(s string) bool {
	if len(s) < 8 || !all(s[:4], digit) || s[4] != '-' {
		return false
	}
	if len(s) == 10 && s[7] == '-' && all(s[5:7], digit) && all(s[8:], digit) {
		return true
	}
	s, ok := digits(s[5:], 1, 2)
	if !ok || s == "" || s[0] != '-' {
		return false
	}
	if s, ok = digits(s[1:], 1, 2); !ok || s == "" {
		return false
	}
	if s[0] == 'T' || s[0] == 't' {
		s = s[1:]
	} else if n := span(s, blank); n > 0 {
		s = s[n:]
	} else {
		return false
	}
	return isClock(s)
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func isClock(s string) bool {
	s, ok := digits(s, 1, 2)
	for range 2 {
		if !ok || s == "" || s[0] != ':' {
			return false
		}
		s, ok = digits(s[1:], 2, 2)
	}
	if !ok {
		return false
	}
	if s != "" && s[0] == '.' {
		s = s[1+span(s[1:], digit):]
	}
	if s == "" {
		return true
	}
	s = s[span(s, blank):]
	if s == "Z" {
		return true
	}
	if s == "" || s[0] != '-' && s[0] != '+' {
		return false
	}
	if s, ok = digits(s[1:], 1, 2); !ok || s == "" {
		return ok
	}
	return len(s) == 3 && s[0] == ':' && all(s[1:], digit)
}

// digits cuts at most most digits from the front; ok when there were at least least.
func digits(s string, least, most int) (rest string, ok bool) {
	n := min(span(s, digit), most)
	return s[n:], n >= least
}

// maxDigits is how long a number may be; Python refuses longer ones too.
const maxDigits = 4300

// parseInt is the value of an integer scalar by Salt's rule: leading zeros are dropped, except behind a sign, where
// they mean octal. ok is false for what Python refuses.
func parseInt(s string) (value.Value, bool) {
	if strings.HasPrefix(s, "0") && !strings.HasPrefix(s, "0b") && !strings.HasPrefix(s, "0x") {
		if s = strings.TrimLeft(s, "0"); s == "" {
			s = "0"
		}
	}
	s = strings.ReplaceAll(s, "_", "")
	neg := strings.HasPrefix(s, "-")
	s = unsigned(s)
	base := 10
	switch {
	case s == "", len(s) > maxDigits:
		return nil, false
	case s == "0":
		return value.Int(0), true
	case strings.HasPrefix(s, "0b"):
		s, base = s[2:], 2
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case s[0] == '0':
		s, base = s[1:], 8
	case strings.IndexByte(s, ':') >= 0:
		return sixtyInt(s, neg)
	}
	if n, err := strconv.ParseInt(s, base, 64); err == nil && s[0] != '-' && s[0] != '+' {
		if neg {
			n = -n
		}
		return value.Int(n), true
	}
	b, ok := new(big.Int).SetString(s, base)
	if !ok || s[0] == '-' || s[0] == '+' {
		return nil, false
	}
	if neg {
		b.Neg(b)
	}
	return value.NewInt(b), true
}

func sixtyInt(s string, neg bool) (value.Value, bool) {
	sum := new(big.Int)
	for part := range strings.SplitSeq(s, ":") {
		n, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return nil, false
		}
		sum.Add(sum.Mul(sum, big.NewInt(60)), n)
	}
	if neg {
		sum.Neg(sum)
	}
	return value.NewInt(sum), true
}

// parseFloat is the value of a float scalar.
func parseFloat(s string) (value.Value, bool) {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	sign := 1.0
	if strings.HasPrefix(s, "-") {
		sign = -1
	}
	s = unsigned(s)
	switch {
	case s == ".inf":
		return value.Float(math.Inf(int(sign))), true
	case s == ".nan":
		return value.Float(math.NaN()), true
	case strings.IndexByte(s, ':') >= 0:
		sum := 0.0
		for part := range strings.SplitSeq(s, ":") {
			f, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return nil, false
			}
			sum = sum*60 + f
		}
		return value.Float(sign * sum), true
	case strings.HasPrefix(s, "0x"), s == "":
		return nil, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil && !math.IsInf(f, 0) {
		return nil, false
	}
	return value.Float(sign * f), true
}
