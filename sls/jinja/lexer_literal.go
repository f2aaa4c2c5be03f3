package jinja

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// number reads an integer or a float.
func (lx *lexer) number(s string) {
	afterDot := lx.pos > 0 && lx.src[lx.pos-1] == '.'
	if n := floatLen(s); n > 0 && !afterDot {
		f, _ := strconv.ParseFloat(strings.ReplaceAll(s[:n], "_", ""), 64)
		lx.emit(Float, lx.line, s[:n])
		lx.tokens[len(lx.tokens)-1].Num = value.Float(f)
		lx.advance(n)
		return
	}
	n := integerLen(s)
	lx.emit(Integer, lx.line, s[:n])
	lx.tokens[len(lx.tokens)-1].Num = integer(strings.ReplaceAll(s[:n], "_", ""))
	lx.advance(n)
}

func integer(text string) value.Value {
	if strings.Trim(text, "0") == "" {
		return value.Int(0)
	}
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return value.Int(i)
	}
	i, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return value.Int(0)
	}
	return value.NewInt(i)
}

// digits is the length of digits at i, single underscores between them.
func digits(s string, i int, is func(byte) bool) int {
	start := i
	for i < len(s) {
		switch {
		case is(s[i]):
			i++
		case s[i] == '_' && i > start && i+1 < len(s) && is(s[i+1]):
			i += 2
		default:
			return i - start
		}
	}
	return i - start
}

func isDecimal(c byte) bool { return c >= '0' && c <= '9' }

// floatLen is the length of the float at the start of s, 0 when there is none: it has a fraction or an exponent.
func floatLen(s string) int {
	n := digits(s, 0, isDecimal)
	if n == 0 {
		return 0
	}
	end := 0
	if n+1 < len(s) && s[n] == '.' {
		if f := digits(s, n+1, isDecimal); f > 0 {
			n += 1 + f
			end = n
		}
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if f := digits(s, e, isDecimal); f > 0 {
			end = e + f
		}
	}
	return end
}

func integerLen(s string) int {
	if s[0] != '0' {
		return digits(s, 0, isDecimal)
	}
	if len(s) > 2 {
		var is func(byte) bool
		switch s[1] {
		case 'x', 'X':
			is = func(c byte) bool { return isDecimal(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
		case 'o', 'O':
			is = func(c byte) bool { return c >= '0' && c <= '7' }
		case 'b', 'B':
			is = func(c byte) bool { return c == '0' || c == '1' }
		}
		if is != nil {
			i := 2
			if s[2] == '_' {
				i++
			}
			if n := digits(s, i, is); n > 0 {
				return i + n
			}
		}
	}
	return digits(s, 0, func(c byte) bool { return c == '0' })
}

// unescape reads the escapes of a string literal as Python does.
func (lx *lexer) unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		if seq := lx.cfg.NewlineSequence; seq != "\n" {
			return strings.ReplaceAll(s, "\n", seq)
		}
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case '\n':
		case '\\', '\'', '"':
			b.WriteByte(c)
		case 'a', 'b', 'f', 'n', 'r', 't', 'v':
			b.WriteByte(map[byte]byte{'a': 7, 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11}[c])
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := i
			for n < len(s) && n < i+3 && s[n] >= '0' && s[n] <= '7' {
				n++
			}
			v, _ := strconv.ParseUint(s[i:n], 8, 32)
			b.WriteRune(rune(v))
			i = n - 1
		case 'x':
			i += lx.hexEscape(&b, s[i+1:], 2, `truncated \xXX escape`)
		case 'u':
			i += lx.hexEscape(&b, s[i+1:], 4, `truncated \uXXXX escape`)
		case 'U':
			i += lx.hexEscape(&b, s[i+1:], 8, `truncated \UXXXXXXXX escape`)
		case 'N':
			if !strings.HasPrefix(s[i+1:], "{") || !strings.Contains(s[i+1:], "}") {
				lx.fail(`malformed \N character escape`)
			}
			// Python looks the name up in Unicode's table of names, which is not worth carrying.
			lx.fail("unknown Unicode character name")
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// hexEscape writes the character of width hex digits and gives how many bytes it took.
func (lx *lexer) hexEscape(b *strings.Builder, s string, width int, msg string) int {
	if len(s) < width {
		lx.fail("%s", msg)
	}
	v, err := strconv.ParseUint(s[:width], 16, 32)
	if err != nil {
		lx.fail("%s", msg)
	}
	if v > utf8.MaxRune {
		lx.fail("illegal Unicode character")
	}
	b.WriteRune(rune(v))
	return width
}

// column counts characters from 1 within the line of byte offset pos.
func column(src string, pos int) int {
	if pos > len(src) {
		pos = len(src)
	}
	start := strings.LastIndexByte(src[:pos], '\n') + 1
	return utf8.RuneCountInString(src[start:pos]) + 1
}
