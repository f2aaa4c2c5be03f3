package types

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// String is a type as the language writes it.
func (t *Type) String() string { return t.write(false) }

// Expanded is the type with what an alias stands for: `Port = Integer[0, 65535]`.
func (t *Type) Expanded() string { return t.write(true) }

func (t *Type) write(expand bool) string {
	var args []string
	elems := func(ts []*Type) {
		for _, e := range ts {
			args = append(args, e.writeArg(expand))
		}
	}
	switch t.Kind {
	case "TypeAlias":
		if expand && t.Alias != nil {
			return t.Text + " = " + t.Alias.write(false)
		}
		return t.Text
	case "TypeReference":
		return "TypeReference['" + t.Text + "']"
	case "Integer":
		args = bounds(t.Min, t.Max, Least)
	case "Float":
		args = floatBounds(t.FMin, t.FMax)
	case "String":
		if !t.HasText {
			args = bounds(t.Min, t.Max, 0)
		}
	case "Collection":
		args = bounds(t.Min, t.Max, 0)
	case "Boolean":
		if t.HasText {
			args = []string{strconv.FormatBool(t.Bool)}
		}
	case "Enum":
		for _, w := range t.Words {
			args = append(args, Quote(w))
		}
		if t.Fold {
			args = append(args, "true")
		}
	case "Pattern", "Regexp":
		for _, p := range t.Pats {
			args = append(args, Inspect(p))
		}
	case "Array", "Hash":
		if len(t.Elems) > 0 && t.Elems[0].Kind != "Unit" && !(t.Elems[0].Kind == "Any" && (t.Kind == "Array" ||
			t.Elem(1).Kind == "Any")) {
			elems(t.Elems)
		}
		if t.Sized {
			args = append(args, sizes(t.Min, t.Max)...)
		}
	case "Tuple":
		elems(t.Elems)
		if t.Sized {
			args = append(args, sizes(t.Min, t.Max)...)
		}
	case "Struct":
		if len(t.Fields) > 0 {
			args = []string{t.fields(expand)}
		}
	case "Resource":
		return t.resource()
	case "Class":
		if t.Text != "" {
			args = []string{t.Text}
		}
	case "Callable":
		args = t.callable(expand)
	case "Object":
		return t.object()
	case "SemVer", "SemVerRange", "Timestamp", "Timespan", "Runtime", "URI":
		if t.HasText {
			args = []string{Quote(t.Text)}
		}
	case "Type", "Optional", "NotUndef", "Sensitive", "Iterable", "Iterator":
		switch {
		case len(t.Elems) == 1 && t.Elems[0].HasText && t.Elems[0].Kind == "String":
			args = []string{Quote(t.Elems[0].Text)}
		case len(t.Elems) == 1 && t.Elems[0].Kind != "Any":
			elems(t.Elems)
		}
	default:
		elems(t.Elems)
	}
	if len(args) == 0 {
		return t.Kind
	}
	return t.Kind + "[" + strings.Join(args, ", ") + "]"
}

// writeArg is a type as a parameter: the type of one text is the text.
func (t *Type) writeArg(expand bool) string {
	if t.Kind == "TypeAlias" {
		return t.Text
	}
	return t.write(expand && t.Kind != "TypeAlias")
}

// bounds are the parameters of a range; nothing where it is unbounded.
func bounds(lo, hi, least int64) []string {
	switch {
	case lo == least && hi == Most:
		return nil
	case hi == Most:
		return []string{strconv.FormatInt(lo, 10)}
	case lo == Least:
		return []string{"default", strconv.FormatInt(hi, 10)}
	}
	return []string{strconv.FormatInt(lo, 10), strconv.FormatInt(hi, 10)}
}

// sizes are those of a collection, which are said even when they are 0 and unbounded.
func sizes(lo, hi int64) []string {
	if hi == Most {
		return []string{strconv.FormatInt(lo, 10)}
	}
	return []string{strconv.FormatInt(lo, 10), strconv.FormatInt(hi, 10)}
}

func floatBounds(lo, hi float64) []string {
	switch {
	case math.IsInf(lo, -1) && math.IsInf(hi, 1):
		return nil
	case math.IsInf(hi, 1):
		return []string{Float(lo)}
	case math.IsInf(lo, -1):
		return []string{"default", Float(hi)}
	}
	return []string{Float(lo), Float(hi)}
}

func (t *Type) fields(expand bool) string {
	out := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		key := Quote(f.Name)
		switch undef := Assignable(f.Type, New("Undef")); {
		case f.Optional && !undef, f.Optional && f.Type.Kind == "Any":
			key = "Optional[" + key + "]"
		case !f.Optional && f.NotUndef && undef:
			key = "NotUndef[" + key + "]"
		}
		out[i] = key + " => " + f.Type.writeArg(expand)
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (t *Type) resource() string {
	switch {
	case t.Text == "":
		return "Resource"
	case t.Title == "":
		return t.Text
	}
	return t.Text + "[" + Quote(t.Title) + "]"
}

// Ref is a reference as messages and catalogs write it: File[/x], Class[A::B].
func (t *Type) Ref() string {
	if t.Kind == "Class" {
		return "Class[" + ClassTitle(t.Text) + "]"
	}
	return t.Text + "[" + t.Title + "]"
}

// ClassTitle is a class's name as a title: A::B. The class of the manifest itself is main.
func ClassTitle(name string) string {
	if name == "" || name == "main" {
		return "main"
	}
	return Capital(name)
}

func (t *Type) callable(expand bool) []string {
	if !t.Named && t.Returns == nil {
		return nil
	}
	var args []string
	for _, e := range t.Elems {
		args = append(args, e.writeArg(expand))
	}
	n := int64(len(t.Elems))
	switch {
	case t.Min == n && t.Max == n && n > 0:
	case n == 0 && t.Min == 0 && t.Max == 0:
		args = append(args, "0", "0")
	case t.Max == Most:
		args = append(args, strconv.FormatInt(t.Min, 10))
	default:
		args = append(args, sizes(t.Min, t.Max)...)
	}
	if t.Block != nil {
		args = append(args, t.Block.writeArg(expand))
	}
	if t.Returns != nil {
		return []string{"[" + strings.Join(args, ", ") + "]", t.Returns.writeArg(expand)}
	}
	return args
}

func (t *Type) object() string {
	if t.Init == nil {
		if t.Text != "" {
			return t.Text
		}
		return "Object"
	}
	if t.Text != "" {
		return t.Text
	}
	var parts []string
	for k, v := range t.Init.All() {
		parts = append(parts, fmt.Sprint(k)+" => "+Inspect(v))
	}
	return "Object[{" + strings.Join(parts, ", ") + "}]"
}

// Quote is a text as the language writes it: in single quotes, or in double ones where it holds what those cannot.
func Quote(s string) string {
	plain := true
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			plain = false
		}
	}
	if plain {
		return "'" + strings.ReplaceAll(s, "'", `\'`) + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '"', '\\', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			if r < ' ' || r == 0x7f {
				fmt.Fprintf(&b, `\u{%X}`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String() + `"`
}

// Inspect is a value as the language writes it: 'a', [1, 'a'], undef.
func Inspect(v any) string { return render(v, true) }

// Text is a value as it is put into a string: undef is nothing, texts are not quoted.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return render(v, false)
}

func render(v any, quoted bool) string {
	switch v := v.(type) {
	case nil:
		if quoted {
			return "undef"
		}
		return ""
	case string:
		if quoted {
			return Quote(v)
		}
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return Float(v)
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = render(x, quoted)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *Hash:
		parts := make([]string, 0, v.Len())
		for k, x := range v.All() {
			parts = append(parts, render(k, quoted)+" => "+render(x, quoted))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Default:
		return "default"
	case *Regexp:
		return "/" + strings.ReplaceAll(v.Source, "/", `\/`) + "/"
	case *Type:
		if v.Kind == "Class" || v.Kind == "Resource" && v.Title != "" && !quoted {
			return v.String()
		}
		return v.String()
	case *Sensitive:
		if quoted {
			return "#<Sensitive [value redacted]>"
		}
		return "Sensitive [value redacted]"
	case *Object:
		return v.render(quoted)
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

func (o *Object) render(quoted bool) string {
	switch o.Type.Kind {
	case "Timespan", "Timestamp":
		if quoted {
			return "#<Puppet::Pops::Time::" + o.Type.Kind + ":0x... @nsecs=" + o.Num.String() + ">"
		}
		return o.Text
	case "SemVer", "URI", "Binary", "SemVerRange":
		if quoted {
			return o.Type.Kind + "('" + o.Text + "')"
		}
		return o.Text
	}
	name := o.Type.Text
	if name == "" {
		name = o.Type.Kind
	}
	return name + "(" + Inspect(o.Fields) + ")"
}

// Float is a number as Ruby writes it: 1.0, 1.0e+20.
func Float(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case math.IsNaN(f):
		return "NaN"
	}
	if a := math.Abs(f); f != 0 && (a >= 1e16 || a < 1e-4) {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mant, exp, _ := strings.Cut(s, "e")
		if !strings.Contains(mant, ".") {
			mant += ".0"
		}
		return mant + "e" + exp
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Hexed is a number too large for an Integer, as messages write it.
func Hexed(n *big.Int) string {
	if n.Sign() < 0 {
		return "-0x" + new(big.Int).Neg(n).Text(16)
	}
	return "+0x" + n.Text(16)
}
