package compile

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/types"
)

// A textFormat is how String(value, '%...') writes values: the parts of the format, and for lists and hashes what
// stands between their elements.
type textFormat struct {
	of          *types.Type // the values that it is for; nil for any
	spec        string
	verb        byte
	alt         bool   // #
	trim        string // the format for a text: %-5.3s
	open, close string
	sep, sep2   string
	inner       []textFormat // of elements
}

// textFormats parses what String() is given: one format, or a hash of them by type.
func (k *call) textFormats(given any) []textFormat {
	switch given := given.(type) {
	case string:
		f := k.textFormat(given)
		f.of = nil
		return []textFormat{f}
	case *types.Hash:
		var out []textFormat
		for t, spec := range given.All() {
			of, isType := t.(*types.Type)
			if !isType {
				k.refuse("'new_String' expects types as the keys of its formats, got %s", types.Infer(t).Kind)
			}
			f := k.formatOf(spec)
			f.of = of
			out = append(out, f)
		}
		return out
	}
	return nil
}

// formatOf is one format of a hash: a text, or a hash of its parts.
func (k *call) formatOf(spec any) textFormat {
	h, ok := spec.(*types.Hash)
	if !ok {
		return k.textFormat(types.Text(spec))
	}
	format, said := h.Value("format").(string)
	if !said {
		format = "%p"
	}
	f := k.textFormat(format)
	if s, ok := h.Value("separator").(string); ok {
		f.sep = s
	}
	if s, ok := h.Value("separator2").(string); ok {
		f.sep2 = s
	}
	if in := h.Value("string_formats"); in != nil {
		f.inner = k.textFormats(in)
	}
	return f
}

var formatParts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$`)
})

func (k *call) textFormat(spec string) textFormat {
	m := formatParts().FindStringSubmatch(spec)
	if m == nil {
		k.refuse("The format '%s' is not a valid format on the form '%%<flags><width>.<prec><format>'", spec)
	}
	f := textFormat{spec: spec, verb: m[4][0], alt: strings.Contains(m[1], "#")}
	for i := range m[1] {
		if strings.Count(m[1], m[1][i:i+1]) > 1 {
			k.refuse("The same flag can only be used once, got '%s'", spec)
		}
		if at := strings.IndexByte("[{(<|", m[1][i]); at >= 0 {
			if f.open != "" {
				k.refuse("Only one of the delimiters [ { ( < | can be given in the format flags, got '%s'", spec)
			}
			f.open, f.close = "[{(<|"[at:at+1], "]})>|"[at:at+1]
		}
	}
	f.trim = "%"
	if strings.Contains(m[1], "-") {
		f.trim += "-"
	}
	if f.trim += m[2]; m[3] != "" {
		f.trim += "." + m[3]
	}
	f.trim += "s"
	return f
}

// newString formats a value: the format is one text, or a hash by type.
func (k *call) newString(v any, more []any) any {
	if len(more) == 0 {
		return types.Text(v)
	}
	formats := k.textFormats(more[0])
	if f := formatFor(formats, v); f != nil {
		return k.write(v, *f, formats)
	}
	if _, isHash := more[0].(*types.Hash); isHash && contains(v) {
		return k.write(v, k.textFormat("%p"), formats)
	}
	return types.Text(v)
}

// contains says whether a value holds others, which have formats of their own.
func contains(v any) bool {
	switch v.(type) {
	case []any, *types.Hash:
		return true
	}
	return false
}

// formatFor is the format for a value: that of the narrowest type which it is of; nil for none.
func formatFor(formats []textFormat, v any) (best *textFormat) {
	for i := range formats {
		f := &formats[i]
		switch {
		case f.of == nil:
			return f
		case !types.Instance(f.of, v):
		case best == nil || types.Assignable(best.of, f.of) && !types.Assignable(f.of, best.of):
			best = f
		}
	}
	return best
}

// write is a value in its format; formats are those for lists and hashes in it.
func (k *call) write(v any, f textFormat, formats []textFormat) string {
	switch x := v.(type) {
	case nil:
		return k.writeUndef(f)
	case types.Default:
		switch f.verb {
		case 'd', 's', 'p':
			return f.cut(f.quoted("default"))
		case 'D':
			return f.cut(f.quoted("Default"))
		}
		k.illegal(f, "Default", "dDsp")
	case bool:
		return k.writeBool(x, f)
	case int64:
		return k.writeInteger(x, f)
	case float64:
		return k.writeFloat(x, f)
	case string:
		return k.writeText(x, f)
	case *types.Regexp:
		switch f.verb {
		case 'p':
			return f.cut(types.Inspect(v))
		case 's':
			return f.cut(f.quoted(x.Source))
		}
		k.illegal(f, "Regexp", "sp")
	case *types.Type:
		switch f.verb {
		case 'p':
			return f.cut(types.Text(v))
		case 's':
			return f.cut(f.quoted(types.Text(v)))
		}
		k.illegal(f, "Type", "sp")
	case []any:
		if !strings.ContainsRune("asp", rune(f.verb)) {
			k.illegal(f, "Array", "asp")
		}
		return k.writeList(x, f, formats)
	case *types.Hash:
		switch f.verb {
		case 'a':
			return k.writeList(pairs(x), textFormat{verb: 'a', open: f.open, close: f.close, sep: f.sep}, formats)
		case 'h', 's', 'p':
			return k.writeHash(x, f, formats)
		}
		k.illegal(f, "Hash", "hasp")
	}
	return k.kernel(f.spec, v)
}

// kernel is the format of a value as sprintf() writes it.
func (k *call) kernel(spec string, v any) string {
	out, err := formatted(spec, []any{v})
	if err != nil {
		k.refuse("%v", err)
	}
	return out
}

func (k *call) illegal(f textFormat, kind, verbs string) {
	k.refuse("Illegal format '%c' specified for value of %s type - expected one of the characters '%s'", f.verb, kind,
		verbs)
}

// cut gives a text its width.
func (f textFormat) cut(s string) string {
	out, _ := formatted(f.trim, []any{s})
	return out
}

// quoted is a text in quotes where # asks for them.
func (f textFormat) quoted(s string) string {
	if f.alt {
		return strconv.Quote(s)
	}
	return s
}

func (k *call) writeUndef(f textFormat) string {
	word := map[byte][2]string{'n': {"nil", "null"}, 'u': {"undef", "undefined"}, 'v': {"n/a", "n/a"}, 'V': {"N/A", "N/A"},
		's': {"", `""`}, 'p': {"undef", `"undef"`}}
	if strings.IndexByte("dxXobBeEfgGaA", f.verb) >= 0 {
		return f.cut("NaN")
	}
	w, ok := word[f.verb]
	if !ok {
		k.illegal(f, "Undef", "nudxXobBeEfgGaAvVsp")
	}
	if f.alt {
		return f.cut(w[1])
	}
	return f.cut(w[0])
}

func (k *call) writeBool(b bool, f textFormat) string {
	word, n := "", int64(0)
	switch f.verb {
	case 't', 's', 'p':
		word = strconv.FormatBool(b)
	case 'T':
		word = map[bool]string{true: "True", false: "False"}[b]
	case 'y':
		word = map[bool]string{true: "yes", false: "no"}[b]
	case 'Y':
		word = map[bool]string{true: "Yes", false: "No"}[b]
	}
	if b {
		n = 1
	}
	switch {
	case word != "" && f.alt && f.verb != 's' && f.verb != 'p':
		return f.cut(word[:1])
	case word != "":
		return f.cut(word)
	case strings.IndexByte("dxXobB", f.verb) >= 0:
		return k.writeInteger(n, f)
	case strings.IndexByte("eEfgGaA", f.verb) >= 0:
		return k.writeFloat(float64(n), f)
	}
	k.illegal(f, "Boolean", "tTyYdxXobBeEfgGaAsp")
	return ""
}

func (k *call) writeInteger(n int64, f textFormat) string {
	switch f.verb {
	case 'd', 'x', 'X', 'o', 'b', 'B':
		return k.kernel(f.spec, n)
	case 'p':
		return f.cut(strconv.FormatInt(n, 10))
	case 'e', 'E', 'f', 'g', 'G', 'a', 'A':
		return k.kernel(f.spec, float64(n))
	case 'c':
		return f.cut(f.quoted(string(rune(n))))
	case 's':
		return f.cut(f.quoted(strconv.FormatInt(n, 10)))
	}
	k.illegal(f, "Integer", "dxXobBeEfgGaAspc")
	return ""
}

func (k *call) writeFloat(x float64, f textFormat) string {
	switch f.verb {
	case 'd', 'x', 'X', 'o', 'b', 'B':
		return k.kernel(f.spec, int64(x))
	case 'e', 'E', 'f', 'g', 'G', 'a', 'A':
		return k.kernel(f.spec, x)
	case 'p':
		return f.cut(types.Text(x))
	case 's':
		return f.cut(f.quoted(types.Text(x)))
	}
	k.illegal(f, "Float", "dxXobBeEfgGaAsp")
	return ""
}

func (k *call) writeText(s string, f textFormat) string {
	switch f.verb {
	case 's':
		return f.cut(s)
	case 'p':
		if f.alt {
			return f.cut(strconv.Quote(s))
		}
		return f.cut(types.Inspect(s))
	case 'c':
		s = oneText("capitalize", s)
	case 'C':
		parts := strings.Split(s, "::")
		for i := range parts {
			parts[i] = oneText("capitalize", parts[i])
		}
		s = strings.Join(parts, "::")
	case 'u':
		s = strings.ToUpper(s)
	case 'd':
		s = strings.ToLower(s)
	case 't':
		s = strings.TrimSpace(s)
	default:
		k.illegal(f, "String", "cCudspt")
	}
	if f.alt {
		return f.cut(types.Inspect(s))
	}
	return f.cut(s)
}

// element is an element of a list or a hash: one that holds others has a format of its own, another that of elements.
func (k *call) element(v any, f textFormat, formats []textFormat) string {
	if !contains(v) {
		if in := formatFor(f.inner, v); in != nil {
			return k.write(v, *in, nil)
		}
		return types.Inspect(v)
	}
	_, list := v.([]any)
	if own := formatFor(formats, v); own != nil && (own.of != nil || list == (f.verb == 'a')) {
		return k.write(v, *own, formats)
	}
	return k.write(v, textFormat{verb: 'p'}, formats)
}

func (k *call) writeList(l []any, f textFormat, formats []textFormat) string {
	parts := make([]string, len(l))
	for i, x := range l {
		parts[i] = k.element(x, f, formats)
	}
	return cmp.Or(f.open, "[") + strings.Join(parts, cmp.Or(f.sep, ", ")) + cmp.Or(f.close, "]")
}

func (k *call) writeHash(h *types.Hash, f textFormat, formats []textFormat) string {
	var parts []string
	for key, x := range h.All() {
		parts = append(parts, k.element(key, f, formats)+cmp.Or(f.sep2, " => ")+k.element(x, f, formats))
	}
	open, end := cmp.Or(f.open, "{"), cmp.Or(f.close, "}")
	sep := cmp.Or(f.sep, ", ")
	if f.alt { // one entry a line
		for i := range parts {
			parts[i] = "  " + strings.ReplaceAll(parts[i], "\n", "\n  ")
		}
		return open + "\n" + strings.Join(parts, strings.TrimRight(sep, " ")+"\n") + "\n" + end
	}
	return open + strings.Join(parts, sep) + end
}
