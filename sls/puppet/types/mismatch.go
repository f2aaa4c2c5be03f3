package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A mismatch is one reason why a value or a type does not fit: where, and what was expected.
type mismatch struct {
	path []step
	// sort is "type", "pattern", "size", "count", "missing key", "missing parameter", "extra key", "extra parameter",
	// "unresolved", "block", "no block".
	sort             string
	expected, actual *Type
	key              string
}

// A step is a part of the way to the place: "parameter 'x'", "index 1", "entry 'k'", "key of entry 'k'", "variant 0".
type step struct{ kind, name string }

func (s step) String() string {
	switch s.kind {
	case "":
		return s.name
	case "parameter", "entry", "key of entry":
		return s.kind + " '" + s.name + "'"
	case "block", "return":
		return s.kind
	}
	return s.kind + " " + s.name
}

// at is the way to the place as the message begins; variants are said in brackets in front.
func (m *mismatch) at() string {
	variant, position := "", ""
	var words []string
	for _, s := range m.path {
		switch s.kind {
		case "variant", "signature":
			variant = " " + s.kind + " " + s.name
			words = nil
		default:
			words = append(words, s.String())
		}
	}
	if len(words) > 0 {
		position = " " + strings.Join(words, " ")
	}
	if variant != "" && position == "" {
		return variant
	}
	return variant + position
}

// canonical is the way without variants, so that mismatches at one place are found.
func (m *mismatch) canonical() string {
	var b strings.Builder
	for _, s := range m.path {
		if s.kind != "variant" && s.kind != "signature" {
			b.WriteString(s.String() + "/")
		}
	}
	return b.String()
}

// chop takes the step at a place out of the way.
func (m *mismatch) chop(n int) *mismatch {
	if n >= len(m.path) {
		return m
	}
	c := *m
	c.path = slices.Delete(slices.Clone(m.path), n, n+1)
	return &c
}

// text is the message, which begins with a blank.
func (m *mismatch) text() string {
	switch m.sort {
	case "missing key":
		return m.at() + " expects a value for key '" + m.key + "'"
	case "missing parameter":
		return m.at() + " expects a value for parameter '" + m.key + "'"
	case "extra key":
		return m.at() + " unrecognized key '" + m.key + "'"
	case "extra parameter":
		return m.at() + " has no parameter named '" + m.key + "'"
	case "unresolved":
		return m.at() + " references an unresolved type '" + m.key + "'"
	case "block":
		return m.at() + " does not expect a block"
	case "no block":
		return m.at() + " expects a block"
	case "size":
		return fmt.Sprintf("%s expects size to be %s, got %s", m.at(), rangeText(m.expected, "0"), rangeText(m.actual, "0"))
	case "count":
		plural := "s"
		if lo, hi := m.expected.Min, m.expected.Max; lo == 1 && (hi == 1 || hi == Most) || lo == 0 && hi == 1 {
			plural = ""
		}
		return fmt.Sprintf("%s expects %s argument%s, got %s", m.at(), rangeText(m.expected, "no"), plural,
			rangeText(m.actual, "none"))
	case "pattern":
		return m.pattern()
	}
	return m.typeText()
}

func rangeText(r *Type, zero string) string {
	lo, hi := max(r.Min, 0), r.Max
	switch {
	case lo == hi && lo == 0:
		return zero
	case lo == hi:
		return strconv.FormatInt(lo, 10)
	case lo == 0 && hi == Most:
		return "unlimited"
	case lo == 0:
		return fmt.Sprintf("at most %d", hi)
	case hi == Most:
		return fmt.Sprintf("at least %d", lo)
	}
	return fmt.Sprintf("between %d and %d", lo, hi)
}

func (m *mismatch) pattern() string {
	e, prefix := m.expected, ""
	if e.Kind == "Optional" {
		e, prefix = e.Elem(0), "an undef value or "
	}
	got := short(m.actual)
	if m.actual.Kind == "String" && m.actual.HasText {
		got = "'" + m.actual.Text + "'"
	}
	return fmt.Sprintf("%s expects %sa match for %s, got %s", m.at(), prefix, e.Expanded(), got)
}

// typeText says which types were expected; types and values are said in full where their kind alone would not tell.
func (m *mismatch) typeText() string {
	e, a := m.expected, m.actual
	optional := e.Kind == "Optional" && len(e.Elems) == 1
	if optional {
		e = e.Elems[0]
	}
	list := []*Type{e}
	if e.Kind == "Variant" {
		list = e.Elems
	}
	var words []string
	got := ""
	if detailed(list, a) {
		got = detail(list, a)
		for _, t := range list {
			words = append(words, t.Expanded())
		}
	} else {
		got = short(a)
		for _, t := range list {
			if s := short(t); !slices.Contains(words, s) {
				words = append(words, s)
			}
		}
	}
	if optional {
		words = append([]string{"Undef"}, words...)
	}
	switch len(words) {
	case 1:
		return fmt.Sprintf("%s expects %s value, got %s", m.at(), An(words[0]), got)
	case 2:
		return fmt.Sprintf("%s expects a value of type %s or %s, got %s", m.at(), words[0], words[1], got)
	}
	return fmt.Sprintf("%s expects a value of type %s, or %s, got %s", m.at(),
		strings.Join(words[:len(words)-1], ", "), words[len(words)-1], got)
}

// An puts the article in front.
func An(s string) string {
	if s != "" && strings.ContainsRune("AEIOUaeiou", rune(s[0])) {
		return "an " + s
	}
	return "a " + s
}

// short is a type by its kind, with that of what it holds where it is about that.
func short(t *Type) string {
	switch t.Kind {
	case "Optional", "NotUndef", "Sensitive", "Type", "Iterable", "Iterator":
		if len(t.Elems) == 1 && t.Elems[0].Kind != "Any" {
			return t.Kind + "[" + name(t.Elems[0]) + "]"
		}
	}
	return name(t)
}

// name is what a type is called without parameters.
func name(t *Type) string {
	if t.Kind == "TypeAlias" || t.Kind == "Object" && t.Text != "" {
		return t.Text
	}
	return t.Kind
}

// alike says that the kinds tell nothing: they are the same, or one is a special case of the other.
func alike(e, a *Type) bool {
	return e.Kind == a.Kind || e.Kind == "TypeAlias" || a.Kind == "TypeAlias" || e.Kind == "Struct" && a.Kind == "Hash" ||
		e.Kind == "Tuple" && a.Kind == "Array"
}

func detailed(es []*Type, a *Type) bool {
	return slices.ContainsFunc(es, func(e *Type) bool { return alike(e, a) || Assignable(New(e.Resolved().Kind), a) })
}

// detail is the actual type in full, or only its kind where the rest says nothing.
func detail(es []*Type, a *Type) string {
	resolved := func(e *Type) *Type { return e.Resolved() }
	if slices.ContainsFunc(es, func(e *Type) bool { return alike(resolved(e), a) }) ||
		slices.ContainsFunc(es, func(e *Type) bool { return Assignable(resolved(e), a.Generalize()) }) {
		return a.Expanded()
	}
	return a.Kind
}

// describe finds the reasons why actual does not fit expected; none where it does.
func describe(expected, actual *Type, path []step) []*mismatch {
	if u := unresolved(expected, 0); u != "" {
		return []*mismatch{{path: path, sort: "unresolved", key: u}}
	}
	return describeAs(Normalize(expected), expected, actual, path)
}

// unresolved is the name of a type that is not there, "" for none.
func unresolved(t *Type, depth int) string {
	if t.Kind == "TypeReference" {
		return t.Text
	}
	if depth > 20 {
		return ""
	}
	for _, e := range t.Elems {
		if u := unresolved(e, depth+1); u != "" {
			return u
		}
	}
	return ""
}

func describeAs(expected, original, actual *Type, path []step) []*mismatch {
	fault := func(sort string, e, a *Type) []*mismatch {
		return []*mismatch{{path: path, sort: sort, expected: e, actual: a}}
	}
	switch expected.Kind {
	case "Variant":
		return describeVariant(expected, original, actual, path)
	case "Optional":
		if actual.Kind == "Undef" || len(expected.Elems) == 0 {
			return nil
		}
		if original.Kind != "TypeAlias" {
			original = expected
		}
		return describeAs(expected.Elems[0], original, actual, path)
	case "Enum", "Pattern":
		if Assignable(expected, actual) {
			return nil
		}
		return fault("pattern", original, actual)
	case "TypeAlias":
		if Assignable(expected, actual) {
			return nil
		}
		return describeAs(Normalize(expected.Resolved()), expected, actual, path)
	case "Struct":
		return describeStruct(expected, original, actual, path)
	case "Hash":
		return describeHash(expected, original, actual, path)
	case "Array":
		return describeArray(expected, original, actual, path)
	case "Tuple":
		return describeTuple(expected, original, actual, path, "size")
	case "Callable":
		return describeCallable(expected, original, actual, path)
	}
	if Assignable(expected, actual) {
		return nil
	}
	return fault("type", original, actual)
}

// with is a way with one more step.
func with(path []step, kind, name string) []step { return append(slices.Clip(path), step{kind, name}) }

func describeVariant(expected, original, actual *Type, path []step) []*mismatch {
	elems := expected.Elems
	if original.Kind == "Optional" {
		elems = append([]*Type{New("Undef")}, elems...)
	}
	var each [][]*mismatch
	for i, v := range elems {
		d := describe(v, actual, with(path, "variant", strconv.Itoa(i)))
		if len(d) == 0 {
			return nil
		}
		each = append(each, d)
	}
	out := merge(len(path), "size", each)
	if original.Kind == "TypeAlias" && len(out) == 1 {
		return []*mismatch{{path: path, sort: "type", expected: original, actual: actual}}
	}
	return out
}

// merge makes one of the mismatches that all variants have at one place; where there is none it leaves them all.
func merge(at int, size string, each [][]*mismatch) []*mismatch {
	var all []*mismatch
	for _, d := range each {
		all = append(all, d...)
	}
	for _, sort := range []string{size, "no block", "block", "type"} {
		var found []*mismatch
		for _, m := range all {
			if m.sort == sort || sort == "type" && m.sort == "pattern" || sort == "size" && m.sort == "count" {
				found = append(found, m)
			}
		}
		if len(found) != len(each) || len(found) == 0 {
			continue
		}
		one := found[0]
		for _, m := range found[1:] {
			if one = one.join(m); one == nil {
				break
			}
		}
		if one != nil {
			all = []*mismatch{one}
			break
		}
	}
	all = distinct(all)
	if len(all) == 1 {
		return []*mismatch{all[0].chop(at)}
	}
	return all
}

func distinct(all []*mismatch) []*mismatch {
	var out []*mismatch
	seen := map[string]bool{}
	for _, m := range all {
		key := m.sort + m.canonical() + m.text()
		if !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	return out
}

// join is one mismatch for two at the same place, nil where the places differ.
func (m *mismatch) join(o *mismatch) *mismatch {
	if m.canonical() != o.canonical() {
		return nil
	}
	c := *m
	switch m.sort {
	case "size", "count":
		c.expected = Range(min(m.expected.Min, o.expected.Min), max(m.expected.Max, o.expected.Max))
	case "type", "pattern":
		c.sort = m.sort
		if o.sort != m.sort {
			c.sort = "type"
		}
		c.expected = Normalize(Of("Variant", m.expected, o.expected))
		if m.sort == "pattern" && o.sort == "pattern" && c.expected.Kind == "Variant" {
			c.sort = "type"
		}
	}
	return &c
}

func sizeOf(t *Type) *Type {
	lo, hi := t.size()
	return Range(lo, hi)
}

// unlike is how a type does not fit whose parts nobody knows one by one: by its size, or as a whole.
func unlike(expected, original, actual *Type, path []step) []*mismatch {
	switch same := sameSort(expected, actual); {
	case same && Assignable(expected, actual):
		return nil
	case same && !sizeFrom(expected, actual):
		return []*mismatch{{path: path, sort: "size", expected: sizeOf(expected), actual: sizeOf(actual)}}
	}
	return []*mismatch{{path: path, sort: "type", expected: original, actual: actual}}
}

// sameSort says whether the sizes of two types tell why one does not fit the other.
func sameSort(expected, actual *Type) bool {
	if expected.Kind == "Array" {
		return actual.Kind == "Array"
	}
	return actual.Kind == "Hash"
}

func describeArray(expected, original, actual *Type, path []step) []*mismatch {
	switch actual.Kind {
	case "Tuple":
		if !sizeFrom(expected, actual) {
			return []*mismatch{{path: path, sort: "size", expected: sizeOf(expected), actual: sizeOf(actual)}}
		}
		var out []*mismatch
		for i, t := range actual.Elems {
			if !Assignable(expected.Elem(0), t) {
				out = append(out, describe(expected.Elem(0), t, with(path, "index", strconv.Itoa(i)))...)
			}
		}
		return out
	}
	return unlike(expected, original, actual, path)
}

func describeHash(expected, original, actual *Type, path []step) []*mismatch {
	switch actual.Kind {
	case "Struct":
		if !sizeFrom(expected, actual) {
			return []*mismatch{{path: path, sort: "size", expected: sizeOf(expected), actual: sizeOf(actual)}}
		}
		var out []*mismatch
		for _, f := range actual.Fields {
			if key := StringValue(f.Name); !Assignable(expected.Elem(0), key) {
				out = append(out, describe(expected.Elem(0), key, with(path, "key of entry", f.Name))...)
			}
			if !Assignable(expected.Elem(1), f.Type) {
				out = append(out, describe(expected.Elem(1), f.Type, with(path, "entry", f.Name))...)
			}
		}
		return out
	}
	return unlike(expected, original, actual, path)
}

func describeStruct(expected, original, actual *Type, path []step) []*mismatch {
	switch actual.Kind {
	case "Struct":
		var out []*mismatch
		for i := range expected.Fields {
			f := &expected.Fields[i]
			k := slices.IndexFunc(actual.Fields, func(g Field) bool { return g.Name == f.Name })
			switch {
			case k < 0 && f.Needed():
				out = append(out, &mismatch{path: path, sort: "missing key", key: f.Name})
			case k < 0, Assignable(f.Type, actual.Fields[k].Type):
			default:
				out = append(out, describe(f.Type, actual.Fields[k].Type, with(path, "entry", f.Name))...)
			}
		}
		for _, g := range actual.Fields {
			if !slices.ContainsFunc(expected.Fields, func(f Field) bool { return f.Name == g.Name }) {
				out = append(out, &mismatch{path: path, sort: "extra key", key: g.Name})
			}
		}
		return out
	}
	return unlike(expected, original, actual, path)
}

func describeTuple(expected, original, actual *Type, path []step, size string) []*mismatch {
	if actual.Kind != "Tuple" && actual.Kind != "Array" {
		return []*mismatch{{path: path, sort: "type", expected: original, actual: actual}}
	}
	if len(expected.Elems) == 0 && actual.Kind == "Array" {
		return nil
	}
	if !sizeFrom(expected, actual) {
		return []*mismatch{{path: path, sort: size, expected: sizeOf(expected), actual: sizeOf(actual)}}
	}
	var out []*mismatch
	if actual.Kind == "Array" {
		for i, e := range expected.Elems {
			out = append(out, describe(e, actual.Elem(0), with(path, "index", strconv.Itoa(i)))...)
		}
		return out
	}
	for i, a := range actual.Elems {
		at := min(i, len(expected.Elems)-1)
		if at >= 0 {
			out = append(out, describe(expected.Elems[at], a, with(path, "index", strconv.Itoa(at)))...)
		}
	}
	return out
}

// arguments is a callable's parameters as a tuple.
func (t *Type) arguments() *Type {
	args := Of("Tuple", t.Elems...)
	return args.sized(t.Min, t.Max)
}

func describeCallable(expected, original, actual *Type, path []step) []*mismatch {
	if actual.Kind != "Callable" {
		return []*mismatch{{path: path, sort: "type", expected: original, actual: actual}}
	}
	if Assignable(expected, actual) {
		return nil
	}
	// It is the callable that is called: what it takes is what is expected.
	return describeTuple(expected.arguments(), expected.arguments(), actual.arguments(), path, "count")
}
