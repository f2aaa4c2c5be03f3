package value

import (
	"strings"
	"unicode/utf8"
)

func strMethod(name string) method {
	switch name {
	case "split", "rsplit":
		return strSplit
	case "splitlines":
		return strSplitlines
	case "partition", "rpartition":
		return strPartition
	case "strip", "lstrip", "rstrip":
		return strStrip
	case "startswith", "endswith":
		return strAffix
	case "removeprefix", "removesuffix":
		return strRemove
	case "replace":
		return strReplace
	case "join":
		return strJoin
	case "format":
		return strFormat
	case "format_map":
		return strFormatMap
	case "find", "rfind", "index", "rindex", "count":
		return strFind
	case "center", "ljust", "rjust":
		return strJustify
	case "zfill":
		return strZfill
	case "expandtabs":
		return strExpandtabs
	case "encode":
		return strEncode
	case "translate":
		return strTranslate
	case "maketrans":
		return strMaketrans
	}
	if fn := caseMethod(name); fn != nil {
		return func(recv Value, a args) (Value, error) {
			if err := a.none(); err != nil {
				return nil, err
			}
			return Str(fn(string(recv.(Str)))), nil
		}
	}
	if fn := classMethod(name); fn != nil {
		return func(recv Value, a args) (Value, error) {
			if err := a.none(); err != nil {
				return nil, err
			}
			return Bool(fn(string(recv.(Str)))), nil
		}
	}
	return nil
}

func strSplit(recv Value, a args) (Value, error) {
	v, err := a.named("sep", "maxsplit")
	if err != nil {
		return nil, err
	}
	limit, err := integer(v[1], -1)
	if err != nil {
		return nil, err
	}
	fromRight, s := a.name == "rsplit", string(recv.(Str))
	var parts []string
	if isNone(v[0]) {
		parts = splitSpace(s, limit, fromRight)
	} else {
		sep, err := wantStr(v[0], "must be str or None")
		if err != nil {
			return nil, err
		}
		if sep == "" {
			return nil, Raise("ValueError", "empty separator")
		}
		parts = splitSep(s, sep, limit, fromRight)
	}
	return strList(parts), nil
}

func strList(parts []string) *List {
	items := make([]Value, len(parts))
	for i, p := range parts {
		items[i] = Str(p)
	}
	return NewList(items...)
}

func splitSep(s, sep string, limit int, fromRight bool) []string {
	if limit < 0 || limit > len(s) {
		limit = len(s)
	}
	if !fromRight {
		return strings.SplitN(s, sep, limit+1)
	}
	var ends []int
	rest := s
	for ; limit > 0; limit-- {
		i := strings.LastIndex(rest, sep)
		if i < 0 {
			break
		}
		ends = append(ends, i)
		rest = rest[:i]
	}
	out := []string{rest}
	for i := len(ends) - 1; i >= 0; i-- {
		end := len(s)
		if i > 0 {
			end = ends[i-1]
		}
		out = append(out, s[ends[i]+len(sep):end])
	}
	return out
}

func splitSpace(s string, limit int, fromRight bool) []string {
	if limit < 0 {
		return strings.FieldsFunc(s, isSpace)
	}
	if fromRight {
		return rsplitSpace(s, limit)
	}
	var out []string
	for s = strings.TrimLeftFunc(s, isSpace); s != ""; s = strings.TrimLeftFunc(s, isSpace) {
		if limit == 0 {
			return append(out, s)
		}
		limit--
		i := strings.IndexFunc(s, isSpace)
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		s = s[i:]
	}
	return out
}

func rsplitSpace(s string, limit int) []string {
	var out []string
	for s = strings.TrimRightFunc(s, isSpace); s != ""; s = strings.TrimRightFunc(s, isSpace) {
		if limit == 0 {
			out = append(out, s)
			break
		}
		limit--
		i := strings.LastIndexFunc(s, isSpace)
		if i < 0 {
			out = append(out, s)
			break
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		out = append(out, s[i+n:])
		s = s[:i]
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func strSplitlines(recv Value, a args) (Value, error) {
	v, err := a.named("keepends")
	if err != nil {
		return nil, err
	}
	keep, err := integer(v[0], 0)
	if err != nil {
		return nil, err
	}
	s := string(recv.(Str))
	var out []string
	for s != "" {
		i := strings.IndexFunc(s, isLineEnd)
		if i < 0 {
			out = append(out, s)
			break
		}
		end := i + lineEndLen(s[i:])
		if keep != 0 {
			out = append(out, s[:end])
		} else {
			out = append(out, s[:i])
		}
		s = s[end:]
	}
	return strList(out), nil
}

func lineEndLen(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func strPartition(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	sep, err := wantStr(v, "must be str")
	if err != nil {
		return nil, err
	}
	if sep == "" {
		return nil, Raise("ValueError", "empty separator")
	}
	s := string(recv.(Str))
	last := a.name == "rpartition"
	i := strings.Index(s, sep)
	if last {
		i = strings.LastIndex(s, sep)
	}
	switch {
	case i >= 0:
		return NewTuple(Str(s[:i]), Str(sep), Str(s[i+len(sep):])), nil
	case last:
		return NewTuple(Str(""), Str(""), recv), nil
	}
	return NewTuple(recv, Str(""), Str("")), nil
}

func strStrip(recv Value, a args) (Value, error) {
	if err := a.between(0, 1); err != nil {
		return nil, err
	}
	drop := isSpace
	if v := a.at(0); !isNone(v) {
		if err := undefinedAmong(v); err != nil {
			return nil, err
		}
		set, ok := v.(Str)
		if !ok {
			return nil, Raise("TypeError", "%s arg must be None or str", a.name)
		}
		drop = func(r rune) bool { return strings.ContainsRune(string(set), r) }
	}
	s := string(recv.(Str))
	if a.name != "rstrip" {
		s = strings.TrimLeftFunc(s, drop)
	}
	if a.name != "lstrip" {
		s = strings.TrimRightFunc(s, drop)
	}
	return Str(s), nil
}

func strAffix(recv Value, a args) (Value, error) {
	if err := a.parsed(1, 3); err != nil {
		return nil, err
	}
	s, inside, _, err := window(string(recv.(Str)), a.at(1), a.at(2))
	if err != nil {
		return nil, err
	}
	has := strings.HasPrefix
	if a.name == "endswith" {
		has = strings.HasSuffix
	}
	switch p := a.pos[0].(type) {
	case Str:
		return Bool(inside && has(s, string(p))), nil
	case *Tuple:
		for _, it := range p.Items {
			one, ok := it.(Str)
			if !ok {
				return nil, Raise("TypeError", "tuple for %s must only contain str, not %s", a.name, typeName(it))
			}
			if inside && has(s, string(one)) {
				return Bool(true), nil
			}
		}
		return Bool(false), nil
	}
	if err := undefinedAmong(a.pos[0]); err != nil {
		return nil, err
	}
	return nil, Raise("TypeError", "%s first arg must be str or a tuple of str, not %s", a.name, typeName(a.pos[0]))
}

// window is s[start:end] for the methods that search, with the character at which it starts. inside is false when start
// is behind the end, where not even "" is found.
func window(s string, start, end Value) (part string, inside bool, from int, err error) {
	if isNone(start) && isNone(end) {
		return s, true, 0, nil
	}
	n := utf8.RuneCountInString(s)
	from, to := 0, n
	for _, x := range []struct {
		v  Value
		at *int
	}{{start, &from}, {end, &to}} {
		if isNone(x.v) {
			continue
		}
		i, ok := asIndex(x.v)
		if !ok {
			return "", false, 0, badSlice()
		}
		if i < 0 {
			i = max(i+n, 0)
		}
		*x.at = i
	}
	to = min(to, n)
	if from > to {
		return "", false, 0, nil
	}
	return runeSlice(s, from, to), true, from, nil
}

func strRemove(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	part, err := wantStr(v, a.name+"() argument must be str")
	if err != nil {
		return nil, err
	}
	if a.name == "removeprefix" {
		return Str(strings.TrimPrefix(string(recv.(Str)), part)), nil
	}
	return Str(strings.TrimSuffix(string(recv.(Str)), part)), nil
}

func strFind(recv Value, a args) (Value, error) {
	if err := a.parsed(1, 3); err != nil {
		return nil, err
	}
	sub, err := wantStr(a.pos[0], "must be str")
	if err != nil {
		return nil, err
	}
	s, inside, from, err := window(string(recv.(Str)), a.at(1), a.at(2))
	if err != nil {
		return nil, err
	}
	if a.name == "count" {
		if !inside {
			return Int(0), nil
		}
		return Int(strings.Count(s, sub)), nil
	}
	i := -1
	if inside {
		if i = strings.Index(s, sub); a.name[0] == 'r' {
			i = strings.LastIndex(s, sub)
		}
	}
	if i >= 0 {
		return Int(from + utf8.RuneCountInString(s[:i])), nil
	}
	if strings.HasSuffix(a.name, "index") {
		return nil, Raise("ValueError", "substring not found")
	}
	return Int(-1), nil
}
