package types

import (
	"slices"
	"strings"
)

// Instance says whether a value is of a type.
func Instance(t *Type, v any) bool {
	switch t = t.Resolved(); t.Kind {
	case "Any":
		return true
	case "Sensitive":
		s, ok := v.(*Sensitive)
		return ok && (len(t.Elems) == 0 || Instance(t.Elems[0], s.Of))
	case "Variant":
		return slices.ContainsFunc(t.Elems, func(e *Type) bool { return Instance(e, v) })
	case "Optional":
		return v == nil || len(t.Elems) == 0 || Instance(t.Elems[0], v)
	case "NotUndef":
		return v != nil && (len(t.Elems) == 0 || Instance(t.Elems[0], v))
	case "Array":
		l, ok := v.([]any)
		return ok && t.fits(len(l)) && !slices.ContainsFunc(l, func(x any) bool { return !Instance(t.Elem(0), x) })
	case "Hash":
		h, ok := v.(*Hash)
		if !ok || !t.fits(h.Len()) {
			return false
		}
		for k, x := range h.All() {
			if !Instance(t.Elem(0), k) || !Instance(t.Elem(1), x) {
				return false
			}
		}
		return true
	case "Struct":
		return t.structInstance(v)
	case "Callable":
		c, ok := v.(interface{ PuppetType() *Type })
		return ok && Assignable(t, c.PuppetType())
	case "Init":
		return len(t.Elems) == 0 || Instance(t.Elems[0], v) || v != nil
	case "Iterable":
		return iterable(t, v)
	case "SemVer":
		o, ok := v.(*Object)
		return ok && o.Type.Kind == "SemVer" && (!t.HasText || InRange(o.Text, t.Text))
	case "Deferred", "Error", "Object":
		o, ok := v.(*Object)
		return ok && (t.Kind == "Object" && len(t.Fields) == 0 && t.Text == "" || o.Type.Kind == t.Kind && (t.Text == "" ||
			o.Type.isA(t)))
	}
	return Assignable(t, Infer(v))
}

// isA says whether an Object type is another, or inherits it.
func (t *Type) isA(other *Type) bool {
	for x := t; x != nil; x = x.Parent {
		if x.Text == other.Text {
			return true
		}
	}
	return false
}

func (t *Type) fits(n int) bool {
	return !t.Sized && t.Kind != "Tuple" || int64(n) >= t.Min && int64(n) <= t.Max
}

func (t *Type) structInstance(v any) bool {
	h, ok := v.(*Hash)
	if !ok {
		return false
	}
	found := 0
	for _, f := range t.Fields {
		x, there := h.Get(f.Name)
		switch {
		case there && Instance(f.Type, x):
			found++
		case there, f.Needed():
			return false
		}
	}
	return found == h.Len()
}

// Needed says whether the key must be there: one whose value may be undef need not.
func (f *Field) Needed() bool {
	return !f.Optional && (f.NotUndef || !Assignable(f.Type, New("Undef")))
}

func iterable(t *Type, v any) bool {
	switch v := v.(type) {
	case []any, *Hash, string:
		return len(t.Elems) == 0 || t.Elems[0].Kind == "Any" || Assignable(t, Infer(v))
	case int64:
		return v >= 0
	case *Type:
		r := v.Resolved()
		return r.Kind == "Integer" && r.Min != Least && r.Max != Most || r.Kind == "Enum"
	case interface{ Each(func(any) bool) }:
		return true
	}
	return false
}

// Assignable says whether every value of b is one of t.
func Assignable(t, b *Type) bool { return assignable(t, b, 0) }

func assignable(t, b *Type, depth int) bool {
	if t == b || depth > 40 { // an alias of itself: what is not refuted holds
		return true
	}
	a := t.Resolved()
	if t.Kind == "TypeAlias" {
		depth++
	}
	if b.Kind == "TypeAlias" {
		depth++
	}
	b = b.Resolved()
	as := func(x, y *Type) bool { return assignable(x, y, depth) }
	switch {
	case a == b, a.Kind == "Any", b.Kind == "Unit", a.Kind == "Unit":
		return true
	case b.Kind == "Variant":
		return len(b.Elems) > 0 && !slices.ContainsFunc(b.Elems, func(e *Type) bool { return !as(a, e) })
	case b.Kind == "Optional" && a.Kind != "Optional":
		return as(a, New("Undef")) && len(b.Elems) > 0 && as(a, b.Elems[0])
	case b.Kind == "NotUndef" && a.Kind != "NotUndef":
		if len(b.Elems) == 0 {
			return false
		}
		return as(a, b.Elems[0]) || a.Kind == "Variant" &&
			slices.ContainsFunc(a.Elems, func(e *Type) bool { return as(e, b) })
	}
	switch a.Kind {
	case "Variant":
		return slices.ContainsFunc(a.Elems, func(e *Type) bool { return as(e, b) })
	case "Optional":
		if len(a.Elems) == 0 || b.Kind == "Undef" {
			return true
		}
		if b.Kind == "Optional" {
			return len(b.Elems) > 0 && as(a, b.Elems[0])
		}
		return as(a.Elems[0], b)
	case "NotUndef":
		if b.Kind == "NotUndef" && len(b.Elems) > 0 {
			b = b.Elems[0]
		}
		return !as(b, New("Undef")) && (len(a.Elems) == 0 || as(a.Elems[0], b))
	case "Data":
		return data(b, depth, "ScalarData")
	case "RichData":
		return data(b, depth, "Scalar")
	case "RichDataKey":
		return as(New("Scalar"), b)
	case "Scalar":
		return slices.Contains(scalars, b.Kind)
	case "ScalarData":
		return slices.Contains(scalars[:8], b.Kind)
	case "Numeric":
		return b.Kind == "Integer" || b.Kind == "Float" || b.Kind == "Numeric"
	case "Integer":
		return b.Kind == "Integer" && a.Min <= b.Min && a.Max >= b.Max
	case "Float":
		return b.Kind == "Float" && a.FMin <= b.FMin && a.FMax >= b.FMax
	case "Boolean":
		return b.Kind == "Boolean" && (!a.HasText || b.HasText && a.Bool == b.Bool)
	case "String":
		return stringFrom(a, b)
	case "Enum":
		return enumFrom(a, b)
	case "Pattern":
		return patternFrom(a, b)
	case "Regexp":
		return b.Kind == "Regexp" && (len(a.Pats) == 0 || len(b.Pats) > 0 && a.Pats[0].Source == b.Pats[0].Source)
	case "Collection":
		return slices.Contains([]string{"Collection", "Array", "Tuple", "Hash", "Struct"}, b.Kind) && sizeFrom(a, b)
	case "Array":
		return arrayFrom(a, b, as)
	case "Tuple":
		return tupleFrom(a, b, as)
	case "Hash":
		return hashFrom(a, b, as)
	case "Struct":
		return structFrom(a, b, as)
	case "Iterable":
		return iterableFrom(a, b, as)
	case "Type":
		return b.Kind == "Type" && (len(a.Elems) == 0 || len(b.Elems) > 0 && as(a.Elems[0], b.Elems[0]))
	case "Sensitive", "Iterator", "Init":
		return b.Kind == a.Kind && (len(a.Elems) == 0 || len(b.Elems) > 0 && as(a.Elems[0], b.Elems[0]))
	case "CatalogEntry", "Catalogentry":
		return b.Kind == "CatalogEntry" || b.Kind == "Resource" || b.Kind == "Class"
	case "Resource":
		return b.Kind == "Resource" && (a.Text == "" || strings.EqualFold(a.Text, b.Text)) &&
			(a.Title == "" || a.Title == b.Title)
	case "Class":
		return b.Kind == "Class" && (a.Text == "" || a.Text == b.Text)
	case "Callable":
		return callableFrom(a, b, as)
	case "Object":
		return b.Kind == "Object" && (a.Text == "" && len(a.Fields) == 0 || b.isA(a))
	}
	return a.Kind == b.Kind && a.Text == b.Text
}

// scalars are the kinds of Scalar; the first eight are those of ScalarData.
var scalars = []string{"ScalarData", "Numeric", "Integer", "Float", "String", "Enum", "Pattern", "Boolean", "Scalar",
	"Regexp",
	"SemVer", "SemVerRange", "Timestamp", "Timespan"}

// data says whether a type is of scalars, arrays and hashes of such.
func data(b *Type, depth int, scalar string) bool {
	if depth > 40 {
		return true
	}
	rec := func(e *Type) bool { return data(e.Resolved(), depth+1, scalar) }
	switch b.Kind {
	case "Undef":
		return true
	case "Data":
		return true
	case "RichData", "Type", "Sensitive", "Default", "Binary", "URI", "Object", "Resource", "Class", "CatalogEntry",
		"Deferred", "Error":
		return scalar == "Scalar"
	case "Array", "Tuple":
		if len(b.Elems) == 0 {
			return false
		}
		return !slices.ContainsFunc(b.Elems, func(e *Type) bool { return !rec(e) })
	case "Hash":
		if len(b.Elems) < 2 {
			return false
		}
		key := New("String")
		if scalar == "Scalar" {
			key = New("Scalar")
		}
		return Assignable(key, b.Elems[0]) && rec(b.Elems[1])
	case "Struct":
		return !slices.ContainsFunc(b.Fields, func(f Field) bool { return !rec(f.Type) })
	case "Optional", "Variant", "NotUndef":
		return len(b.Elems) > 0 && !slices.ContainsFunc(b.Elems, func(e *Type) bool { return !rec(e) })
	case "Unit":
		return true
	}
	return Assignable(New(scalar), b)
}

func stringFrom(a, b *Type) bool {
	switch b.Kind {
	case "String":
		return (!a.HasText || b.HasText && a.Text == b.Text) && (a.HasText || a.Min <= b.Min && a.Max >= b.Max)
	case "Enum":
		return !slices.ContainsFunc(b.Words, func(w string) bool { return !stringFrom(a, StringValue(w)) }) &&
			(len(b.Words) > 0 || !a.HasText && a.Min <= 0 && a.Max == Most)
	case "Pattern":
		return !a.HasText && a.Min == 0 && a.Max == Most
	}
	return false
}

func enumFrom(a, b *Type) bool {
	has := func(w string) bool {
		return slices.ContainsFunc(a.Words, func(x string) bool { return x == w || a.Fold && strings.EqualFold(x, w) })
	}
	switch b.Kind {
	case "String":
		return len(a.Words) == 0 || b.HasText && has(b.Text)
	case "Enum":
		return len(a.Words) == 0 || len(b.Words) > 0 && (a.Fold || !b.Fold) &&
			!slices.ContainsFunc(b.Words, func(w string) bool { return !has(w) })
	}
	return false
}

func patternFrom(a, b *Type) bool {
	matches := func(s string) bool {
		return slices.ContainsFunc(a.Pats, func(p *Regexp) bool { return p.Match(s) != nil })
	}
	switch b.Kind {
	case "String":
		return len(a.Pats) == 0 || b.HasText && matches(b.Text)
	case "Enum":
		return len(a.Pats) == 0 || len(b.Words) > 0 && !slices.ContainsFunc(b.Words,
			func(w string) bool { return !matches(w) })
	case "Pattern":
		return len(a.Pats) == 0 || !slices.ContainsFunc(b.Pats, func(p *Regexp) bool {
			return !slices.ContainsFunc(a.Pats, func(q *Regexp) bool { return p.Source == q.Source })
		})
	}
	return false
}

// size is how many elements the values of a collection type have.
func (t *Type) size() (lo, hi int64) {
	switch t.Kind {
	case "Struct":
		for i := range t.Fields {
			if t.Fields[i].Needed() {
				lo++
			}
		}
		return lo, int64(len(t.Fields))
	case "Tuple":
		if !t.Sized {
			return int64(len(t.Elems)), int64(len(t.Elems))
		}
		return t.Min, t.Max
	}
	if !t.Sized {
		return 0, Most
	}
	return t.Min, t.Max
}

func sizeFrom(a, b *Type) bool {
	lo, hi := a.size()
	bl, bh := b.size()
	return lo <= bl && hi >= bh
}

func arrayFrom(a, b *Type, as func(x, y *Type) bool) bool {
	if b.Kind != "Array" && b.Kind != "Tuple" || !sizeFrom(a, b) {
		return false
	}
	if len(a.Elems) == 0 {
		return true
	}
	if b.Kind == "Array" {
		return as(a.Elems[0], b.Elem(0))
	}
	return !slices.ContainsFunc(b.Elems, func(e *Type) bool { return !as(a.Elems[0], e) })
}

// tupleElem is the type at a place: the last one repeats.
func (t *Type) tupleElem(i int) *Type {
	if len(t.Elems) == 0 {
		return Any()
	}
	return t.Elems[min(i, len(t.Elems)-1)]
}

func tupleFrom(a, b *Type, as func(x, y *Type) bool) bool {
	if b.Kind != "Array" && b.Kind != "Tuple" || !sizeFrom(a, b) {
		return false
	}
	if b.Kind == "Array" {
		if len(b.Elems) == 0 {
			return len(a.Elems) == 0
		}
		return !slices.ContainsFunc(a.Elems, func(e *Type) bool { return !as(e, b.Elems[0]) })
	}
	for i := range max(len(a.Elems), len(b.Elems)) {
		if i < len(b.Elems) && !as(a.tupleElem(i), b.tupleElem(i)) {
			return false
		}
	}
	return true
}

func hashFrom(a, b *Type, as func(x, y *Type) bool) bool {
	if b.Kind != "Hash" && b.Kind != "Struct" || !sizeFrom(a, b) {
		return false
	}
	if len(a.Elems) == 0 {
		return true
	}
	if b.Kind == "Hash" {
		return as(a.Elem(0), b.Elem(0)) && as(a.Elem(1), b.Elem(1))
	}
	return !slices.ContainsFunc(b.Fields, func(f Field) bool {
		return !as(a.Elem(0), StringValue(f.Name)) || !as(a.Elem(1), f.Type)
	})
}

func structFrom(a, b *Type, as func(x, y *Type) bool) bool {
	if b.Kind != "Struct" {
		if b.Kind != "Hash" || !sizeFrom(a, b) {
			return false
		}
		return as(New("String"), b.Elem(0)) && !slices.ContainsFunc(a.Fields,
			func(f Field) bool { return !as(f.Type, b.Elem(1)) })
	}
	found := 0
	for i := range a.Fields {
		f := &a.Fields[i]
		k := slices.IndexFunc(b.Fields, func(g Field) bool { return g.Name == f.Name })
		switch {
		case k < 0 && f.Needed():
			return false
		case k < 0:
			continue
		case !as(f.Type, b.Fields[k].Type), f.Needed() && !b.Fields[k].Needed():
			return false
		}
		found++
	}
	return found == len(b.Fields)
}

func iterableFrom(a, b *Type, as func(x, y *Type) bool) bool {
	var elem *Type
	switch b.Kind {
	case "Array", "Iterator", "Iterable":
		elem = b.Elem(0)
	case "Tuple":
		elem = generalOf(b.Elems)
	case "Hash":
		elem = Of("Tuple", b.Elem(0), b.Elem(1))
	case "Struct":
		elem = Of("Tuple", New("String"), Any())
	case "String", "Enum", "Pattern":
		elem = New("String")
	case "Integer":
		elem = New("Integer")
	case "Binary":
		elem = Range(0, 255)
	case "Type":
		if len(b.Elems) == 1 && b.Elems[0].Kind == "Integer" {
			elem = b.Elems[0]
			break
		}
		return len(b.Elems) == 1 && b.Elems[0].Kind == "Enum"
	default:
		return false
	}
	return len(a.Elems) == 0 || as(a.Elems[0], elem)
}

// callableFrom says whether what can be called with b's parameters can be called with a's.
func callableFrom(a, b *Type, as func(x, y *Type) bool) bool {
	if b.Kind != "Callable" {
		return false
	}
	if !a.Named {
		return a.Returns == nil || b.Returns != nil && as(a.Returns, b.Returns)
	}
	if !b.Named {
		return true
	}
	if a.Returns != nil && (b.Returns == nil || !as(a.Returns, b.Returns)) && a.Returns.Kind != "Any" {
		return false
	}
	if b.Min > a.Min || b.Max < a.Max {
		return false
	}
	if len(a.Elems) == 0 { // only how many: Callable[2, 2] takes what asks for types
		return true
	}
	for i := range max(len(a.Elems), min(len(b.Elems), int(min(a.Max, 64)))) {
		if !as(b.tupleElem(i), a.tupleElem(i)) {
			return false
		}
	}
	return true
}
