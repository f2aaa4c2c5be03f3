package types

import (
	"math"
	"strings"
)

// Unbounded ends of a range.
const (
	Least = math.MinInt64
	Most  = math.MaxInt64
)

// A Type is a type with its parameters. Which fields count depends on Kind.
type Type struct {
	// Kind is the name without parameters: "Integer", "Array", "Resource".
	Kind string
	// Elems are the types that it is made of: the element, key and value, the members of a tuple or variant, the
	// parameters of a callable.
	Elems []*Type
	// Min and Max bound an Integer, or the size of a String, Array, Hash, Tuple, Collection or of a Callable's
	// parameters; Sized says that they were given.
	Min, Max int64
	Sized    bool
	// FMin and FMax bound a Float.
	FMin, FMax float64
	// Words are those of an Enum; Fold says that case does not count.
	Words []string
	Fold  bool
	// Pats are those of a Pattern, or of a Regexp the one.
	Pats []*Regexp
	// Fields are those of a Struct or of an Object.
	Fields []Field
	// Text is the value of a String (HasText), the type and title of a Resource, the name of a Class, an alias or an
	// unresolved type.
	Text, Title string
	HasText     bool
	// Bool is the value of a Boolean (HasText).
	Bool bool
	// Named says of a Callable that its parameters were given.
	Named bool
	// Block and Returns are those of a Callable.
	Block, Returns *Type
	// Alias is what a TypeAlias stands for; it is nil until that is known.
	Alias *Type
	// Names are the names of a callable's parameters, for messages.
	Names []string
	// Parent is that of an Object.
	Parent *Type
	// Constants are those of an Object, or what else it was made from.
	Init *Hash
}

// A Field is one of a Struct.
type Field struct {
	Name     string
	Optional bool
	NotUndef bool
	Type     *Type
	// Default is that of an Object's attribute.
	Default    any
	HasDefault bool
}

// New is a type without parameters.
func New(kind string) *Type {
	t := &Type{Kind: kind, Min: Least, Max: Most, FMin: math.Inf(-1), FMax: math.Inf(1)}
	switch kind {
	case "String", "Array", "Hash", "Tuple", "Collection", "Callable":
		t.Min = 0
	}
	return t
}

// Of is a type with elements.
func Of(kind string, elems ...*Type) *Type {
	t := New(kind)
	t.Elems = elems
	if kind == "Tuple" {
		t.Min, t.Max = int64(len(elems)), int64(len(elems))
	}
	return t
}

// Any is the type of everything.
func Any() *Type { return New("Any") }

// Range is Integer[min, max].
func Range(lo, hi int64) *Type {
	t := New("Integer")
	t.Min, t.Max = lo, hi
	return t
}

// sized gives a size to a type.
func (t *Type) sized(lo, hi int64) *Type {
	t.Min, t.Max, t.Sized = lo, hi, true
	return t
}

// StringValue is the type of one text.
func StringValue(s string) *Type {
	t := New("String")
	t.Text, t.HasText = s, true
	n := int64(len([]rune(s)))
	t.Min, t.Max = n, n
	return t
}

// Resource is a reference to a resource, with an empty title to all of a type, and with an empty type to all.
func Resource(typeName, title string) *Type {
	t := New("Resource")
	t.Text, t.Title = Capital(typeName), title
	return t
}

// ClassRef is Class[name], with an empty name any class.
func ClassRef(name string) *Type {
	t := New("Class")
	t.Text = strings.ToLower(strings.TrimPrefix(name, "::"))
	return t
}

// Elem is the n-th element, Any where there is none.
func (t *Type) Elem(n int) *Type {
	if n < len(t.Elems) {
		return t.Elems[n]
	}
	return Any()
}

// Resolved is what an alias stands for, or the type itself.
func (t *Type) Resolved() *Type {
	for t != nil && t.Kind == "TypeAlias" && t.Alias != nil {
		t = t.Alias
	}
	return t
}

// Capital is the name of a class or type as references have it: apache::vhost as Apache::Vhost.
func Capital(name string) string {
	parts := strings.Split(strings.TrimPrefix(name, "::"), "::")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + strings.ToLower(p[1:])
		}
	}
	return strings.Join(parts, "::")
}

// builtin are the types that the language has, without those of resources.
func builtin(name string) bool {
	switch name {
	case "Any", "Unit", "Undef", "NotUndef", "Default", "Scalar", "ScalarData", "Data", "RichData", "RichDataKey",
		"Numeric",
		"Integer", "Float", "String", "Boolean", "Enum", "Pattern", "Regexp", "Collection", "Array", "Hash", "Tuple",
		"Struct",
		"Optional", "Variant", "Callable", "Iterable", "Iterator", "Type", "Class", "Resource", "CatalogEntry", "Sensitive",
		"SemVer", "SemVerRange", "Timestamp", "Timespan", "Binary", "URI", "Runtime", "Object", "TypeAlias", "TypeReference",
		"Init", "TypeSet", "Error", "Deferred", "Target", "Task", "Catalogentry":
		return true
	}
	return false
}

// Builtin is the type of a name that the language has, nil for none. Names are without regard to case.
func Builtin(name string) *Type {
	if !builtin(name) {
		return nil
	}
	return New(name)
}
