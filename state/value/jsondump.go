package value

import (
	"math"
	"unicode/utf8"
)

// JSONOptions are the options of Python's json.dumps; the zero value is its defaults.
type JSONOptions struct {
	// Unicode leaves characters beyond ASCII as they are (ensure_ascii=False).
	Unicode bool
	// SortKeys orders the keys of dicts (sort_keys=True).
	SortKeys bool
	// Pretty breaks lines and indents each level by Indent (indent=...).
	Pretty bool
	Indent string
	// ItemSep and KeySep replace ", " ("," when Pretty) and ": ".
	ItemSep, KeySep string
	// Default turns a value that JSON does not know into one that it does.
	Default func(Value) (Value, error)
	// MaxBytes bounds the text; 0 is MaxText.
	MaxBytes int
}

// DumpsJSON is Python's json.dumps(v, **o).
func DumpsJSON(v Value, o JSONOptions) (string, error) {
	if o.ItemSep == "" {
		if o.ItemSep = ", "; o.Pretty {
			o.ItemSep = ","
		}
	}
	if o.KeySep == "" {
		o.KeySep = ": "
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = MaxText
	}
	e := encoder{opts: o}
	if err := e.value(v); err != nil {
		return "", err
	}
	return string(e.buf), nil
}

type encoder struct {
	opts JSONOptions
	buf  []byte
	open []Value // the containers being written, all pointers
}

func (e *encoder) value(v Value) error {
	if s, ok := jsonScalar(v); ok {
		e.buf = append(e.buf, s...)
		return nil
	}
	switch v := v.(type) {
	case Str:
		e.str(string(v))
		return nil
	case *List:
		return e.array(v, v.Items)
	case *Tuple:
		return e.array(v, v.Items)
	case *Dict:
		return e.object(v)
	case Texter:
		e.str(string(v.PlainText()))
		return nil
	case Tupled:
		t := v.AsTuple()
		return e.array(t, t.Items)
	}
	return e.foreign(v)
}

func (e *encoder) foreign(v Value) error {
	if u, ok := v.(*Undefined); ok && !u.Lenient {
		return u.Err()
	}
	if e.opts.Default == nil {
		return Raise("TypeError", "Object of type %s is not JSON serializable", typeName(v))
	}
	w, err := e.opts.Default(v)
	if err != nil {
		return err
	}
	if err := e.enter(NewList(v)); err != nil { // so that Default cannot go on for ever
		return err
	}
	defer e.leave()
	return e.value(w)
}

// jsonScalar is the text of what needs no quotes.
func jsonScalar(v Value) (string, bool) {
	switch v := v.(type) {
	case nil, NoneType:
		return "null", true
	case Bool:
		if v {
			return "true", true
		}
		return "false", true
	case Int, BigInt:
		return Repr(v), true
	case Float:
		switch f := float64(v); {
		case f != f:
			return "NaN", true
		case math.IsInf(f, 1):
			return "Infinity", true
		case math.IsInf(f, -1):
			return "-Infinity", true
		}
		return Repr(v), true
	}
	return "", false
}

func (e *encoder) enter(v Value) error {
	for _, o := range e.open {
		if o == v {
			return Raise("ValueError", "Circular reference detected")
		}
	}
	if len(e.open) >= maxDepth {
		return Raise("RecursionError", "maximum recursion depth exceeded while encoding a JSON object")
	}
	if len(e.buf) > e.opts.MaxBytes {
		return tooBig()
	}
	e.open = append(e.open, v)
	return nil
}

func (e *encoder) leave() { e.open = e.open[:len(e.open)-1] }

func (e *encoder) newline() {
	if !e.opts.Pretty {
		return
	}
	e.buf = append(e.buf, '\n')
	for range e.open {
		e.buf = append(e.buf, e.opts.Indent...)
	}
}

func (e *encoder) array(v Value, items []Value) error {
	if len(items) == 0 {
		e.buf = append(e.buf, "[]"...)
		return nil
	}
	if err := e.enter(v); err != nil {
		return err
	}
	e.buf = append(e.buf, '[')
	for i, it := range items {
		if i > 0 {
			e.buf = append(e.buf, e.opts.ItemSep...)
		}
		e.newline()
		if err := e.value(it); err != nil {
			return err
		}
	}
	e.leave()
	e.newline()
	e.buf = append(e.buf, ']')
	return nil
}

func (e *encoder) object(d *Dict) error {
	if d.Len() == 0 {
		e.buf = append(e.buf, "{}"...)
		return nil
	}
	if err := e.enter(d); err != nil {
		return err
	}
	entries := d.made()
	if e.opts.SortKeys {
		var err error
		if entries, err = sortedEntries(d); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, '{')
	for i := range entries {
		if i > 0 {
			e.buf = append(e.buf, e.opts.ItemSep...)
		}
		e.newline()
		if err := e.key(entries[i].Key); err != nil {
			return err
		}
		e.buf = append(e.buf, e.opts.KeySep...)
		if err := e.value(Opened(entries[i].Val)); err != nil {
			return err
		}
	}
	e.leave()
	e.newline()
	e.buf = append(e.buf, '}')
	return nil
}

func sortedEntries(d *Dict) ([]Entry, error) {
	keys := (&KeysView{d}).items()
	if err := Sort(keys, nil, false); err != nil {
		return nil, err
	}
	out := make([]Entry, len(keys))
	for i, k := range keys {
		out[i] = d.entries[d.find(k)]
	}
	return out, nil
}

func (e *encoder) key(k Value) error {
	if s, ok := textOf(k); ok {
		e.str(string(s))
		return nil
	}
	s, ok := jsonScalar(k)
	if !ok {
		return Raise("TypeError", "keys must be str, int, float, bool or None, not %s", typeName(k))
	}
	e.str(s)
	return nil
}

func (e *encoder) str(s string) {
	b := append(e.buf, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			b = e.ascii(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case e.opts.Unicode:
			b = append(b, s[i:i+n]...)
		case r == utf8.RuneError && n == 1:
			b = appendHex(append(b, '\\', 'u'), 0xdc00+uint32(c), 4)
		case r < 0x10000:
			b = appendHex(append(b, '\\', 'u'), uint32(r), 4)
		default:
			r -= 0x10000
			b = appendHex(append(b, '\\', 'u'), 0xd800+uint32(r>>10), 4)
			b = appendHex(append(b, '\\', 'u'), 0xdc00+uint32(r&0x3ff), 4)
		}
		i += n
	}
	e.buf = append(b, '"')
}

func (e *encoder) ascii(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	}
	if c < ' ' || c == 0x7f && !e.opts.Unicode {
		return appendHex(append(b, '\\', 'u'), uint32(c), 4)
	}
	return append(b, c)
}
