// Package types holds the values and the type system of the Puppet language: which value is of which type, which type
// can stand for which, how both are written, and how a mismatch is described in Puppet's words.
//
// Values are Go's: nil (undef), bool, int64, float64, string, []any, and the types of this package: *Hash, *Type,
// *Regexp, *Sensitive, Default and the like. It evaluates no expressions.
package types

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/dlclark/regexp2/v2"
)

// Default is the value of the word default.
type Default struct{}

// Sensitive hides a value.
type Sensitive struct{ Of any }

// An Object is a value of an Object type, or of a type that Puppet has and this package only carries: URI, Binary,
// SemVer, Timestamp, Timespan, Error, Deferred, and those that manifests define.
type Object struct {
	Type   *Type
	Fields *Hash
	// Text is how the value is written where it has a form of its own: the version, the moment, the address.
	Text string
	// Num orders such values: nanoseconds.
	Num *big.Int
}

// A Regexp is a regular expression of Ruby's.
type Regexp struct {
	Source string
	re     *regexp2.Regexp
}

// Compile makes a regular expression. In Ruby's, ^ and $ match at every line.
func Compile(source string) (*Regexp, error) {
	re, err := regexp2.Compile(rubySyntax(source), regexp2.Multiline)
	if err != nil {
		return nil, err
	}
	return &Regexp{source, re}, nil
}

// rubySyntax turns what Ruby writes in another way into what the engine knows: \A stays, \h is a hexadecimal digit, \Z
// and \z stay, (?m: is (?s:.
func rubySyntax(s string) string {
	if !strings.Contains(s, `\h`) && !strings.Contains(s, "(?m") && !strings.Contains(s, "[[:") {
		return s
	}
	s = strings.ReplaceAll(s, `\h`, "[0-9a-fA-F]")
	s = strings.ReplaceAll(s, "(?m:", "(?s:")
	s = strings.ReplaceAll(s, "(?mi:", "(?si:")
	for name, class := range map[string]string{"alpha": `a-zA-Z`, "digit": `0-9`, "alnum": `a-zA-Z0-9`, "space": `\s`,
		"upper": `A-Z`, "lower": `a-z`, "xdigit": `0-9a-fA-F`, "punct": `!-/:-@\[-` + "`" + `{-~`, "blank": ` \t`} {
		s = strings.ReplaceAll(s, "[:"+name+":]", class)
	}
	return s
}

// Match gives the whole match and its groups, nil for none.
func (r *Regexp) Match(s string) []any {
	m, err := r.re.FindStringMatch(s)
	if err != nil || m == nil {
		return nil
	}
	out := []any{}
	for _, g := range m.Groups() {
		if len(g.Captures) == 0 {
			out = append(out, nil)
			continue
		}
		out = append(out, g.String())
	}
	return out
}

// Engine is the compiled expression.
func (r *Regexp) Engine() *regexp2.Regexp { return r.re }

// A Hash is a hash in the order in which its keys were put in.
type Hash struct {
	keys []any
	vals []any
	at   map[any]int
}

// NewHash makes a hash of keys and values in turn.
func NewHash(pairs ...any) *Hash {
	h := &Hash{at: map[any]int{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

// keyOf is what a key is found by: 1 and 1.0 are two keys, arrays and hashes count by what they hold.
func keyOf(k any) any {
	switch k := k.(type) {
	case nil, bool, int64, float64, string, Default:
		return k
	}
	return "\x00" + Inspect(k)
}

// Len is the number of entries.
func (h *Hash) Len() int {
	if h == nil {
		return 0
	}
	return len(h.keys)
}

// Get finds a value.
func (h *Hash) Get(k any) (any, bool) {
	if h == nil {
		return nil, false
	}
	i, ok := h.at[keyOf(k)]
	if !ok {
		return nil, false
	}
	return h.vals[i], true
}

// Value finds a value, nil for none.
func (h *Hash) Value(k any) any { v, _ := h.Get(k); return v }

// Set puts a value under a key; one that is there keeps its place.
func (h *Hash) Set(k, v any) {
	id := keyOf(k)
	if i, ok := h.at[id]; ok {
		h.vals[i] = v
		return
	}
	h.at[id] = len(h.keys)
	h.keys, h.vals = append(h.keys, k), append(h.vals, v)
}

// Delete takes a key out.
func (h *Hash) Delete(k any) {
	i, ok := h.at[keyOf(k)]
	if !ok {
		return
	}
	h.keys, h.vals = slices.Delete(h.keys, i, i+1), slices.Delete(h.vals, i, i+1)
	h.at = make(map[any]int, len(h.keys))
	for n, key := range h.keys {
		h.at[keyOf(key)] = n
	}
}

// All are the entries in their order.
func (h *Hash) All() func(yield func(k, v any) bool) {
	return func(yield func(k, v any) bool) {
		if h == nil {
			return
		}
		for i := range h.keys {
			if !yield(h.keys[i], h.vals[i]) {
				return
			}
		}
	}
}

// Keys are the keys in their order.
func (h *Hash) Keys() []any {
	if h == nil {
		return nil
	}
	return slices.Clone(h.keys)
}

// Vals are the values in their order.
func (h *Hash) Vals() []any {
	if h == nil {
		return nil
	}
	return slices.Clone(h.vals)
}

// Clone is a copy that shares the values.
func (h *Hash) Clone() *Hash {
	out := NewHash()
	for k, v := range h.All() {
		out.Set(k, v)
	}
	return out
}

// Merge is the hash with the entries of another over its own.
func (h *Hash) Merge(o *Hash) *Hash {
	out := h.Clone()
	for k, v := range o.All() {
		out.Set(k, v)
	}
	return out
}

// Truth is false for undef and false.
func Truth(v any) bool { return v != nil && v != false }

// Equal is the language's ==: texts without regard to case, 1 and 1.0 alike.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case string:
		s, ok := b.(string)
		return ok && strings.EqualFold(a, s)
	case int64, float64:
		x, okX := number(a)
		y, okY := number(b)
		return okX && okY && x == y
	case []any:
		l, ok := b.([]any)
		return ok && slices.EqualFunc(a, l, Equal)
	case *Hash:
		return a.equals(b)
	case *Type:
		t, ok := b.(*Type)
		return ok && a.String() == t.String()
	case *Regexp:
		r, ok := b.(*Regexp)
		return ok && a.Source == r.Source
	case *Sensitive:
		s, ok := b.(*Sensitive)
		return ok && Equal(a.Of, s.Of)
	case *Object:
		o, ok := b.(*Object)
		return ok && Inspect(a) == Inspect(o)
	case nil, bool, Default:
		switch b.(type) {
		case nil, bool, Default:
			return a == b
		}
	}
	return false
}

func (h *Hash) equals(b any) bool {
	o, ok := b.(*Hash)
	if !ok || o.Len() != h.Len() {
		return false
	}
	for k, v := range h.All() {
		if w, there := o.Get(k); !there || !Equal(v, w) {
			return false
		}
	}
	return true
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return math.NaN(), false
}
