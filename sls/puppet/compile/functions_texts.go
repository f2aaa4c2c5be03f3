package compile

import (
	"crypto/md5"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/sls/puppet/types"
)

// pattern is the expression that an argument is: a text, behind the prefix, an expression, or the type of one.
func (k *call) pattern(v any, prefix string) *types.Regexp {
	switch p := v.(type) {
	case *types.Regexp:
		return p
	case *types.Type:
		if len(p.Pats) > 0 {
			return p.Pats[0]
		}
		return k.regexp("", k.at)
	}
	text, _ := v.(string)
	return k.regexp(prefix+text, k.at)
}

// eachOf is what f makes of a value, or of each of a list.
func eachOf(v any, f func(any) any) any {
	l, ok := v.([]any)
	if !ok {
		return f(v)
	}
	out := make([]any, len(l))
	for i := range l {
		out[i] = f(l[i])
	}
	return out
}

func (k *call) split() any {
	text, _ := k.args[0].(string)
	re := k.pattern(k.args[1], "")
	out := []any{}
	for _, s := range splitRegexp(re, text) {
		out = append(out, s)
	}
	return out
}

// splitRegexp is Ruby's split: empty fields at the end go.
func splitRegexp(re *types.Regexp, text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	runes := []rune(text)
	from := 0
	m, _ := re.Engine().FindStringMatch(text)
	for m != nil {
		start, n := m.RuneIndex, m.RuneLength
		if n == 0 {
			if start >= len(runes) {
				break
			}
			if start == 0 && from == 0 {
				m, _ = re.Engine().FindNextMatch(m)
				continue
			}
		}
		out = append(out, string(runes[from:start]))
		for _, g := range m.Groups()[1:] {
			if len(g.Captures) > 0 {
				out = append(out, g.String())
			}
		}
		from = start + n
		m, _ = re.Engine().FindNextMatch(m)
	}
	out = append(out, string(runes[from:]))
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

func (k *call) regsubst() any {
	flags, _ := k.arg(3).(string)
	prefix := ""
	for _, f := range [][2]string{{"I", "(?i)"}, {"M", "(?s)"}, {"E", "(?x)"}} {
		if strings.Contains(flags, f[0]) {
			prefix += f[1]
		}
	}
	re := k.pattern(k.args[1], prefix)
	all := strings.Contains(flags, "G")
	one := func(v any) any {
		s, ok := v.(string)
		if !ok {
			return v
		}
		return substitute(re, s, k.arg(2), all)
	}
	return eachOf(k.args[0], one)
}

// substitute replaces what matches; \0 to \9 and \k<name> stand for groups.
func substitute(re *types.Regexp, text string, with any, all bool) string {
	var b strings.Builder
	runes := []rune(text)
	from := 0
	m, _ := re.Engine().FindStringMatch(text)
	for m != nil {
		b.WriteString(string(runes[from:m.RuneIndex]))
		switch w := with.(type) {
		case *types.Hash:
			b.WriteString(types.Text(w.Value(m.String())))
		case string:
			for i := 0; i < len(w); i++ {
				if w[i] != '\\' || i+1 >= len(w) {
					b.WriteByte(w[i])
					continue
				}
				i++
				switch c := w[i]; {
				case c >= '0' && c <= '9':
					if g := m.GroupByNumber(int(c - '0')); g != nil && len(g.Captures) > 0 {
						b.WriteString(g.String())
					}
				case c == 'k' && strings.HasPrefix(w[i:], "k<") && strings.IndexByte(w[i:], '>') > 0:
					end := strings.IndexByte(w[i:], '>')
					if g := m.GroupByName(w[i+2 : i+end]); g != nil && len(g.Captures) > 0 {
						b.WriteString(g.String())
					}
					i += end
				case c == '\\':
					b.WriteByte('\\')
				default:
					b.WriteByte('\\')
					b.WriteByte(c)
				}
			}
		}
		from = m.RuneIndex + m.RuneLength
		if !all {
			break
		}
		m, _ = re.Engine().FindNextMatch(m)
	}
	b.WriteString(string(runes[from:]))
	return b.String()
}

func (k *call) matchCall() any {
	one := func(v any) any {
		s, _ := v.(string)
		var g []any
		switch p := k.args[1].(type) {
		case string:
			g = k.regexp(p, k.at).Match(s)
		case *types.Regexp:
			g = p.Match(s)
		case *types.Type:
			for _, re := range p.Pats {
				if g == nil {
					g = re.Match(s)
				}
			}
		}
		if g == nil {
			return nil
		}
		return g
	}
	return eachOf(k.args[0], one)
}

func withoutZeroes(v string) string {
	if i := strings.IndexByte(v, '-'); i >= 0 {
		return trimZeroes(v[:i]) + v[i:]
	}
	return trimZeroes(v)
}

func trimZeroes(v string) string {
	for strings.HasSuffix(v, ".0") {
		v = strings.TrimSuffix(v, ".0")
	}
	return v
}

// sprintf is Ruby's: %d, %5.2f, %-5s, %x, %<name>d, %{name}.
func (k *call) sprintf() any {
	if len(k.args) == 0 {
		k.refuse("'sprintf' expects at least 1 argument, got none")
	}
	format, ok := k.args[0].(string)
	if !ok {
		k.refuse("'sprintf' parameter 'format' expects a String value, got %s", types.Infer(k.arg(0)).Kind)
	}
	out, err := formatted(format, k.args[1:])
	if err != nil {
		k.refuse("%v", err)
	}
	return out
}

var verb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%(?:%|\{(\w+)\}|([ #+0-]*)(?:<(\w+)>)?([ #+0-]*)(\*|\d+)?(?:\.(\d+))?([a-zA-Z]))`)
})

func formatted(format string, args []any) (string, error) {
	var b strings.Builder
	next, from := 0, 0
	named, _ := any(nil).(*types.Hash)
	if len(args) > 0 {
		named, _ = args[0].(*types.Hash)
	}
	take := func() (any, error) {
		if next >= len(args) {
			return nil, fmt.Errorf("too few arguments")
		}
		next++
		return args[next-1], nil
	}
	for _, m := range verb().FindAllStringSubmatchIndex(format, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return format[m[2*i]:m[2*i+1]]
		}
		b.WriteString(format[from:m[0]])
		from = m[1]
		whole := format[m[0]:m[1]]
		if whole == "%%" {
			b.WriteByte('%')
			continue
		}
		var v any
		var err error
		switch {
		case group(1) != "":
			b.WriteString(types.Text(named.Value(group(1))))
			continue
		case group(3) != "":
			v, _ = named.Get(group(3))
		default:
			width := group(5)
			if width == "*" {
				w, werr := take()
				if werr != nil {
					return "", werr
				}
				width = types.Text(w)
			}
			if v, err = take(); err != nil {
				return "", err
			}
			s, ferr := formatOne(group(2)+group(4), width, group(6), group(7), v)
			if ferr != nil {
				return "", ferr
			}
			b.WriteString(s)
			continue
		}
		s, err := formatOne(group(2)+group(4), group(5), group(6), group(7), v)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	b.WriteString(format[from:])
	return b.String(), nil
}

func formatOne(flags, width, precision, verb string, v any) (string, error) {
	spec := "%" + flags + width
	if precision != "" {
		spec += "." + precision
	}
	switch verb {
	case "s":
		return fmt.Sprintf(spec+"s", types.Text(v)), nil
	case "p":
		return fmt.Sprintf(spec+"s", types.Inspect(v)), nil
	case "d", "i", "u":
		n, err := integerOf(v)
		return fmt.Sprintf(spec+"d", n), err
	case "x", "X", "o", "b", "B":
		n, err := integerOf(v)
		if n < 0 && !strings.ContainsAny(flags, "+ ") {
			return endless(flags, width, verb, n), err
		}
		return fmt.Sprintf(spec+strings.Replace(verb, "B", "b", 1), n), err
	case "f", "e", "E", "g", "G":
		f, err := floatOf(v)
		return fmt.Sprintf(spec+verb, f), err
	case "c":
		if n, ok := v.(int64); ok {
			return fmt.Sprintf(spec+"c", rune(n)), nil
		}
		s := []rune(types.Text(v))
		return fmt.Sprintf(spec+"s", string(s[:min(1, len(s))])), nil
	}
	return "", fmt.Errorf("malformed format string - %%%s", verb)
}

// endless is a negative number as Ruby writes it in other bases: its digits go on to the left, ..f01.
func endless(flags, width, verb string, n int64) string {
	base, fill, mark := 16, "f", "0x"
	switch verb {
	case "o":
		base, fill, mark = 8, "7", ""
	case "b", "B":
		base, fill, mark = 2, "1", "0"+verb
	}
	all := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 72), big.NewInt(n)) // 72 bits are whole digits in each base
	out := ".." + fill + strings.TrimLeft(all.Text(base), fill)
	if strings.Contains(flags, "#") && verb != "o" {
		out = mark + out
	}
	if verb == "X" {
		out = strings.ToUpper(out)
	}
	if strings.Contains(flags, "-") {
		width = "-" + width
	}
	return fmt.Sprintf("%"+strings.TrimSuffix(width, "-")+"s", out)
}

func integerOf(v any) (int64, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case float64:
		return int64(v), nil
	case string:
		if n, ok := toNumber(v); ok {
			return integerOf(n)
		}
		return 0, fmt.Errorf("invalid value for Integer(): %q", v)
	}
	return 0, fmt.Errorf("can't convert %s into Integer", rubyClass(v))
}

func floatOf(v any) (float64, error) {
	switch v := v.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case string:
		if n, ok := toNumber(v); ok {
			return floatOf(n)
		}
		return 0, fmt.Errorf("invalid value for Float(): %q", v)
	}
	return 0, fmt.Errorf("can't convert %s into Float", rubyClass(v))
}

// strftime formats a Timestamp by the letters of strftime(3).
func (k *call) strftime() any {
	o, ok := k.arg(0).(*types.Object)
	format, isText := k.arg(1).(string)
	if !ok || !isText || o.Num == nil {
		k.refuse("'strftime' expects a Timestamp or Timespan and a format")
	}
	t := time.Unix(0, o.Num.Int64()).UTC()
	letters := map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'b': "Jan",
		'B': "January", 'a': "Mon", 'A': "Monday", 'Z': "MST", 'z': "-0700", 'F': "2006-01-02", 'T': "15:04:05", 'p': "PM",
		'I': "03", 'e': "_2", 'L': "000", 'j': "002"}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 >= len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		if layout, ok := letters[format[i]]; ok {
			b.WriteString(t.Format(layout))
		} else if format[i] == 's' {
			b.WriteString(strconv.FormatInt(t.Unix(), 10))
		} else {
			b.WriteByte(format[i])
		}
	}
	return b.String()
}

func md5Hex(s string) string { return fmt.Sprintf("%x", md5.Sum([]byte(s))) }
