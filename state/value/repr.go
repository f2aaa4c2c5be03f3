package value

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// MaxText bounds, in bytes, the text that one operation makes: repr, str, json, formatting, repeating. Python would go
// on until the memory ends.
const MaxText = 64 << 20

// Repr is Python's repr(v). A value that holds itself prints as [...]; text beyond MaxText is cut off.
func Repr(v Value) string {
	switch v := v.(type) {
	case Str:
		return string(appendStrRepr(nil, string(v)))
	case Int:
		return strconv.FormatInt(int64(v), 10)
	}
	return string(AppendRepr(make([]byte, 0, 64), v))
}

// AppendRepr appends Repr(v) to the text.
func AppendRepr(text []byte, v Value) []byte {
	var room [8]Value
	p := printer{buf: text, start: len(text), open: room[:0]}
	p.repr(v)
	return p.buf
}

// String is Python's str(v). An undefined value is empty text, as with Jinja's default Undefined.
func String(v Value) string {
	switch v := v.(type) {
	case Str:
		return string(v)
	case *Undefined:
		return ""
	case Texter:
		return string(v.PlainText())
	}
	return Repr(v)
}

// AppendString appends String(v) to the text.
func AppendString(text []byte, v Value) []byte {
	switch v := v.(type) {
	case Str:
		return append(text, v...)
	case *Undefined:
		return text
	case Texter:
		return append(text, v.PlainText()...)
	}
	return AppendRepr(text, v)
}

// printer collects a repr; open are the containers that it is inside of.
type printer struct {
	buf   []byte
	start int // where the repr begins in buf
	open  []Value
}

func (p *printer) repr(v Value) {
	switch v := v.(type) {
	case nil, NoneType:
		p.text("None")
	case Str:
		p.buf = appendStrRepr(p.buf, string(v))
	case Bytes:
		p.buf = appendBytesRepr(p.buf, string(v))
	case Bool:
		p.text(boolName(bool(v)))
	case Int:
		p.buf = strconv.AppendInt(p.buf, int64(v), 10)
	case Float:
		p.buf = appendFloatRepr(p.buf, float64(v))
	case BigInt:
		p.buf = v.i.Append(p.buf, 10)
	case *List:
		p.items(v, "[", v.Items, "]", "[...]")
	case *Tuple:
		end := ")"
		if len(v.Items) == 1 {
			end = ",)"
		}
		p.items(v, "(", v.Items, end, "(...)")
	case *Dict:
		p.dict(v)
	case *Set:
		if v.Len() == 0 {
			p.text("set()")
			return
		}
		p.items(v, "{", v.Items(), "}", "set(...)")
	case *Undefined:
		p.text("Undefined")
	default:
		p.other(v)
	}
}

func (p *printer) other(v Value) {
	switch v := v.(type) {
	case *KeysView:
		p.items(v, "dict_keys([", v.items(), "])", "...")
	case *ValuesView:
		p.items(v, "dict_values([", v.items(), "])", "...")
	case *ItemsView:
		p.items(v, "dict_items([", v.items(), "])", "...")
	case *Range:
		p.text(v.repr())
	case Stringer:
		p.text(v.PyStr())
	case *Func:
		p.text("<function " + v.Name + ">")
	case *BoundMethod:
		p.text("<built-in method " + v.name + " of " + typeName(v.recv) + " object>")
	default:
		p.text("<" + typeName(v) + " object>")
	}
}

func (p *printer) text(s string) { p.buf = append(p.buf, s...) }

// enter notes that the container is being printed. It is false, and the ellipsis printed, when it is already.
func (p *printer) enter(v Value, ellipsis string) bool {
	for _, o := range p.open {
		if o == v {
			p.text(ellipsis)
			return false
		}
	}
	if len(p.open) > 10*maxDepth || len(p.buf)-p.start > MaxText {
		p.text("...")
		return false
	}
	p.open = append(p.open, v)
	return true
}

func (p *printer) leave() { p.open = p.open[:len(p.open)-1] }

func (p *printer) items(v Value, start string, items []Value, end, ellipsis string) {
	if !p.enter(v, ellipsis) {
		return
	}
	p.text(start)
	for i, it := range items {
		if i > 0 {
			p.text(", ")
		}
		p.repr(it)
	}
	p.text(end)
	p.leave()
}

func (p *printer) dict(d *Dict) {
	if !p.enter(d, "{...}") {
		return
	}
	p.text("{")
	for i := range d.made() {
		if i > 0 {
			p.text(", ")
		}
		p.repr(d.entries[i].Key)
		p.text(": ")
		p.repr(Opened(d.entries[i].Val))
	}
	p.text("}")
	p.leave()
}

func boolName(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

const hexDigits = "0123456789abcdef"

// quoteFor is ' unless the text has that and no ".
func quoteFor(s string) byte {
	single := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return '\''
		case '\'':
			single = true
		}
	}
	if single {
		return '"'
	}
	return '\''
}

func appendStrRepr(b []byte, s string) []byte {
	q := quoteFor(s)
	b = append(b, q)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			b = appendASCIIRepr(b, c, q)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1: // as Python shows a byte that surrogateescape let in
			b = appendHex(append(b, '\\', 'u'), 0xdc00+uint32(c), 4)
		case unicode.IsPrint(r):
			b = append(b, s[i:i+n]...)
		case r < 0x100:
			b = appendHex(append(b, '\\', 'x'), uint32(r), 2)
		case r < 0x10000:
			b = appendHex(append(b, '\\', 'u'), uint32(r), 4)
		default:
			b = appendHex(append(b, '\\', 'U'), uint32(r), 8)
		}
		i += n
	}
	return append(b, q)
}

func appendASCIIRepr(b []byte, c, quote byte) []byte {
	switch {
	case c == quote || c == '\\':
		return append(b, '\\', c)
	case c == '\n':
		return append(b, '\\', 'n')
	case c == '\r':
		return append(b, '\\', 'r')
	case c == '\t':
		return append(b, '\\', 't')
	case c < 0x20 || c >= 0x7f:
		return append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, c)
}

func appendHex(b []byte, n uint32, width int) []byte {
	for shift := (width - 1) * 4; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[n>>shift&15])
	}
	return b
}

func appendBytesRepr(b []byte, s string) []byte {
	q := quoteFor(s)
	b = append(b, 'b', q)
	for i := 0; i < len(s); i++ {
		b = appendASCIIRepr(b, s[i], q)
	}
	return append(b, q)
}
