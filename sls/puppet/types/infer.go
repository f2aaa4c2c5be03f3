package types

// Infer is the narrowest type of a value: of arrays a Tuple, of hashes with texts as keys a Struct.
func Infer(v any) *Type {
	switch v := v.(type) {
	case nil:
		return New("Undef")
	case bool:
		t := New("Boolean")
		t.HasText, t.Bool = true, v
		return t
	case int64:
		return Range(v, v)
	case float64:
		t := New("Float")
		t.FMin, t.FMax = v, v
		return t
	case string:
		return StringValue(v)
	case []any:
		if len(v) == 0 {
			return Of("Array", New("Unit")).sized(0, 0)
		}
		elems := make([]*Type, len(v))
		for i, x := range v {
			elems[i] = Infer(x)
		}
		return Of("Tuple", elems...)
	case *Hash:
		return inferHash(v)
	case *Type:
		return Of("Type", v)
	case *Regexp:
		t := New("Regexp")
		t.Pats = []*Regexp{v}
		return t
	case *Sensitive:
		return Of("Sensitive", Infer(v.Of))
	case Default:
		return New("Default")
	case *Object:
		return v.Type
	case interface{ PuppetType() *Type }:
		return v.PuppetType()
	}
	return New("Runtime")
}

func inferHash(h *Hash) *Type {
	if h.Len() == 0 {
		return Of("Hash", New("Unit"), New("Unit")).sized(0, 0)
	}
	t := New("Struct")
	for k, v := range h.All() {
		name, ok := k.(string)
		if !ok || name == "" {
			keys, vals := common(h.Keys()), common(h.Vals())
			return Of("Hash", keys, vals).sized(int64(h.Len()), int64(h.Len()))
		}
		t.Fields = append(t.Fields, Field{Name: name, Type: Infer(v)})
	}
	return t
}

// common is a type of all values, generalized.
func common(vals []any) *Type {
	var t *Type
	for _, v := range vals {
		g := Infer(v).Generalize()
		if t == nil {
			t = g
			continue
		}
		t = Common(t, g)
	}
	if t == nil {
		return New("Unit")
	}
	return t
}

// Common is the narrowest type that Puppet finds for two.
func Common(a, b *Type) *Type {
	switch {
	case Assignable(a, b):
		return a
	case Assignable(b, a):
		return b
	case a.Kind == "Array" && b.Kind == "Array":
		return Of("Array", Common(a.Elem(0), b.Elem(0)))
	case a.Kind == "Hash" && b.Kind == "Hash":
		return Of("Hash", Common(a.Elem(0), b.Elem(0)), Common(a.Elem(1), b.Elem(1)))
	}
	for _, kind := range []string{"Numeric", "ScalarData", "Scalar", "Data", "RichData"} {
		if t := New(kind); Assignable(t, a) && Assignable(t, b) {
			return t
		}
	}
	return Any()
}

// Generalize leaves out what is special: bounds, values, sizes.
func (t *Type) Generalize() *Type {
	switch t.Kind {
	case "Integer", "Float", "String", "Boolean", "Regexp", "Enum", "Pattern":
		if t.Kind == "Enum" || t.Kind == "Pattern" {
			return t
		}
		return New(t.Kind)
	case "Tuple":
		return Of("Array", generalOf(t.Elems))
	case "Struct":
		var vals []*Type
		for _, f := range t.Fields {
			vals = append(vals, f.Type)
		}
		return Of("Hash", New("String"), generalOf(vals))
	case "Array", "Hash", "Optional", "Sensitive", "Type", "NotUndef", "Iterable", "Iterator":
		if t.Kind == "Array" && t.Sized && t.Max == 0 {
			return Of("Array", New("Unit"))
		}
		out := New(t.Kind)
		for _, e := range t.Elems {
			out.Elems = append(out.Elems, e.Generalize())
		}
		return out
	case "Variant":
		out := New("Variant")
		for _, e := range t.Elems {
			out.Elems = append(out.Elems, e.Generalize())
		}
		return Normalize(out)
	}
	return t
}

func generalOf(elems []*Type) *Type {
	var t *Type
	for _, e := range elems {
		g := e.Generalize()
		if t == nil {
			t = g
		} else {
			t = Common(t, g)
		}
	}
	if t == nil {
		return New("Unit")
	}
	return t
}

// Normalize joins what a Variant says twice: its members that are the same, and Undef, which makes it an Optional.
func Normalize(t *Type) *Type {
	switch t.Kind {
	case "Variant":
		var elems []*Type
		undef := false
		for _, e := range t.Elems {
			n := Normalize(e)
			parts := []*Type{n}
			if n.Kind == "Variant" {
				parts = n.Elems
			}
			if n.Kind == "Optional" && len(n.Elems) == 1 {
				undef, parts = true, []*Type{n.Elems[0]}
				if n.Elems[0].Kind == "Variant" {
					parts = n.Elems[0].Elems
				}
			}
			for _, p := range parts {
				if p.Kind == "Undef" {
					undef = true
					continue
				}
				elems = addType(elems, p)
			}
		}
		elems = joinEnums(elems)
		var out *Type
		switch len(elems) {
		case 0:
			return New("Undef")
		case 1:
			out = elems[0]
		default:
			out = Of("Variant", elems...)
		}
		if undef {
			return Of("Optional", out)
		}
		return out
	case "Optional":
		if len(t.Elems) == 1 {
			inner := Normalize(t.Elems[0])
			if inner.Kind == "Optional" || Assignable(inner, New("Undef")) && inner.Kind != "TypeAlias" {
				return inner
			}
			return Of("Optional", inner)
		}
	}
	return t
}

func addType(elems []*Type, t *Type) []*Type {
	for _, e := range elems {
		if e.String() == t.String() {
			return elems
		}
	}
	return append(elems, t)
}

// joinEnums makes one Enum of several, and one Pattern.
func joinEnums(elems []*Type) []*Type {
	var out []*Type
	for _, e := range elems {
		joined := false
		for i, o := range out {
			switch {
			case e.Kind == "Enum" && o.Kind == "Enum" && e.Fold == o.Fold:
				n := New("Enum")
				n.Fold = e.Fold
				n.Words = append(append(n.Words, o.Words...), missing(o.Words, e.Words)...)
				out[i], joined = n, true
			case e.Kind == "Pattern" && o.Kind == "Pattern":
				n := New("Pattern")
				n.Pats = append(append(n.Pats, o.Pats...), e.Pats...)
				out[i], joined = n, true
			}
		}
		if !joined {
			out = append(out, e)
		}
	}
	return out
}

func missing(have, more []string) (out []string) {
	for _, m := range more {
		found := false
		for _, h := range have {
			found = found || h == m
		}
		if !found {
			out = append(out, m)
		}
	}
	return out
}
