package erb

import (
	"cmp"
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// Values are those of the Puppet language; the ones of Ruby that it does not have are here.
type (
	// A list is an array that can be changed in its place.
	list struct{ of []any }
	// A symbol is :name.
	symbol string
	// A class is the name of one, to compare with.
	class string
	// A span is a range.
	span struct{ from, to any }
	// A scope is the scope that a function is evaluated in.
	scope struct{}
	// A version is a Gem::Version.
	version string
	// A network is an IPAddr.
	network struct{ netip.Prefix }
	// A failure is what rescue gives a name.
	failure struct{ msg string }
)

func (s symbol) String() string { return ":" + string(s) }

// classes are the names of classes that are known.
const classes = " String Array Hash Integer Fixnum Numeric Float TrueClass FalseClass NilClass Symbol Regexp Range " +
	"Object "

const most = 1 << 20 // elements of an array, and 16 times that the bytes of a text

// in makes a value of the language one of the template, a copy of its own: a template can change its own only.
func (r *run) in(v any) any {
	r.step(0)
	switch v := v.(type) {
	case []any:
		out := &list{make([]any, len(v))}
		for i, x := range v {
			out.of[i] = r.in(x)
		}
		return out
	case *types.Hash:
		out := types.NewHash()
		for k, x := range v.All() {
			out.Set(k, r.in(x))
		}
		return out
	}
	return v
}

// export makes a value of the template one of the language.
func (r *run) export(v any) any { return r.exported(v, symbol.plain) }

// plain is a symbol of Ruby's in the language, which has none.
func (s symbol) plain() any {
	if s == "undef" {
		return nil
	}
	return string(s)
}

// exported is export with symbols as named says.
func (r *run) exported(v any, named func(symbol) any) any {
	defer r.deeper(0)()
	switch v := v.(type) {
	case *list:
		out := make([]any, len(v.of))
		for i, x := range v.of {
			out[i] = r.exported(x, named)
		}
		return out
	case *types.Hash:
		out := types.NewHash()
		for k, x := range v.All() {
			out.Set(r.exported(k, named), r.exported(x, named))
		}
		return out
	case symbol:
		return named(v)
	case class:
		return string(v)
	case span, version, network, failure, scope:
		return r.text(v)
	case *types.Sensitive:
		return &types.Sensitive{Of: r.exported(v.Of, named)}
	}
	return v
}

// className is what Ruby calls a value's class.
func className(v any) string {
	switch v := v.(type) {
	case nil:
		return "NilClass"
	case bool:
		if v {
			return "TrueClass"
		}
		return "FalseClass"
	case string:
		return "String"
	case int64:
		return "Integer"
	case float64:
		return "Float"
	case *list:
		return "Array"
	case *types.Hash:
		return "Hash"
	case symbol, types.Default:
		return "Symbol"
	case *types.Regexp:
		return "Regexp"
	case span:
		return "Range"
	case scope:
		return "Scope"
	case network:
		return "IPAddr"
	case *types.Sensitive:
		return "Sensitive"
	}
	return "Object"
}

func isA(v any, c class) bool {
	name := className(v)
	return string(c) == name || c == "Object" || c == "Numeric" && (name == "Integer" || name == "Float") ||
		c == "Fixnum" && name == "Integer"
}

// text is to_s.
func (r *run) text(v any) string {
	switch v := v.(type) {
	case *list, *types.Hash:
		return r.inspect(v)
	case symbol:
		return string(v)
	case class:
		return string(v)
	case version:
		return string(v)
	case failure:
		return v.msg
	case network:
		return v.Addr().String()
	case scope:
		return "scope"
	case span:
		return r.text(v.from) + ".." + r.text(v.to)
	}
	return types.Text(v)
}

// inspect is a value as Ruby 3.1 writes it.
func (r *run) inspect(v any) string {
	defer r.deeper(0)()
	var out string
	switch v := v.(type) {
	case nil:
		out = "nil"
	case string:
		out = quote(v)
	case symbol:
		out = v.String()
	case *list:
		parts := make([]string, len(v.of))
		for i, x := range v.of {
			parts[i] = r.inspect(x)
		}
		out = "[" + strings.Join(parts, ", ") + "]"
	case *types.Hash:
		var parts []string
		for k, x := range v.All() {
			parts = append(parts, r.inspect(k)+"=>"+r.inspect(x))
		}
		out = "{" + strings.Join(parts, ", ") + "}"
	case types.Default:
		out = ":default"
	default:
		out = r.text(v)
	}
	return r.sized(out)
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, c := range s {
		switch {
		case c == '"' || c == '\\' || c == '#' && i+1 < len(s) && strings.IndexByte("{$@", s[i+1]) >= 0:
			b.WriteString(`\` + string(c))
		case strings.ContainsRune("\n\t\r\x1b\a\b\f\v", c):
			b.WriteString(`\` + string("ntreabfv"[strings.IndexRune("\n\t\r\x1b\a\b\f\v", c)]))
		case c < ' ' || c == 0x7f:
			b.WriteString(`\x` + strings.ToUpper(strconv.FormatInt(int64(c)+0x100, 16)[1:]))
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}

// json is to_json, without blanks.
func (r *run) json(v any) string {
	defer r.deeper(0)()
	var parts []string
	switch v := v.(type) {
	case nil:
		return "null"
	case bool, int64, float64:
		return r.text(v)
	case *list:
		for _, x := range v.of {
			parts = append(parts, r.json(x))
		}
		return r.sized("[" + strings.Join(parts, ",") + "]")
	case *types.Hash:
		for k, x := range v.All() {
			parts = append(parts, r.json(r.text(k))+":"+r.json(x))
		}
		return r.sized("{" + strings.Join(parts, ",") + "}")
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.text(v)); err != nil {
		r.fail("to_json: %v", err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// equal is ==.
func (r *run) equal(a, b any) bool {
	defer r.deeper(0)()
	switch a := a.(type) {
	case int64:
		f, ok := b.(float64)
		return b == a || ok && f == float64(a)
	case float64:
		n, ok := b.(int64)
		return b == a || ok && a == float64(n)
	case *list:
		l, ok := b.(*list)
		return ok && (a == l || slices.EqualFunc(a.of, l.of, r.equal))
	case *types.Hash:
		h, ok := b.(*types.Hash)
		if !ok || h.Len() != a.Len() {
			return false
		}
		for k, v := range a.All() {
			if w, there := h.Get(k); !there || !r.equal(v, w) {
				return false
			}
		}
		return true
	case nil, bool, string, symbol, class, types.Default, version, network, scope:
		return a == b
	case *types.Object, *types.Type, *types.Regexp, *types.Sensitive:
		return types.Equal(a, b)
	}
	return false
}

// compare is <=>; what cannot be compared ends the template.
func (r *run) compare(line int, a, b any) int {
	defer r.deeper(line)()
	switch x := a.(type) {
	case int64:
		switch y := b.(type) {
		case int64:
			return cmp.Compare(x, y)
		case float64:
			return cmp.Compare(float64(x), y)
		}
	case float64:
		switch y := b.(type) {
		case int64:
			return cmp.Compare(x, float64(y))
		case float64:
			return cmp.Compare(x, y)
		}
	case string:
		if y, ok := b.(string); ok {
			return cmp.Compare(x, y)
		}
	case symbol:
		if y, ok := b.(symbol); ok {
			return cmp.Compare(x, y)
		}
	case version:
		if y, ok := b.(version); ok {
			return types.VersionCmp(string(x), string(y))
		}
	case network:
		if y, ok := b.(network); ok {
			return x.Addr().Compare(y.Addr())
		}
	case *list:
		if y, ok := b.(*list); ok {
			return slices.CompareFunc(x.of, y.of, func(a, b any) int { return r.compare(line, a, b) })
		}
	case nil:
		if b == nil {
			return 0
		}
	case bool:
		if a == b {
			return 0
		}
	}
	r.failAt(line, "comparison of %s with %s failed", className(a), className(b))
	return 0
}

// elements are those of an array, a range, or a hash as pairs.
func (r *run) elements(v any) []any {
	switch v := v.(type) {
	case *list:
		return v.of
	case *types.Hash:
		out := make([]any, 0, v.Len())
		for k, x := range v.All() {
			out = append(out, &list{[]any{k, x}})
		}
		return out
	case span:
		if from, to := []rune(r.text(v.from)), []rune(r.text(v.to)); className(v.from) == "String" && len(from) == 1 &&
			len(to) == 1 {
			var out []any
			for c := from[0]; c <= to[0]; c++ {
				out = append(out, string(c))
			}
			return out
		}
		from, ok := v.from.(int64)
		to, ok2 := v.to.(int64)
		if !ok || !ok2 {
			r.fail("only ranges of whole numbers can be gone through")
		}
		if to >= from && uint64(to-from) >= most {
			r.fail("the range %s is too long", r.text(v))
		}
		var out []any
		for n := from; n <= to; n++ {
			out = append(out, n)
		}
		return out
	}
	return nil
}
