package top

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// how compares one value with the last part of a target.
type how uint8

const (
	byGlob how = iota
	byPCRE
	byEquality
)

// matches compares without regard to case, as Salt does.
func (h how) matches(v value.Value, pattern string) (bool, error) {
	text, pattern := strings.ToLower(value.String(v)), strings.ToLower(pattern)
	switch h {
	case byPCRE:
		re, err := pyre.Compile(pattern, 0)
		if err != nil {
			return false, err
		}
		return re.Matches(text)
	case byEquality:
		return text == pattern, nil
	}
	return fnmatch.Match(pattern, text), nil
}

// subdictMatch looks for a value in nested data: in 'a:b:c' the value may be 'c' below a:b, or 'b:c' below a; the
// deeper key is tried first. A list matches when one of its items does.
func subdictMatch(data *value.Dict, expr, delim string, h how) (bool, error) {
	parts := strings.Split(expr, delim)
	for i := len(parts) - 1; i > 0; i-- {
		key, rest := strings.Join(parts[:i], delim), strings.Join(parts[i:], delim)
		var found value.Value = data
		if key == "*" {
			rest = expr
		} else {
			v, ok := traverse(data, parts[:i])
			if !ok {
				continue
			}
			found = v
		}
		ok, err := matchFound(found, rest, delim, h)
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func matchFound(found value.Value, pattern, delim string, h how) (bool, error) {
	var items []value.Value
	switch v := found.(type) {
	case *value.Dict:
		if v.Len() == 0 {
			return false, nil
		}
		return dictMatch(v, pattern, delim, h)
	case *value.List:
		items = v.Items
	case *value.Tuple:
		items = v.Items
	default:
		return h.matches(found, pattern)
	}
	for _, it := range items {
		if d, ok := it.(*value.Dict); ok {
			if ok, err := dictMatch(d, pattern, delim, h); ok || err != nil {
				return ok, err
			}
		}
		if ok, err := h.matches(it, pattern); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// dictMatch asks whether a dict has the key, or below it the value; "*:" in front means any key.
func dictMatch(d *value.Dict, pattern, delim string, h how) (bool, error) {
	pattern, wildcard := cutWildcard(pattern)
	if pattern == "*" {
		return true, nil
	}
	if _, ok := d.GetStr(pattern); ok {
		return true, nil
	}
	// Salt: below the first level the delimiter is always the colon
	if ok, err := subdictMatch(d, pattern, ":", h); ok || err != nil || !wildcard {
		return ok, err
	}
	for _, v := range d.All() {
		var ok bool
		var err error
		switch v := v.(type) {
		case *value.Dict:
			ok, err = dictMatch(v, pattern, delim, h)
		case *value.List:
			for _, it := range v.Items {
				if ok, err = h.matches(it, pattern); ok || err != nil {
					break
				}
			}
		default:
			ok, err = h.matches(v, pattern)
		}
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func cutWildcard(pattern string) (string, bool) {
	return strings.CutPrefix(pattern, "*:")
}

// traverse follows keys through dicts and lists: a number is a place in a list; another key is looked up in the list's
// dicts.
func traverse(v value.Value, keys []string) (value.Value, bool) {
	for _, k := range keys {
		switch at := v.(type) {
		case *value.Dict:
			next, ok := lookup(at, k)
			if !ok {
				return nil, false
			}
			v = next
		case *value.List:
			next, ok := inList(at, k)
			if !ok {
				return nil, false
			}
			v = next
		default:
			return nil, false
		}
	}
	return v, true
}

// lookup finds a key as it is written, or as the number or boolean that it is in YAML.
func lookup(d *value.Dict, key string) (value.Value, bool) {
	if v, ok := d.GetStr(key); ok {
		return v, true
	}
	if n, err := strconv.ParseInt(key, 10, 64); err == nil {
		return d.Get(value.Int(n))
	}
	switch strings.ToLower(key) {
	case "true", "yes", "on":
		return d.Get(value.Bool(true))
	case "false", "no", "off":
		return d.Get(value.Bool(false))
	}
	return nil, false
}

func inList(l *value.List, key string) (value.Value, bool) {
	if n, err := strconv.Atoi(key); err == nil {
		if n < 0 {
			n += len(l.Items)
		}
		if n < 0 || n >= len(l.Items) {
			return nil, false
		}
		return l.Items[n], true
	}
	for _, it := range l.Items {
		if d, ok := it.(*value.Dict); ok {
			if v, ok := d.GetStr(key); ok {
				return v, true
			}
		}
	}
	return nil, false
}
