package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FormatPercent is Python's format % arg.
func FormatPercent(format string, arg Value) (Value, error) {
	p := percent{format: format, rest: format, all: arg}
	if t, ok := arg.(*Tuple); ok {
		p.args = t.Items
	} else {
		p.args = []Value{arg}
	}
	p.mapping = isMapping(arg)
	if err := p.run(); err != nil {
		return nil, err
	}
	return Str(p.out), nil
}

// isMapping is what % takes for one: whatever has items, but not tuples and text.
func isMapping(v Value) bool {
	switch v.(type) {
	case *Dict, *List, Bytes, *Range, *Undefined, Indexer:
		return true
	}
	return false
}

// percent is one formatting with %.
type percent struct {
	out     []byte
	format  string
	rest    string // what of the format is still to do
	all     Value
	args    []Value
	used    int
	mapping bool
}

// directive is one %[(key)][flags][width][.precision]type.
type directive struct {
	left, plus, space, alt, zero bool
	width, precision             int
	kind                         rune
}

func (p *percent) run() error {
	for {
		i := strings.IndexByte(p.rest, '%')
		if i < 0 {
			p.out = append(p.out, p.rest...)
			break
		}
		p.out = append(p.out, p.rest[:i]...)
		p.rest = p.rest[i+1:]
		if err := p.directive(); err != nil {
			return err
		}
		if len(p.out) > MaxText {
			return tooBig()
		}
	}
	if p.used < len(p.args) && !p.mapping {
		return Raise("TypeError", "not all arguments converted during string formatting")
	}
	return nil
}

func (p *percent) next() (Value, error) {
	if p.used >= len(p.args) {
		return nil, Raise("TypeError", "not enough arguments for format string")
	}
	p.used++
	return p.args[p.used-1], nil
}

func (p *percent) peek() byte {
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *percent) directive() error {
	if p.peek() == '%' {
		p.out, p.rest = append(p.out, '%'), p.rest[1:]
		return nil
	}
	d := directive{precision: -1}
	if p.peek() == '(' {
		if err := p.key(); err != nil {
			return err
		}
	}
	p.flags(&d)
	if err := p.sizes(&d); err != nil {
		return err
	}
	if c := p.peek(); c == 'h' || c == 'l' || c == 'L' {
		p.rest = p.rest[1:]
	}
	if p.rest == "" {
		return Raise("ValueError", "incomplete format")
	}
	at := utf8.RuneCountInString(p.format[:len(p.format)-len(p.rest)])
	r, n := utf8.DecodeRuneInString(p.rest)
	d.kind, p.rest = r, p.rest[n:]
	v, err := p.next()
	if err != nil {
		return err
	}
	return p.convert(d, v, at)
}

// key looks up %(key) and makes its value the one argument.
func (p *percent) key() error {
	if !p.mapping {
		return Raise("TypeError", "format requires a mapping")
	}
	depth := 0
	for i := 0; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			continue
		}
		v, err := GetItem(p.all, Str(p.rest[1:i]))
		if err != nil {
			return err
		}
		p.rest = p.rest[i+1:]
		p.args, p.used = []Value{v}, 0
		return nil
	}
	return Raise("ValueError", "incomplete format key")
}

func (p *percent) flags(d *directive) {
	for {
		switch p.peek() {
		case '-':
			d.left = true
		case '+':
			d.plus = true
		case ' ':
			d.space = true
		case '#':
			d.alt = true
		case '0':
			d.zero = true
		default:
			return
		}
		p.rest = p.rest[1:]
	}
}

func (p *percent) sizes(d *directive) error {
	width, err := p.size("width")
	if err != nil {
		return err
	}
	if width < 0 {
		d.left, width = true, -width
	}
	d.width = width
	if p.peek() == '.' {
		p.rest = p.rest[1:]
		if d.precision, err = p.size("precision"); err != nil {
			return err
		}
		d.precision = max(d.precision, 0)
	}
	if d.width > maxWidth || d.precision > maxWidth {
		return tooBig()
	}
	return nil
}

// size is a width or a precision: digits, or * for the next argument.
func (p *percent) size(what string) (n int, err error) {
	if p.peek() != '*' {
		n, rest, ok := leadingInt(p.rest, 0)
		if !ok || what == "precision" && n > math.MaxInt32 {
			return 0, Raise("ValueError", "%s too big", what)
		}
		p.rest = rest
		return n, nil
	}
	p.rest = p.rest[1:]
	v, err := p.next()
	if err != nil {
		return 0, err
	}
	i, ok := asIndex(v)
	if !ok {
		return 0, Raise("TypeError", "* wants int")
	}
	return min(max(i, -maxWidth-1), maxWidth+1), nil
}

func (p *percent) convert(d directive, v Value, at int) error {
	switch d.kind {
	case 's', 'r', 'a':
		s, err := convertText(d.kind, v)
		if err != nil {
			return err
		}
		if d.precision >= 0 {
			s = s[:runeOffset(s, d.precision)]
		}
		d.zero = false
		p.pad(d, "", s)
		return nil
	case 'c':
		s, err := convertChar(v)
		if err != nil {
			return err
		}
		d.zero = false
		p.pad(d, "", s)
		return nil
	case 'd', 'i', 'u', 'x', 'X', 'o':
		return p.integer(d, v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return p.float(d, v)
	}
	return Raise("ValueError", "unsupported format character '%s' (0x%x) at index %d", printableKind(d.kind), d.kind, at)
}

func printableKind(r rune) string {
	if r > 31 && r < 128 {
		return string(r)
	}
	return "?"
}

// convertText is str(v), repr(v) or ascii(v), by the letter s, r or a.
func convertText(kind rune, v Value) (string, error) {
	switch kind {
	case 'r':
		return Repr(v), nil
	case 'a':
		return ASCII(v), nil
	}
	return text(v)
}

// ASCII is Python's ascii(v): the repr with all but ASCII escaped.
func ASCII(v Value) string {
	s := Repr(v)
	if isASCII(s) {
		return s
	}
	var b []byte
	for _, r := range s {
		switch {
		case r < 0x80:
			b = append(b, byte(r))
		case r < 0x100:
			b = appendHex(append(b, '\\', 'x'), uint32(r), 2)
		case r < 0x10000:
			b = appendHex(append(b, '\\', 'u'), uint32(r), 4)
		default:
			b = appendHex(append(b, '\\', 'U'), uint32(r), 8)
		}
	}
	return string(b)
}

func convertChar(v Value) (string, error) {
	if s, ok := v.(Str); ok && utf8.RuneCountInString(string(s)) == 1 {
		return string(s), nil
	}
	n, ok := asInteger(v)
	if !ok {
		if err := undefinedAmong(v); err != nil {
			return "", err
		}
		return "", Raise("TypeError", "%%c requires int or char")
	}
	if n.kind == isBig || n.i < 0 || n.i > utf8.MaxRune {
		return "", Raise("OverflowError", "%%c arg not in range(0x110000)")
	}
	return string(rune(n.i)), nil
}

func (p *percent) integer(d directive, v Value) error {
	n, ok := asNum(v)
	decimal := d.kind == 'd' || d.kind == 'i' || d.kind == 'u'
	switch {
	case !ok || !decimal && n.kind == isFloat:
		if err := undefinedAmong(v); err != nil {
			return err
		}
		want := "a real number"
		if !decimal {
			want = "an integer"
		}
		return Raise("TypeError", "%%%c format: %s is required, not %s", d.kind, want, typeName(v))
	case n.kind == isFloat:
		whole, err := truncate(n.f)
		if err != nil {
			return err
		}
		n, _ = asNum(whole)
	}
	base, prefix := 10, ""
	switch d.kind {
	case 'x', 'X':
		base, prefix = 16, "0"+string(d.kind)
	case 'o':
		base, prefix = 8, "0o"
	}
	var digits string
	if i, ok := v.(Int); ok && i >= 0 {
		digits = strconv.FormatInt(int64(i), base)
	} else {
		digits = new(big.Int).Abs(n.big()).Text(base)
	}
	if d.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	if d.precision > len(digits) {
		digits = strings.Repeat("0", d.precision-len(digits)) + digits
	}
	if !d.alt {
		prefix = ""
	}
	p.pad(d, d.signOf(n.negative())+prefix, digits)
	return nil
}

func (d *directive) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

func (p *percent) float(d directive, v Value) error {
	n, ok := asNum(v)
	if !ok {
		if err := undefinedAmong(v); err != nil {
			return err
		}
		return Raise("TypeError", "must be real number, not %s", typeName(v))
	}
	f, err := n.float()
	if err != nil {
		return err
	}
	body := floatDigits(math.Abs(f), d.kind, d.precision, d.alt)
	p.pad(d, d.signOf(math.Signbit(f) && f == f), body)
	return nil
}

// pad writes sign+body, filled up to the width.
func (p *percent) pad(d directive, sign, body string) {
	n := d.width - utf8.RuneCountInString(body) - len(sign)
	fill := func(c byte) {
		for ; n > 0; n-- {
			p.out = append(p.out, c)
		}
	}
	if !d.left && !d.zero {
		fill(' ')
	}
	p.out = append(p.out, sign...)
	if !d.left && d.zero {
		fill('0')
	}
	p.out = append(p.out, body...)
	fill(' ')
}
