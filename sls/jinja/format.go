package jinja

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// In a template the fields of str.format reach attributes and items as expressions do: {a.b} may be an item, and what
// is missing is undefined. This file resolves such fields before Python's format sees the text.

// formatFields gives a format text in which every field with a path is replaced by a keyword argument of its own. ok is
// false when there is no such field, or one that only Python's format can complain about.
func (f *frame) formatFields(s string, args []value.Value, kwargs *value.Dict) (string, *value.Dict, bool, error) {
	if !strings.ContainsAny(s, ".[") {
		return "", nil, false, nil
	}
	r := formatRewriter{f: f, args: args, kwargs: kwargs, out: value.NewDict(4)}
	if kwargs != nil {
		r.out = kwargs.Copy()
	}
	ok := r.rewrite(s)
	if r.err != nil || !ok || !r.found {
		return "", nil, false, r.err
	}
	return r.b.String(), r.out, true, nil
}

// format is s.format(...) or s.format_map(...).
func (f *frame) format(s, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if name == "format_map" && len(args) == 1 && (kwargs == nil || kwargs.Len() == 0) {
		if d, ok := args[0].(*value.Dict); ok {
			name, args, kwargs = "format", nil, d
		}
	}
	text, kw, ok, err := f.formatFields(s, args, kwargs)
	if err != nil {
		return nil, err
	}
	if ok {
		s, kwargs = text, kw
	}
	out, _, err := value.CallMethod(f.run.ctx, value.Str(s), name, args, kwargs)
	if isClass(err, "IndexError") && strings.HasPrefix(err.Error(), "Replacement index") {
		err = raise("IndexError", "tuple index out of range")
	}
	return out, err
}

type formatRewriter struct {
	f      *frame
	args   []value.Value
	kwargs *value.Dict
	out    *value.Dict
	b      strings.Builder
	auto   int
	found  bool
	err    error
}

func (r *formatRewriter) rewrite(s string) bool {
	for s != "" {
		i := strings.IndexByte(s, '{')
		if i < 0 {
			r.b.WriteString(s)
			return true
		}
		r.b.WriteString(s[:i+1])
		s = s[i+1:]
		if strings.HasPrefix(s, "{") {
			r.b.WriteByte('{')
			s = s[1:]
			continue
		}
		n := fieldName(s)
		if n < 0 || !r.field(s[:n]) {
			return false
		}
		s = s[n:]
	}
	return true
}

// fieldName is the length of the field name at the start of s.
func fieldName(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			end := strings.IndexByte(s[i:], ']')
			if end < 0 {
				return -1
			}
			i += end
		case '!', ':', '}', '{':
			return i
		}
	}
	return -1
}

func (r *formatRewriter) field(name string) bool {
	first, path := name, ""
	if i := strings.IndexAny(name, ".["); i >= 0 {
		first, path = name[:i], name[i:]
	}
	if first == "" {
		first = strconv.Itoa(r.auto)
		r.auto++
	}
	if path == "" {
		r.b.WriteString(first)
		return true
	}
	var v value.Value
	if n, err := strconv.Atoi(first); err == nil {
		if n >= len(r.args) {
			return false
		}
		v = r.args[n]
	} else {
		ok := false
		if r.kwargs != nil {
			v, ok = r.kwargs.GetStr(first)
		}
		if !ok {
			return false
		}
	}
	if v, r.err = r.follow(v, path); r.err != nil || v == nil {
		return false
	}
	key := " " + strconv.Itoa(r.out.Len())
	r.out.SetStr(key, v)
	r.b.WriteString(key)
	r.found = true
	return true
}

// follow takes the path's attributes and items of v; nil where the path is not well formed.
func (r *formatRewriter) follow(v value.Value, path string) (value.Value, error) {
	env := r.f.run.env
	for path != "" {
		var err error
		switch path[0] {
		case '.':
			end := strings.IndexAny(path[1:], ".[") + 1
			if end == 0 {
				end = len(path)
			}
			if end == 1 {
				return nil, nil
			}
			v, err = env.Getattr(v, path[1:end])
			path = path[end:]
		case '[':
			end := strings.IndexByte(path, ']')
			if end <= 1 {
				return nil, nil
			}
			var key value.Value = value.Str(path[1:end])
			if n, err := strconv.ParseUint(path[1:end], 10, 62); err == nil {
				key = value.Int(n)
			}
			v, err = env.Getitem(v, key)
			path = path[end+1:]
		default:
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return v, strict(v)
}
