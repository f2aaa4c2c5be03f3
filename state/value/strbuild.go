package value

import (
	"strings"
	"unicode/utf8"
)

func strReplace(recv Value, a args) (Value, error) {
	if err := a.between(2, 3); err != nil {
		return nil, err
	}
	from, err := wantStr(a.pos[0], "replace() argument 1 must be str")
	if err != nil {
		return nil, err
	}
	to, err := wantStr(a.pos[1], "replace() argument 2 must be str")
	if err != nil {
		return nil, err
	}
	n, err := integer(a.at(2), -1)
	if err != nil {
		return nil, err
	}
	s := string(recv.(Str))
	if len(to) > len(from) && strings.Count(s, from) > MaxText/(len(to)+1) {
		return nil, tooBig()
	}
	return Str(strings.Replace(s, from, to, n)), nil
}

func strJoin(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	if !CanIterate(v) {
		return nil, Raise("TypeError", "can only join an iterable")
	}
	items, err := ToList(v)
	if err != nil {
		return nil, err
	}
	sep, size := string(recv.(Str)), 0
	for i, it := range items {
		s, ok := textOf(it)
		if !ok {
			if err := undefinedAmong(it); err != nil {
				return nil, err
			}
			return nil, Raise("TypeError", "sequence item %d: expected str instance, %s found", i, typeName(it))
		}
		if size += len(s) + len(sep); size > MaxText {
			return nil, tooBig()
		}
	}
	var b strings.Builder
	b.Grow(size)
	for i, it := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		s, _ := textOf(it)
		b.WriteString(string(s))
	}
	return Str(b.String()), nil
}

func strJustify(recv Value, a args) (Value, error) {
	if err := a.between(1, 2); err != nil {
		return nil, err
	}
	width, err := integer(a.pos[0], 0)
	if err != nil {
		return nil, err
	}
	fill := " "
	if v := a.at(1); v != nil {
		if fill, err = wantStr(v, "The fill character must be a unicode character"); err != nil {
			return nil, err
		}
		if utf8.RuneCountInString(fill) != 1 {
			return nil, Raise("TypeError", "The fill character must be exactly one character long")
		}
	}
	s := string(recv.(Str))
	pad := width - utf8.RuneCountInString(s)
	if pad <= 0 {
		return recv, nil
	}
	if pad > MaxText/len(fill) {
		return nil, tooBig()
	}
	left := 0
	switch a.name {
	case "rjust":
		left = pad
	case "center":
		left = pad/2 + (pad & width & 1)
	}
	return Str(strings.Repeat(fill, left) + s + strings.Repeat(fill, pad-left)), nil
}

func strZfill(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	width, err := integer(v, 0)
	if err != nil {
		return nil, err
	}
	s := string(recv.(Str))
	pad := width - utf8.RuneCountInString(s)
	if pad <= 0 {
		return recv, nil
	}
	if pad > MaxText {
		return nil, tooBig()
	}
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return Str(s[:1] + strings.Repeat("0", pad) + s[1:]), nil
	}
	return Str(strings.Repeat("0", pad) + s), nil
}

func strExpandtabs(recv Value, a args) (Value, error) {
	v, err := a.named("tabsize")
	if err != nil {
		return nil, err
	}
	size, err := integer(v[0], 8)
	if err != nil {
		return nil, err
	}
	s := string(recv.(Str))
	if size > 0 && strings.Count(s, "\t") > MaxText/size {
		return nil, tooBig()
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		switch {
		case r == '\t' && size > 0:
			n := size - col%size
			b.WriteString(strings.Repeat(" ", n))
			col += n
			continue
		case r == '\t':
			continue
		case r == '\n' || r == '\r':
			col = -1
		}
		b.WriteRune(r)
		col++
	}
	return Str(b.String()), nil
}

func strTranslate(recv Value, a args) (Value, error) {
	table, err := a.one()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, r := range string(recv.(Str)) {
		v, err := GetItem(table, Int(r))
		if e, ok := err.(*Error); ok && (e.Class == "KeyError" || e.Class == "IndexError") {
			b.WriteRune(r)
			continue
		}
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case NoneType:
		case Str:
			b.WriteString(string(v))
		default:
			i, ok := asIndex(v)
			if !ok {
				return nil, Raise("TypeError", "character mapping must return integer, None or str")
			}
			if i < 0 || i > utf8.MaxRune {
				return nil, Raise("ValueError", "character mapping must be in range(0x110000)")
			}
			b.WriteRune(rune(i))
		}
		if b.Len() > MaxText {
			return nil, tooBig()
		}
	}
	return Str(b.String()), nil
}

func strMaketrans(_ Value, a args) (Value, error) {
	if err := a.between(1, 3); err != nil {
		return nil, err
	}
	if len(a.pos) == 1 {
		return transTable(a.pos[0])
	}
	var texts [3][]rune
	for i, v := range a.pos {
		prefix := "maketrans() argument " + String(Int(i+1)) + " must be str"
		if _, ok := v.(Str); !ok && i == 0 {
			if _, err := wantStr(a.pos[1], "maketrans() argument 2 must be str"); err != nil {
				return nil, err
			}
			return nil, Raise("TypeError", "first maketrans argument must be a string if there is a second argument")
		}
		s, err := wantStr(v, prefix)
		if err != nil {
			return nil, err
		}
		texts[i] = []rune(s)
	}
	if len(texts[0]) != len(texts[1]) {
		return nil, Raise("ValueError", "the first two maketrans arguments must have equal length")
	}
	out := NewDict(len(texts[0]))
	for i, r := range texts[0] {
		_ = out.Set(Int(r), Int(texts[1][i])) // integers can be hashed
	}
	for _, r := range texts[2] {
		_ = out.Set(Int(r), None)
	}
	return out, nil
}

func transTable(v Value) (Value, error) {
	d, ok := v.(*Dict)
	if !ok {
		return nil, Raise("TypeError", "if you give only one argument to maketrans it must be a dict")
	}
	out := NewDict(d.Len())
	for k, val := range d.All() {
		switch k := k.(type) {
		case Int:
			_ = out.Set(k, val)
		case Str:
			r := []rune(string(k))
			if len(r) != 1 {
				return nil, Raise("ValueError", "string keys in translate table must be of length 1")
			}
			_ = out.Set(Int(r[0]), val)
		default:
			return nil, Raise("TypeError", "keys in translate table must be strings or integers")
		}
	}
	return out, nil
}
