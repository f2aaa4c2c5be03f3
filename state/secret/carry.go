package secret

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Carry registers what an operation made of secrets: out, where one of the values that it was made from is a text that
// holds a secret, and out does not show that itself. A part of a text is secret where it was cut out of a secret; what
// is no part of it (a hash, another case) is secret as a whole, or in the lines that were.
func (s *Store) Carry(out value.Value, from ...value.Value) {
	if s.Empty() || out == nil {
		return
	}
	switch out.(type) {
	case value.Bool, value.NoneType, value.Int, value.BigInt, value.Float, *value.Undefined:
		return // how long it is, or whether it is there
	}
	made, _ := plain(out)
	for _, v := range from {
		if text, ok := plain(v); ok && text == made {
			return // nothing new
		}
	}
	for _, v := range from {
		if text, ok := plain(v); ok && s.Holds(text) {
			s.carry(out, text)
		}
	}
}

// CarryText is Carry for an operation that makes text of containers, too: tojson, join, ~, %.
func (s *Store) CarryText(out value.Value, from ...value.Value) {
	s.Carry(out, from...)
	text, ok := plain(out)
	if s.Empty() || !ok || s.Holds(text) {
		return
	}
	for _, v := range from {
		if _, isText := plain(v); isText || v == nil {
			continue
		}
		holds, leaf := false, false
		eachLeaf(v, 0, func(t string) { holds, leaf = holds || s.Holds(t), leaf || t == text })
		if holds && !leaf && !isKey(v, text, 0) {
			s.MarkText(text)
		}
	}
}

// isKey says whether a text is a key within a value: the list of them is nothing new.
func isKey(v value.Value, text string, depth int) bool {
	d, ok := v.(*value.Dict)
	if !ok || depth > maxDepth {
		return false
	}
	for k, item := range d.Peeks() {
		if t, _ := plain(k); t == text || isKey(item, text, depth+1) {
			return true
		}
	}
	return false
}

// plain is the text that a value is.
func plain(v value.Value) (string, bool) {
	switch v := v.(type) {
	case value.Str:
		return string(v), true
	case value.Bytes:
		return string(v), true
	case value.Int, value.BigInt:
		return value.String(v), true
	case value.Texter:
		return string(v.PlainText()), true
	}
	return "", false
}

// carry registers what was made of one text that holds a secret.
func (s *Store) carry(out value.Value, text string) {
	whole := s.knows(text)
	made, single := plain(out)
	if single {
		s.carryText(made, text, whole)
		return
	}
	eachLeaf(out, 0, func(leaf string) {
		if whole || strings.Contains(text, leaf) {
			s.carryText(leaf, text, whole)
		}
	})
}

func (s *Store) carryText(made, text string, whole bool) {
	switch {
	case made == text || s.Holds(made):
	case whole:
		s.MarkText(made)
	case strings.Contains(text, made):
		if s.cutOut(made, text) {
			s.MarkText(made)
		}
	default:
		s.carryLines(made, text)
	}
}

// cutOut says whether a part of a text stands where a secret is.
func (s *Store) cutOut(part, text string) bool {
	for _, p := range s.spansOf(text) {
		// a part that overlaps the secret begins at most its own length before it
		from := max(0, p.from-len(part)+1)
		if strings.Contains(text[from:min(len(text), p.to+len(part)-1)], part) {
			return true
		}
	}
	return false
}

// carryLines registers the lines that were made of lines with a secret, where they can be told apart.
func (s *Store) carryLines(made, text string) {
	a, b := strings.Split(text, "\n"), strings.Split(made, "\n")
	if len(a) != len(b) || len(a) == 1 {
		s.MarkText(made)
		return
	}
	for i, line := range a {
		if s.Holds(line) && !s.Holds(b[i]) {
			s.MarkText(b[i])
		}
	}
}
