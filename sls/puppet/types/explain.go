package types

import (
	"fmt"
	"strconv"
	"strings"
)

// Mismatch says why a type does not fit: "subject expects an Integer value, got String". It is "" where it does.
func Mismatch(subject string, expected, actual *Type) string {
	return joined(describe(expected, actual, []step{{"", subject}}), func(s string) string { return s })
}

// MismatchValue is Mismatch of a value.
func MismatchValue(subject string, expected *Type, v any) string {
	if Instance(expected, v) {
		return ""
	}
	if s := Mismatch(subject, expected, Infer(v)); s != "" {
		return s
	}
	return fmt.Sprintf("%s expects %s value, got %s", subject, An(expected.Expanded()), Infer(v).Kind)
}

func joined(ms []*mismatch, one func(string) string) string {
	switch len(ms) {
	case 0:
		return ""
	case 1:
		return one(strings.TrimSpace(ms[0].text()))
	}
	lines := make([]string, len(ms))
	for i, m := range ms {
		lines[i] = m.text()
	}
	return strings.Join(lines, "\n ")
}

// A Param is a parameter of a class, define or function for checking what is given.
type Param struct {
	Name     string
	Type     *Type
	Optional bool
}

// CheckParams says what is wrong with the parameters given to a class or define: "" for nothing.
func CheckParams(subject string, params []Param, given *Hash, missingOK bool) string {
	var ms []*mismatch
	known := map[string]bool{}
	for _, p := range params {
		known[p.Name] = true
	}
	for k := range given.All() {
		if s, _ := k.(string); !known[s] {
			ms = append(ms, &mismatch{sort: "extra parameter", key: s})
		}
	}
	for _, p := range params {
		v, there := given.Get(p.Name)
		switch {
		case there && isDeferred(v), there && Instance(p.Type, v):
		case there:
			ms = append(ms, describe(p.Type, Infer(v), []step{{"parameter", p.Name}})...)
		case !missingOK && !p.Optional:
			ms = append(ms, &mismatch{sort: "missing parameter", key: p.Name})
		}
	}
	switch len(ms) {
	case 0:
		return ""
	case 1:
		return subject + ":" + ms[0].text()
	}
	lines := make([]string, len(ms))
	for i, m := range ms {
		lines[i] = m.text()
	}
	return subject + ":\n " + strings.Join(lines, "\n ")
}

func isDeferred(v any) bool {
	o, ok := v.(*Object)
	return ok && o.Type.Kind == "Deferred"
}

// A Signature is one way to call a function: a Callable with the names of its parameters.
type Signature = Type

// Accepts says whether a signature takes the arguments, and the block, nil for none.
func Accepts(s *Signature, args []any, block *Type) bool {
	if int64(len(args)) < s.Min || int64(len(args)) > s.Max {
		return false
	}
	for i, a := range args {
		if !Instance(s.tupleElem(i), a) {
			return false
		}
	}
	switch {
	case block == nil:
		return s.Block == nil || Assignable(s.Block, New("Undef"))
	case s.Block == nil:
		return false
	}
	return Assignable(s.Block, block)
}

// Refusal says why none of the signatures takes the arguments.
func Refusal(function string, sigs []*Signature, args []any, block *Type) string {
	each := make([][]*mismatch, len(sigs))
	bad := 0
	for i, s := range sigs {
		each[i] = describeArguments(s, args, []step{{"signature", strconv.Itoa(i)}})
		if len(each[i]) > 0 {
			bad++
		}
	}
	if bad < len(sigs) {
		blocks, wrong := make([][]*mismatch, len(sigs)), 0
		for i, s := range sigs {
			if blocks[i] = describeBlock(s, block, []step{{"signature", strconv.Itoa(i)}}); len(blocks[i]) > 0 {
				wrong++
			}
		}
		for i := range each {
			if wrong == len(sigs) || len(each[i]) == 0 {
				each[i] = blocks[i]
			}
		}
	}
	label := "'" + function + "'"
	if function == "lambda" {
		label = "block"
	}
	errs := merge(0, "count", each)
	if len(errs) == 1 {
		return label + errs[0].text()
	}
	var b strings.Builder
	if len(sigs) == 1 {
		fmt.Fprintf(&b, "%s expects (%s)", label, signature(sigs[0]))
		for _, m := range each[0] {
			b.WriteString("\n  rejected:" + m.chop(0).text())
		}
		return b.String()
	}
	fmt.Fprintf(&b, "The function %s was called with arguments it does not accept. It expects one of:", label)
	for i, s := range sigs {
		b.WriteString("\n  (" + signature(s) + ")")
		for _, m := range each[i] {
			b.WriteString("\n    rejected:" + m.chop(0).text())
		}
	}
	return b.String()
}

func describeArguments(s *Signature, args []any, path []step) []*mismatch {
	n := int64(len(args))
	if n < s.Min || n > s.Max {
		return []*mismatch{{path: path, sort: "count", expected: Range(s.Min, s.Max), actual: Range(n, n)}}
	}
	for i, a := range args {
		t := s.tupleElem(i)
		if Instance(t, a) {
			continue
		}
		name := "?"
		if len(s.Names) > 0 {
			name = s.Names[min(i, len(s.Names)-1)]
		}
		if d := describe(t, Infer(a), with(path, "parameter", name)); len(d) > 0 {
			return d
		}
		return []*mismatch{{path: with(path, "parameter", name), sort: "type", expected: t, actual: Infer(a)}}
	}
	return nil
}

func describeBlock(s *Signature, block *Type, path []step) []*mismatch {
	switch {
	case block == nil && (s.Block == nil || Assignable(s.Block, New("Undef"))):
		return nil
	case block == nil:
		return []*mismatch{{path: path, sort: "no block"}}
	case s.Block == nil:
		return []*mismatch{{path: path, sort: "block"}}
	}
	want := s.Block
	if want.Kind == "Optional" {
		want = want.Elem(0)
	}
	return describe(want, block, with(path, "block", ""))
}

// signature is how a call is written: "String str, Optional[Integer] n?, Callable block".
func signature(s *Signature) string {
	var parts []string
	for i, t := range s.Elems {
		name := ""
		if i < len(s.Names) {
			name = " " + s.Names[i]
		}
		switch {
		case i == len(s.Elems)-1 && s.Max == Most:
			mark := "*"
			if int64(i) < s.Min {
				mark = "+"
			}
			name += mark
		case int64(i) >= s.Min:
			name += "?"
		}
		parts = append(parts, t.String()+name)
	}
	if s.Block != nil {
		b, mark := s.Block, ""
		if b.Kind == "Optional" {
			b, mark = b.Elem(0), "?"
		}
		parts = append(parts, b.String()+" block"+mark)
	}
	return strings.Join(parts, ", ")
}
