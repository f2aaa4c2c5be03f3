package types

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Param gives a type its parameters: Integer[1, 5]. A fault is said as Puppet says it.
func (t *Type) Param(args []any) (*Type, error) {
	if t.Kind == "TypeAlias" {
		return nil, fmt.Errorf("%s-Type cannot be parameterized", t.Text)
	}
	switch t.Kind {
	case "Integer":
		return t.integer(args)
	case "Float":
		return t.float(args)
	case "String":
		if s, ok := args[0].(string); ok && len(args) == 1 {
			return StringValue(s), nil
		}
		return t.range_(args)
	case "Collection":
		return t.range_(args)
	case "Boolean":
		b, ok := args[0].(bool)
		if !ok {
			return nil, fmt.Errorf("Boolean-Type type argument must be a Boolean, got %s", Infer(args[0]).Kind)
		}
		return Infer(b), nil
	case "Enum":
		return t.enum(args)
	case "Pattern", "Regexp":
		return t.pattern(args)
	case "Array", "Hash":
		return t.container(args)
	case "Tuple":
		return t.tuple(args)
	case "Struct":
		return t.struct_(args)
	case "Optional", "NotUndef", "Type", "Sensitive", "Iterable", "Iterator", "Init":
		e, err := typeArg(t, args[0], t.Kind == "Optional" || t.Kind == "NotUndef")
		if err != nil {
			return nil, err
		}
		return Of(t.Kind, e), nil
	case "Variant":
		elems, err := typeArgs(t, args)
		if err != nil {
			return nil, err
		}
		return Normalize(Of("Variant", elems...)), nil
	case "Callable":
		return t.callableOf(args)
	case "Class":
		return classes(args)
	case "Resource", "Catalogentry":
		return t.resources(args)
	case "Runtime", "SemVer", "SemVerRange", "Timestamp", "Timespan", "URI", "TypeReference", "TypeAlias":
		out := New(t.Kind)
		out.Text, out.HasText = Text(args[0]), true
		return out, nil
	}
	return nil, fmt.Errorf("%s-Type cannot be parameterized", t.Kind)
}

func bound(v any, unbounded int64) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v)
	case Default:
		return unbounded, true
	case nil:
		return unbounded, true
	}
	return 0, false
}

func (t *Type) count(args []any, most int) error {
	if len(args) > most {
		return fmt.Errorf("%s-Type takes at most %d arguments, got %d", t.Kind, most, len(args))
	}
	return nil
}

func (t *Type) integer(args []any) (*Type, error) {
	if err := t.count(args, 2); err != nil {
		return nil, err
	}
	out, ok := New("Integer"), true
	if out.Min, ok = bound(args[0], Least); ok && len(args) > 1 {
		out.Max, ok = bound(args[1], Most)
	}
	if !ok {
		return nil, fmt.Errorf("Integer-Type takes integers or default as its bounds")
	}
	return out, nil
}

func (t *Type) float(args []any) (*Type, error) {
	if err := t.count(args, 2); err != nil {
		return nil, err
	}
	out := New("Float")
	for i, a := range args {
		if _, isDefault := a.(Default); isDefault {
			continue
		}
		f, ok := number(a)
		switch {
		case !ok:
			return nil, fmt.Errorf("Float-Type takes numbers or default as its bounds")
		case i == 0:
			out.FMin = f
		default:
			out.FMax = f
		}
	}
	return out, nil
}

// range_ is a size: String[1, 5].
func (t *Type) range_(args []any) (*Type, error) {
	if r, isType := args[0].(*Type); isType && r.Kind == "Integer" && len(args) == 1 {
		return New(t.Kind).sized(max(r.Min, 0), r.Max), nil
	}
	if err := t.count(args, 2); err != nil {
		return nil, err
	}
	lo, ok := bound(args[0], 0)
	hi := int64(Most)
	if ok && len(args) > 1 {
		hi, ok = bound(args[1], Most)
	}
	if !ok {
		return nil, fmt.Errorf("%s-Type takes integers as its size", t.Kind)
	}
	return New(t.Kind).sized(lo, hi), nil
}

func (t *Type) enum(args []any) (*Type, error) {
	out := New("Enum")
	if l, ok := args[0].([]any); ok && len(args) == 1 {
		args = l
	}
	for i, a := range args {
		switch a := a.(type) {
		case string:
			out.Words = append(out.Words, a)
		case bool:
			if i == len(args)-1 {
				out.Fold = a
				continue
			}
			return nil, fmt.Errorf("Enum-Type takes texts, got Boolean")
		default:
			return nil, fmt.Errorf("Enum-Type takes texts, got %s", Infer(a).Kind)
		}
	}
	slices.Sort(out.Words)
	out.Words = slices.Compact(out.Words)
	return out, nil
}

func (t *Type) pattern(args []any) (*Type, error) {
	out := New(t.Kind)
	for _, a := range args {
		switch a := a.(type) {
		case string:
			r, err := Compile(a)
			if err != nil {
				return nil, err
			}
			out.Pats = append(out.Pats, r)
		case *Regexp:
			out.Pats = append(out.Pats, a)
		case *Type:
			out.Pats = append(out.Pats, a.Pats...)
		default:
			return nil, fmt.Errorf("%s-Type takes texts or regular expressions, got %s", t.Kind, Infer(a).Kind)
		}
	}
	return out, nil
}

// typeArg is a parameter that must be a type; a text stands for the type of that text where allowed.
func typeArg(t *Type, a any, text bool) (*Type, error) {
	switch a := a.(type) {
	case *Type:
		return a, nil
	case string:
		if text {
			return StringValue(a), nil
		}
	case Default:
		return Any(), nil
	}
	return nil, fmt.Errorf("Cannot use %s where %s is expected", Infer(a).Kind, "Any-Type")
}

func typeArgs(t *Type, args []any) ([]*Type, error) {
	out := make([]*Type, len(args))
	for i, a := range args {
		e, err := typeArg(t, a, false)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

// container is Array[T, min, max] or Hash[K, V, min, max].
func (t *Type) container(args []any) (*Type, error) {
	n := map[string]int{"Array": 1, "Hash": 2}[t.Kind]
	out := New(t.Kind)
	if _, isType := args[0].(*Type); isType {
		if len(args) < n {
			return nil, fmt.Errorf("%s-Type takes 2 types, got 1", t.Kind)
		}
		elems, err := typeArgs(t, args[:n])
		if err != nil {
			return nil, err
		}
		out.Elems, args = elems, args[n:]
	}
	if len(args) == 0 {
		return out, nil
	}
	s, err := New("Collection").range_(args)
	if err != nil {
		return nil, err
	}
	return out.sized(s.Min, s.Max), nil
}

func (t *Type) tuple(args []any) (*Type, error) {
	n := len(args)
	for n > 0 {
		if _, isType := args[n-1].(*Type); isType {
			break
		}
		n--
	}
	elems, err := typeArgs(t, args[:n])
	if err != nil {
		return nil, err
	}
	out := Of("Tuple", elems...)
	if n < len(args) {
		s, err := New("Collection").range_(args[n:])
		if err != nil {
			return nil, err
		}
		out.sized(s.Min, s.Max)
	}
	return out, nil
}

func (t *Type) struct_(args []any) (*Type, error) {
	h, ok := args[0].(*Hash)
	if !ok {
		return nil, fmt.Errorf("Cannot use %s where Hash is expected", Infer(args[0]).Kind)
	}
	out := New("Struct")
	for k, v := range h.All() {
		f := Field{}
		switch k := k.(type) {
		case string:
			f.Name = k
		case *Type:
			if len(k.Elems) == 1 && k.Elems[0].HasText {
				f.Name, f.Optional, f.NotUndef = k.Elems[0].Text, k.Kind == "Optional", k.Kind == "NotUndef"
			}
		}
		e, err := typeArg(t, v, false)
		if f.Name == "" || err != nil {
			return nil, fmt.Errorf("Struct-Type takes names and types, got %s", Inspect(k))
		}
		f.Type = e
		out.Fields = append(out.Fields, f)
	}
	return out, nil
}

// callableOf is Callable[A, B, min, max, Block], or Callable[[A, B], Returns].
func (t *Type) callableOf(args []any) (*Type, error) {
	out := New("Callable")
	out.Named = true
	if l, ok := args[0].([]any); ok && len(args) == 2 {
		r, err := typeArg(t, args[1], false)
		if err != nil {
			return nil, err
		}
		out.Returns, args = r, l
	}
	if len(args) > 0 {
		if b, ok := args[len(args)-1].(*Type); ok && (b.Kind == "Callable" || b.Kind == "Optional" &&
			b.Elem(0).Kind == "Callable") {
			out.Block, args = b, args[:len(args)-1]
		}
	}
	tuple, err := New("Tuple").tuple(args)
	if err != nil {
		return nil, err
	}
	out.Elems, out.Min, out.Max = tuple.Elems, tuple.Min, tuple.Max
	if len(tuple.Elems) == 0 && !tuple.Sized {
		out.Min, out.Max = 0, 0
	}
	return out, nil
}

func classes(args []any) (*Type, error) {
	if len(args) != 1 {
		return nil, nil // several references: the caller makes a list
	}
	switch a := args[0].(type) {
	case string:
		return ClassRef(a), nil
	case *Type:
		if a.Kind == "Resource" && a.Title == "" {
			return ClassRef(strings.ToLower(a.Text)), nil
		}
		return a, nil
	}
	return nil, fmt.Errorf("Class-Type requires a text as its name, got %s", Infer(args[0]).Kind)
}

func (t *Type) resources(args []any) (*Type, error) {
	name := t.Text
	if name == "" {
		switch a := args[0].(type) {
		case string:
			name = a
		case *Type:
			name = a.Text
			if a.Kind != "Resource" {
				name = a.Kind
			}
		default:
			return nil, fmt.Errorf("Resource-Type requires a text or type as its name, got %s", Infer(args[0]).Kind)
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return Resource(name, ""), nil
	}
	if len(args) > 1 {
		return nil, nil
	}
	if s, ok := args[0].(string); ok {
		return Resource(name, s), nil
	}
	if _, ok := args[0].(Default); ok {
		return Resource(name, ""), nil
	}
	return nil, fmt.Errorf("%s-Type requires a text as its title, got %s", t.Kind, Infer(args[0]).Kind)
}
