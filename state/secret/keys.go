package secret

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// Keys say by name what is secret in a map of maps: a pattern with colons is a path from the top (users:*:password),
// one without is a key at any depth. What lies below a key that is named is secret, too. Lists on the way may be
// passed over, or named by the place of their items.
type Keys struct {
	names []*fnmatch.Pattern
	paths [][]*fnmatch.Pattern
}

// NewKeys reads the patterns.
func NewKeys(patterns []string) *Keys {
	k := &Keys{}
	for _, p := range patterns {
		words := strings.Split(p, ":")
		if len(words) == 1 {
			k.names = append(k.names, fnmatch.Compile(p))
			continue
		}
		var path []*fnmatch.Pattern
		for _, w := range words {
			path = append(path, fnmatch.Compile(w))
		}
		k.paths = append(k.paths, path)
	}
	return k
}

// Add names more.
func (k *Keys) Add(patterns []string) {
	more := NewKeys(patterns)
	k.names, k.paths = append(k.names, more.names...), append(k.paths, more.paths...)
}

// Empty says whether nothing is named.
func (k *Keys) Empty() bool { return k == nil || len(k.names)+len(k.paths) == 0 }

// Match says whether the last word of a path is one that is named.
func (k *Keys) Match(path []string) bool {
	if k.Empty() || len(path) == 0 {
		return false
	}
	for _, p := range k.names {
		if p.Match(path[len(path)-1]) {
			return true
		}
	}
	for _, p := range k.paths {
		if matchPath(p, path) {
			return true
		}
	}
	return false
}

// Within says whether a word of the path is one that is named.
func (k *Keys) Within(path []string) bool {
	for i := range path {
		if k.Match(path[:i+1]) {
			return true
		}
	}
	return false
}

func matchPath(p []*fnmatch.Pattern, path []string) bool {
	if len(p) != len(path) {
		return false
	}
	for i, word := range path {
		if !p[i].Match(word) {
			return false
		}
	}
	return true
}

// Mark registers what the keys name in a value.
func (k *Keys) Mark(s *Store, v value.Value) {
	if !k.Empty() {
		k.walk(v, nil, 0, func(v value.Value) value.Value { s.Mark(v); return v })
	}
}

// Hide is a copy of a value in which what the keys name is hidden, however short it is.
func (k *Keys) Hide(v value.Value) value.Value {
	if k.Empty() {
		return v
	}
	return k.walk(v, nil, 0, Mask)
}

// Mask is a value with all texts and numbers in it hidden. Its shape and its keys stay.
func Mask(v value.Value) value.Value { return masked(v, 0) }

func masked(v value.Value, depth int) value.Value {
	if depth > maxDepth {
		return value.Str(Shown)
	}
	switch v := v.(type) {
	case nil, value.Bool, value.NoneType, *value.Undefined:
		return v
	case *value.Dict:
		out := value.NewDict(v.Len())
		for k, item := range v.Peeks() {
			_ = out.Set(k, masked(item, depth+1))
		}
		return out
	case *value.List:
		out := value.NewList()
		for _, item := range v.Items {
			out.Items = append(out.Items, masked(item, depth+1))
		}
		return out
	}
	return value.Str(Shown)
}

// walk gives the value with what is named replaced by what f makes of it.
func (k *Keys) walk(v value.Value, path []string, depth int, f func(value.Value) value.Value) value.Value {
	if depth > maxDepth {
		return v
	}
	switch v := v.(type) {
	case *value.Dict:
		out := value.NewDict(v.Len())
		for key, item := range v.Peeks() {
			at := append(path[:len(path):len(path)], value.String(key))
			if k.Match(at) {
				item = f(item)
			} else {
				item = k.walk(item, at, depth+1, f)
			}
			_ = out.Set(key, item)
		}
		return out
	case *value.List:
		out := value.NewList()
		for i, item := range v.Items {
			at := append(path[:len(path):len(path)], strconv.Itoa(i))
			if k.Match(at) {
				item = f(item)
			} else if item = k.walk(item, at, depth+1, f); len(k.paths) > 0 {
				item = k.walk(item, path, depth+1, f)
			}
			out.Items = append(out.Items, item)
		}
		return out
	}
	return v
}
