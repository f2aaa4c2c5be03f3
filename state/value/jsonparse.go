package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ParseJSON is Python's json.loads(text): ordered dicts, the last of duplicate keys, big integers, NaN and Infinity.
// Keys, values and items carry their places. The error is a JSONDecodeError in Python's words. A lone surrogate becomes
// U+FFFD.
func ParseJSON(text string) (Value, error) {
	if strings.HasPrefix(text, "\ufeff") {
		return nil, (&decoder{text: text}).fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0)
	}
	d := decoder{text: text, line: 1, col: 1}
	d.space()
	v, err := d.value()
	if err != nil {
		return nil, err
	}
	if d.space(); d.at < len(text) {
		return nil, d.fail("Extra data", d.at)
	}
	return v, nil
}

type decoder struct {
	text  string
	at    int
	depth int
	// line and col are the place of byte seen.
	seen      int
	line, col int32
}

// mark is the place of the next byte. It walks on from where it last was asked.
func (d *decoder) mark() Mark {
	for d.seen < d.at {
		_, n := utf8.DecodeRuneInString(d.text[d.seen:])
		if d.text[d.seen] == '\n' {
			d.line, d.col = d.line+1, 0
		}
		d.col++
		d.seen += n
	}
	return Mark{Line: d.line, Col: d.col}
}

func (d *decoder) fail(what string, at int) error {
	before := d.text[:at]
	line := strings.Count(before, "\n") + 1
	col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return Raise("JSONDecodeError", "%s: line %d column %d (char %d)", what, line, col, utf8.RuneCountInString(before))
}

func (d *decoder) space() {
	for d.at < len(d.text) && strings.IndexByte(" \t\n\r", d.text[d.at]) >= 0 {
		d.at++
	}
}

func (d *decoder) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) value() (Value, error) {
	switch c := d.peek(); {
	case c == '"':
		return d.str()
	case c == '{' || c == '[':
		if d.depth++; d.depth > maxDepth {
			return nil, Raise("RecursionError", "maximum recursion depth exceeded while decoding a JSON document")
		}
		defer func() { d.depth-- }()
		if c == '{' {
			return d.object()
		}
		return d.array()
	case c == '-' || asciiDigit(c):
		return d.number()
	}
	for _, w := range [...]struct {
		name string
		v    Value
	}{{"null", None}, {"true", Bool(true)}, {"false", Bool(false)}, {"NaN", Float(math.NaN())},
		{"Infinity", Float(math.Inf(1))}} {
		if strings.HasPrefix(d.text[d.at:], w.name) {
			d.at += len(w.name)
			return w.v, nil
		}
	}
	return nil, d.fail("Expecting value", d.at)
}

func (d *decoder) array() (Value, error) {
	l := NewList()
	d.at++
	d.space()
	if d.peek() == ']' {
		d.at++
		return l, nil
	}
	for {
		l.Marks = append(l.Marks, d.mark())
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		l.Items = append(l.Items, v)
		d.space()
		switch d.peek() {
		case ']':
			d.at++
			return l, nil
		case ',':
			d.at++
			d.space()
		default:
			return nil, d.fail("Expecting ',' delimiter", d.at)
		}
	}
}

func (d *decoder) object() (Value, error) {
	out := NewDict(0)
	d.at++
	d.space()
	if d.peek() == '}' {
		d.at++
		return out, nil
	}
	for {
		if d.peek() != '"' {
			return nil, d.fail("Expecting property name enclosed in double quotes", d.at)
		}
		keyAt := d.mark()
		k, err := d.str()
		if err != nil {
			return nil, err
		}
		if d.space(); d.peek() != ':' {
			return nil, d.fail("Expecting ':' delimiter", d.at)
		}
		d.at++
		d.space()
		valueAt := d.mark()
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		_ = out.SetAt(k, v, keyAt, valueAt) // text can be hashed
		d.space()
		switch d.peek() {
		case '}':
			d.at++
			return out, nil
		case ',':
			d.at++
			d.space()
		default:
			return nil, d.fail("Expecting ',' delimiter", d.at)
		}
	}
}

func (d *decoder) number() (Value, error) {
	start, i := d.at, d.at
	digits := func() bool {
		from := i
		for i < len(d.text) && asciiDigit(d.text[i]) {
			i++
		}
		return i > from
	}
	if d.text[i] == '-' {
		i++
	}
	if strings.HasPrefix(d.text[i:], "Infinity") && i > start {
		d.at = i + len("Infinity")
		return Float(math.Inf(-1)), nil
	}
	if i < len(d.text) && d.text[i] == '0' {
		i++
	} else if !digits() {
		return nil, d.fail("Expecting value", start)
	}
	end, float := i, false
	if i < len(d.text) && d.text[i] == '.' {
		if i++; digits() {
			end, float = i, true
		}
		i = end
	}
	if i < len(d.text) && (d.text[i] == 'e' || d.text[i] == 'E') {
		if i++; i < len(d.text) && (d.text[i] == '-' || d.text[i] == '+') {
			i++
		}
		if digits() {
			end, float = i, true
		}
	}
	d.at = end
	t := d.text[start:end]
	if float {
		f, _ := strconv.ParseFloat(t, 64) // too big is infinite, as in Python
		return Float(f), nil
	}
	if n, err := strconv.ParseInt(t, 10, 64); err == nil {
		return Int(n), nil
	}
	if len(t) > maxDigits {
		return parseInt(t, 10, Str(t)) // for its error
	}
	n, _ := new(big.Int).SetString(t, 10)
	return NewInt(n), nil
}

func (d *decoder) str() (Value, error) {
	begin := d.at
	d.at++
	rest := d.text[d.at:]
	for i := 0; i < len(rest); i++ { // most have no escapes and are parts of the text
		if c := rest[i]; c == '"' {
			d.at += i + 1
			return Str(rest[:i]), nil
		} else if c == '\\' || c < ' ' {
			break
		}
	}
	var b []byte
	for d.at < len(d.text) {
		c := d.text[d.at]
		switch {
		case c == '"':
			d.at++
			return Str(b), nil
		case c < ' ':
			return nil, d.fail("Invalid control character at", d.at)
		case c != '\\':
			b = append(b, c)
			d.at++
			continue
		}
		d.at++
		if d.at >= len(d.text) {
			break
		}
		var err error
		if b, err = d.escape(b); err != nil {
			return nil, err
		}
	}
	return nil, d.fail("Unterminated string starting at", begin)
}

// escape reads what is behind a backslash.
func (d *decoder) escape(b []byte) ([]byte, error) {
	c := d.text[d.at]
	d.at++
	switch c {
	case '"', '\\', '/':
		return append(b, c), nil
	case 'b':
		return append(b, '\b'), nil
	case 'f':
		return append(b, '\f'), nil
	case 'n':
		return append(b, '\n'), nil
	case 'r':
		return append(b, '\r'), nil
	case 't':
		return append(b, '\t'), nil
	case 'u':
	default:
		return nil, d.fail("Invalid \\escape", d.at-2)
	}
	r, ok := d.hex4()
	if !ok {
		return nil, d.fail("Invalid \\uXXXX escape", d.at-1)
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(d.text[d.at:], "\\u") {
		back := d.at
		d.at += 2
		if low, ok := d.hex4(); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return utf8.AppendRune(b, pair), nil
			}
		}
		d.at = back
	}
	return utf8.AppendRune(b, r), nil
}

func (d *decoder) hex4() (rune, bool) {
	if len(d.text)-d.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(d.text[d.at:d.at+4], 16, 16)
	if err != nil {
		return 0, false
	}
	d.at += 4
	return rune(n), true
}
