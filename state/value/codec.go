package value

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// codecNames asks for the names that CPython gives encodings; "" is one that is not supported.
func codecName(name string) string {
	switch strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "_", "-"), " ", "-") {
	case "utf-8", "utf8", "u8":
		return "utf-8"
	case "ascii", "us-ascii", "646":
		return "ascii"
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "l1", "8859":
		return "latin-1"
	}
	return ""
}

// codecArgs are the arguments of encode and decode.
func codecArgs(a *args) (codec, errors string, err error) {
	v, err := a.named("encoding", "errors")
	if err != nil {
		return "", "", err
	}
	codec, errors = "utf-8", "strict"
	if v[0] != nil {
		if codec, err = wantStr(v[0], a.name+"() argument 'encoding' must be str"); err != nil {
			return "", "", err
		}
	}
	if v[1] != nil {
		if errors, err = wantStr(v[1], a.name+"() argument 'errors' must be str"); err != nil {
			return "", "", err
		}
	}
	name := codecName(codec)
	if name == "" {
		return "", "", Raise("LookupError", "unknown encoding: %s", codec)
	}
	return name, errors, nil
}

func strEncode(recv Value, a args) (Value, error) {
	codec, errors, err := codecArgs(&a)
	if err != nil {
		return nil, err
	}
	s := string(recv.(Str))
	if codec == "utf-8" || isASCII(s) {
		return Bytes(s), nil
	}
	limit := rune(0x80)
	if codec == "latin-1" {
		limit = 0x100
	}
	var b []byte
	at := 0
	for _, r := range s {
		if r < limit {
			b = append(b, byte(r))
		} else if b, err = replaceRune(b, r, at, codec, errors, limit); err != nil {
			return nil, err
		}
		at++
	}
	return Bytes(b), nil
}

func replaceRune(b []byte, r rune, at int, codec, errors string, limit rune) ([]byte, error) {
	escaped := strings.Trim(ASCII(Str(r)), "'")
	switch errors {
	case "ignore":
		return b, nil
	case "replace":
		return append(b, '?'), nil
	case "backslashreplace":
		return append(b, escaped...), nil
	case "xmlcharrefreplace":
		return fmt.Appendf(b, "&#%d;", r), nil
	case "strict":
		return nil, Raise("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: ordinal not in "+
			"range(%d)",
			codec, escaped, at, limit)
	}
	return nil, Raise("LookupError", "unknown error handler name '%s'", errors)
}

func bytesMethod(name string) method {
	switch name {
	case "decode":
		return bytesDecode
	case "hex":
		return func(recv Value, a args) (Value, error) {
			if err := a.none(); err != nil {
				return nil, err
			}
			return Str(hex.EncodeToString([]byte(recv.(Bytes)))), nil
		}
	case "startswith", "endswith", "strip", "lstrip", "rstrip", "upper", "lower", "split", "replace", "find", "count",
		"join":
		return bytesAsText(name)
	}
	return nil
}

// bytesAsText runs the method of str on the bytes, each as the character of its number. Bytes are rare in templates.
func bytesAsText(name string) method {
	return func(recv Value, a args) (Value, error) {
		pos := make([]Value, len(a.pos))
		for i, v := range a.pos {
			pos[i] = widen(v)
			if _, ok := v.(Str); ok {
				return nil, Raise("TypeError", "a bytes-like object is required, not 'str'")
			}
		}
		out, err := strMethod(name)(widen(recv), args{ctx: a.ctx, typ: "bytes", name: name, pos: pos, kw: a.kw})
		if err != nil {
			return nil, err
		}
		return narrow(out), nil
	}
}

func widen(v Value) Value {
	switch v := v.(type) {
	case Bytes:
		return Str(fromLatin1(string(v)))
	case *Tuple:
		items := make([]Value, len(v.Items))
		for i := range v.Items {
			items[i] = widen(v.Items[i])
		}
		return NewTuple(items...)
	case *List:
		return NewList(widen(NewTuple(v.Items...)).(*Tuple).Items...)
	}
	return v
}

func narrow(v Value) Value {
	switch v := v.(type) {
	case Str:
		b := make([]byte, 0, len(v))
		for _, r := range string(v) {
			b = append(b, byte(r))
		}
		return Bytes(b)
	case *List:
		for i := range v.Items {
			v.Items[i] = narrow(v.Items[i])
		}
	}
	return v
}

func fromLatin1(s string) string {
	if isASCII(s) {
		return s
	}
	b := make([]rune, len(s))
	for i := 0; i < len(s); i++ {
		b[i] = rune(s[i])
	}
	return string(b)
}

func bytesDecode(recv Value, a args) (Value, error) {
	codec, errors, err := codecArgs(&a)
	if err != nil {
		return nil, err
	}
	s := string(recv.(Bytes))
	switch {
	case isASCII(s), codec == "utf-8" && utf8.ValidString(s):
		return Str(s), nil
	case codec == "latin-1":
		return Str(fromLatin1(s)), nil
	}
	var b []byte
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if s[i] < 0x80 || codec == "utf-8" && (r != utf8.RuneError || n > 1) {
			b = append(b, s[i:i+n]...)
			i += n
			continue
		}
		if b, err = replaceByte(b, s, i, codec, errors); err != nil {
			return nil, err
		}
		i++
	}
	return Str(b), nil
}

func replaceByte(b []byte, s string, at int, codec, errors string) ([]byte, error) {
	switch errors {
	case "ignore":
		return b, nil
	case "replace":
		return append(b, "\uFFFD"...), nil
	case "backslashreplace":
		return appendHex(append(b, '\\', 'x'), uint32(s[at]), 2), nil
	case "strict":
		why := "ordinal not in range(128)"
		if codec == "utf-8" {
			why = "invalid start byte"
			if c := s[at]; c >= 0xc2 && c < 0xf5 {
				if why = "invalid continuation byte"; at == len(s)-1 {
					why = "unexpected end of data"
				}
			}
		}
		return nil, Raise("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: %s", codec, s[at], at,
			why)
	}
	return nil, Raise("LookupError", "unknown error handler name '%s'", errors)
}
