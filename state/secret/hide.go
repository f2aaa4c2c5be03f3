package secret

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A span is a part of a text.
type span struct{ from, to int }

// spans are the parts of a text that hold secrets, apart from each other; the caller holds the lock.
func (s *Store) spans(text string) (out []span) {
	for i := 0; i+shortest <= len(text); i++ {
		pair := int(text[i])<<8 | int(text[i+1])
		if s.heads[pair/64]&(1<<(pair%64)) == 0 {
			continue
		}
		for _, form := range s.forms[[shortest]byte([]byte(text[i:i+shortest]))] {
			if !strings.HasPrefix(text[i:], form) || s.names[form] || len(form) <= shortWord && ordinary(form) && !alone(text, i, i+len(form)) {
				continue
			}
			to := i + len(form)
			if n := len(out) - 1; n >= 0 && i <= out[n].to {
				out[n].to = max(out[n].to, to)
			} else {
				out = append(out, span{i, to})
			}
			break
		}
	}
	return out
}

// ordinary says whether a text is a word of lower-case letters, which may be a part of any other.
func ordinary(text string) bool {
	for i := range len(text) {
		if (text[i] < 'a' || text[i] > 'z') && text[i] != '_' {
			return false
		}
	}
	return true
}

// alone says whether a part of a text is no part of a longer word.
func alone(text string, from, to int) bool {
	return (from == 0 || !inWord(text[from-1])) && (to == len(text) || !inWord(text[to]))
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Text is a text with its secrets hidden.
func (s *Store) Text(text string) string {
	if s.Empty() {
		return text
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return URLs(replaced(text, s.spans(text)))
}

// Holds says whether a text holds a secret.
func (s *Store) Holds(text string) bool { return !s.Empty() && len(s.spansOf(text)) > 0 }

func (s *Store) spansOf(text string) []span {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.spans(text)
}

// Value is a value with its secrets hidden, in keys too. What holds none is the value itself, not a copy.
func (s *Store) Value(v value.Value) value.Value {
	if s.Empty() {
		return v
	}
	return s.hidden(v, 0)
}

func (s *Store) hidden(v value.Value, depth int) value.Value {
	if depth > maxDepth {
		return v
	}
	switch v := v.(type) {
	case nil, value.Bool, value.NoneType, *value.Undefined:
	case value.Str:
		return value.Str(s.Diff(string(v)))
	case value.Bytes:
		return value.Bytes(s.Text(string(v)))
	case value.Int, value.BigInt, value.Float:
		if s.knows(value.String(v)) {
			return value.Str(Shown)
		}
	case *value.Sealed:
		return value.Str(Shown)
	case *value.Dict:
		return s.dict(v, depth)
	case *value.List:
		if items, ok := s.items(v.Items, depth); ok {
			return value.NewList(items...)
		}
	case *value.Tuple:
		if items, ok := s.items(v.Items, depth); ok {
			return value.NewTuple(items...)
		}
	case *value.Set:
		if items, ok := s.items(v.Items(), depth); ok {
			return value.NewList(items...)
		}
	default:
		text := value.String(v)
		if hidden := s.Text(text); hidden != text {
			return value.Str(hidden)
		}
	}
	return v
}

// items are the items with their secrets hidden, and whether there were any.
func (s *Store) items(items []value.Value, depth int) (out []value.Value, found bool) {
	for i, item := range items {
		h := s.hidden(item, depth+1)
		if !found && !same(h, item) {
			out, found = append(make([]value.Value, 0, len(items)), items[:i]...), true
		}
		if found {
			out = append(out, h)
		}
	}
	return out, found
}

// same says whether hiding left a value as it was.
func same(a, b value.Value) bool {
	if x, ok := a.(value.Bytes); ok {
		y, ok := b.(value.Bytes)
		return ok && string(x) == string(y)
	}
	return a == b
}

func (s *Store) dict(d *value.Dict, depth int) value.Value {
	found := false
	out := value.NewDict(d.Len())
	for i := range d.Len() {
		e := d.PeekAt(i)
		k, v := s.hidden(e.Key, depth+1), s.hidden(e.Val, depth+1)
		changed := !same(k, e.Key)
		found = found || changed || !same(v, e.Val)
		if changed {
			k = free(out, k)
		}
		_ = out.SetAt(k, v, e.KeyAt, e.ValueAt) // the key was one before, or is text
	}
	if !found {
		return d
	}
	return out
}

// free is a key that the dict has not: two secrets look alike.
func free(d *value.Dict, key value.Value) value.Value {
	for n := 2; d.Has(key); n++ {
		key = value.Str(Shown + " " + strconv.Itoa(n))
	}
	return key
}
