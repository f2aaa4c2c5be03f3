package value

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A spec is a format specification: [[fill]align][sign][z][#][0][width][grouping][.precision][type].
type spec struct {
	fill      string
	align     byte // 0 when none is given
	sign      byte
	noNegZero bool
	alt       bool
	zero      bool
	width     int
	group     byte // ',' or '_' or 0
	precision int  // -1 when none is given
	kind      rune // the type, 0 when none is given
}

// maxWidth bounds widths and precisions.
const maxWidth = 1 << 24

// Format is Python's format(v, spec).
func Format(v Value, specText string) (string, error) {
	if specText == "" {
		return text(v)
	}
	if u, ok := v.(*Undefined); ok && !u.Lenient {
		return "", u.Err()
	}
	if s, ok := textOf(v); ok {
		v = s
	}
	switch v.(type) {
	case Str, Int, Bool, BigInt, Float:
	default:
		return "", Raise("TypeError", "unsupported format string passed to %s.__format__", typeName(v))
	}
	s, err := parseSpec(specText, typeName(v))
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case Str:
		return s.str(string(v))
	case Float:
		return s.float(float64(v), "float")
	case Bool:
		if s.kind == 0 && specText == "" {
			return boolName(bool(v)), nil
		}
	}
	n, _ := asNum(v)
	return s.integer(n, typeName(v))
}

func isAlign(c byte) bool { return c == '<' || c == '>' || c == '=' || c == '^' }

func parseSpec(t, typ string) (spec, error) {
	s := spec{precision: -1}
	invalid := func() error {
		return Raise("ValueError", "Invalid format specifier '%s' for object of type '%s'", t, typ)
	}
	rest := t
	if _, n := utf8.DecodeRuneInString(rest); len(rest) > n && isAlign(rest[n]) {
		s.fill, s.align, rest = rest[:n], rest[n], rest[n+1:]
	} else if isAlign(rest[0]) {
		s.align, rest = rest[0], rest[1:]
	}
	next := func(set string) byte {
		if rest == "" || strings.IndexByte(set, rest[0]) < 0 {
			return 0
		}
		c := rest[0]
		rest = rest[1:]
		return c
	}
	s.sign = next("+- ")
	s.noNegZero = next("z") != 0
	s.alt = next("#") != 0
	if s.fill == "" && next("0") != 0 {
		s.fill, s.zero = "0", true
		if s.align == 0 {
			s.align = '='
		}
	}
	var ok bool
	if s.width, rest, ok = leadingInt(rest, 0); !ok {
		return s, Raise("ValueError", "Too many decimal digits in format string")
	}
	if s.group = next(",_"); s.group != 0 {
		if c := next(",_"); c != 0 {
			if c == s.group {
				return s, Raise("ValueError", "Cannot specify '%c' with '%c'.", s.group, c)
			}
			return s, Raise("ValueError", "Cannot specify both ',' and '_'.")
		}
	}
	if next(".") != 0 {
		digits := rest
		if s.precision, rest, ok = leadingInt(rest, -1); !ok {
			return s, Raise("ValueError", "Too many decimal digits in format string")
		}
		if len(digits) == len(rest) {
			return s, Raise("ValueError", "Format specifier missing precision")
		}
	}
	if utf8.RuneCountInString(rest) > 1 {
		return s, invalid()
	}
	if rest != "" {
		s.kind, _ = utf8.DecodeRuneInString(rest)
	}
	if s.fill == "" {
		s.fill = " "
	}
	return s, s.checkGroup(typ)
}

func (s *spec) checkGroup(typ string) error {
	switch {
	case s.group == 0:
		return nil
	case typ == "str" && (s.kind == 0 || s.kind == 's'):
		return Raise("ValueError", "Cannot specify '%c' with 's'.", s.group)
	case s.kind == 0 || strings.ContainsRune("defgEFG%", s.kind):
		return nil
	case s.group == '_' && strings.ContainsRune("boxX", s.kind):
		return nil
	}
	return Raise("ValueError", "Cannot specify '%c' with '%s'.", s.group, showKind(s.kind))
}

func showKind(r rune) string {
	if r > 32 && r < 128 {
		return string(r)
	}
	return string(append([]byte("\\x"), strings.TrimLeft(string(appendHex(nil, uint32(r), 8)), "0")...))
}

// leadingInt takes the digits at the start of s.
func leadingInt(s string, missing int) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		// Ten times the limit fits into 32 bits, too.
		if n = n*10 + int(s[i]-'0'); n > min(1<<40, math.MaxInt/16) {
			return 0, s, false
		}
	}
	if i == 0 {
		return missing, s, true
	}
	return n, s[i:], true
}

func (s *spec) unknown(typ string) error {
	return Raise("ValueError", "Unknown format code '%s' for object of type '%s'", showKind(s.kind), typ)
}

func (s *spec) str(v string) (string, error) {
	switch {
	case s.kind != 0 && s.kind != 's':
		return "", s.unknown("str")
	case s.sign == ' ':
		return "", Raise("ValueError", "Space not allowed in string format specifier")
	case s.sign != 0:
		return "", Raise("ValueError", "Sign not allowed in string format specifier")
	case s.noNegZero:
		return "", Raise("ValueError", "Negative zero coercion (z) not allowed in string format specifier")
	case s.alt:
		return "", Raise("ValueError", "Alternate form (#) not allowed in string format specifier")
	case s.align == '=' && !s.zero:
		return "", Raise("ValueError", "'=' alignment not allowed in string format specifier")
	}
	if s.precision >= 0 && s.precision < len(v) {
		v = v[:runeOffset(v, s.precision)]
	}
	if s.align == '=' {
		s.align = '<'
	}
	return s.pad("", v, '<')
}

// pad fills prefix+body up to the width; the filling of '=' goes between the two.
func (s *spec) pad(prefix, body string, align byte) (string, error) {
	if s.align != 0 {
		align = s.align
	}
	n := s.width - utf8.RuneCountInString(prefix) - utf8.RuneCountInString(body)
	if n <= 0 {
		return prefix + body, nil
	}
	if n > maxWidth {
		return "", tooBig()
	}
	left := 0
	switch align {
	case '>':
		left = n
	case '^':
		left = n / 2
	case '=':
		return prefix + strings.Repeat(s.fill, n) + body, nil
	}
	return strings.Repeat(s.fill, left) + prefix + body + strings.Repeat(s.fill, n-left), nil
}
