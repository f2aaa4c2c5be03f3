package value

import "strings"

// strFormat is str.format.
func strFormat(recv Value, a args) (Value, error) {
	kw := Value(a.kw)
	if a.kw == nil {
		kw = NewDict(0)
	}
	f := formatter{pos: a.pos, kw: kw}
	s, err := f.expand(string(recv.(Str)), 2)
	return Str(s), err
}

// strFormatMap is str.format_map.
func strFormatMap(recv Value, a args) (Value, error) {
	m, err := a.one()
	if err != nil {
		return nil, err
	}
	f := formatter{kw: m, mapOnly: true}
	s, err := f.expand(string(recv.(Str)), 2)
	return Str(s), err
}

// formatter is one call of str.format: the arguments, and how fields have been numbered so far.
type formatter struct {
	pos             []Value
	kw              Value
	mapOnly         bool
	auto            int
	didAuto, didNum bool
}

// field is one {name!conversion:spec}.
type field struct {
	name       string
	conversion rune
	spec       string
	nested     bool // the spec has fields of its own
}

// expand fills in the fields of s. depth counts down the nesting of specs.
func (f *formatter) expand(s string, depth int) (string, error) {
	if depth == 0 {
		return "", Raise("ValueError", "Max string recursion exceeded")
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		c := s[i]
		s = s[i+1:]
		if s != "" && s[0] == c {
			b.WriteByte(c)
			s = s[1:]
			continue
		}
		if c == '}' || s == "" {
			return "", Raise("ValueError", "Single '%c' encountered in format string", c)
		}
		fd, rest, err := parseField(s)
		if err != nil {
			return "", err
		}
		s = rest
		out, err := f.render(fd, depth)
		if err != nil {
			return "", err
		}
		if b.Len()+len(out) > MaxText {
			return "", tooBig()
		}
		b.WriteString(out)
	}
	return b.String(), nil
}

// parseField takes the field whose { was just read, and its }.
func parseField(s string) (fd field, rest string, err error) {
	i := 0
	var c byte
scan:
	for i < len(s) {
		c = s[i]
		i++
		switch c {
		case '{':
			return fd, "", Raise("ValueError", "unexpected '{' in field name")
		case '[':
			for i < len(s) && s[i] != ']' {
				i++
			}
		case '}', ':', '!':
			break scan
		}
	}
	if c != '}' && c != ':' && c != '!' {
		return fd, "", Raise("ValueError", "expected '}' before end of string")
	}
	fd.name, rest = s[:i-1], s[i:]
	if c == '}' {
		return fd, rest, nil
	}
	if c == '!' {
		if rest == "" {
			return fd, "", Raise("ValueError", "end of string while looking for conversion specifier")
		}
		n := runeOffset(rest, 1)
		fd.conversion, rest = []rune(rest[:n])[0], rest[n:]
		if rest != "" {
			c, rest = rest[0], rest[1:]
			if c == '}' {
				return fd, rest, nil
			}
			if c != ':' {
				return fd, "", Raise("ValueError", "expected ':' after conversion specifier")
			}
		}
	}
	return parseFieldSpec(fd, rest)
}

func parseFieldSpec(fd field, s string) (field, string, error) {
	open := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			fd.nested = true
			open++
		case '}':
			if open--; open == 0 {
				fd.spec = s[:i]
				return fd, s[i+1:], nil
			}
		}
	}
	return fd, "", Raise("ValueError", "unmatched '{' in format spec")
}

func (f *formatter) render(fd field, depth int) (string, error) {
	v, err := f.lookup(fd.name)
	if err != nil {
		return "", err
	}
	switch fd.conversion {
	case 0:
	case 'r', 's', 'a':
		s, err := convertText(fd.conversion, v)
		if err != nil {
			return "", err
		}
		v = Str(s)
	default:
		return "", Raise("ValueError", "Unknown conversion specifier %s", showKind(fd.conversion))
	}
	if fd.nested {
		if fd.spec, err = f.expand(fd.spec, depth-1); err != nil {
			return "", err
		}
	}
	return Format(v, fd.spec)
}

// lookup is the value of a field name: a first part, then .attribute and [item].
func (f *formatter) lookup(name string) (Value, error) {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	v, err := f.first(name[:end])
	if err != nil {
		return nil, err
	}
	for rest := name[end:]; rest != ""; {
		if v, rest, err = step(v, rest); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (f *formatter) first(name string) (Value, error) {
	i, numbered, err := digitsOnly(name)
	if err != nil {
		return nil, err
	}
	if !numbered && name != "" {
		return GetItem(f.kw, Str(name))
	}
	if name == "" {
		if f.didNum {
			return nil, Raise("ValueError", "cannot switch from manual field specification to automatic field numbering")
		}
		i = f.auto
		f.auto++
		f.didAuto = true
	} else {
		if f.didAuto {
			return nil, Raise("ValueError", "cannot switch from automatic field numbering to manual field specification")
		}
		f.didNum = true
	}
	if f.mapOnly {
		return nil, Raise("ValueError", "Format string contains positional fields")
	}
	if i >= len(f.pos) {
		return nil, Raise("IndexError", "Replacement index %d out of range for positional args tuple", i)
	}
	return f.pos[i], nil
}

// digitsOnly reads a number that is all of s.
func digitsOnly(s string) (n int, ok bool, err error) {
	n, rest, fits := leadingInt(s, -1)
	if !fits {
		return 0, false, Raise("ValueError", "Too many decimal digits in format string")
	}
	return n, s != "" && rest == "" && n >= 0, nil
}

// step follows one .attribute or [item] at the start of rest.
func step(v Value, rest string) (Value, string, error) {
	kind, rest := rest[0], rest[1:]
	var part string
	switch kind {
	case '.':
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		part, rest = rest[:end], rest[end:]
	case '[':
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return nil, "", Raise("ValueError", "Missing ']' in format string")
		}
		part, rest = rest[:end], rest[end+1:]
	default:
		return nil, "", Raise("ValueError", "Only '.' or '[' may follow ']' in format field specifier")
	}
	if part == "" {
		return nil, "", Raise("ValueError", "Empty attribute in format string")
	}
	if kind == '.' {
		out, err := Attribute(v, part)
		return out, rest, err
	}
	key := Value(Str(part))
	if i, ok, err := digitsOnly(part); err != nil {
		return nil, "", err
	} else if ok {
		key = Int(i)
	}
	out, err := GetItem(v, key)
	return out, rest, err
}

// Attribute is v.name: an attribute of the program's own values, a method of a built-in one. Names that start with an
// underscore are refused, as in Jinja's sandbox.
func Attribute(v Value, name string) (Value, error) {
	if err := undefinedAmong(v); err != nil {
		return nil, err
	}
	if strings.HasPrefix(name, "_") {
		return nil, Raise("SecurityError", "access to attribute '%s' of '%s' object is unsafe.", name, typeName(v))
	}
	if a, ok := v.(Attrs); ok {
		if out, ok := a.Attr(name); ok {
			return out, nil
		}
	}
	if m, ok := Method(v, name); ok {
		return m, nil
	}
	if n, ok := asNum(v); ok {
		switch {
		case name == "real" || name == "numerator" && n.kind != isFloat:
			return Pos(v)
		case name == "imag" && n.kind == isFloat:
			return Float(0), nil
		case name == "imag":
			return Int(0), nil
		case name == "denominator" && n.kind != isFloat:
			return Int(1), nil
		}
	}
	return nil, Raise("AttributeError", "'%s' object has no attribute '%s'", typeName(v), name)
}
