package render

import (
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func textFilters() []filter {
	return []filter{
		simple("to_bool", func(v value.Value) (value.Value, error) { return toBool(v), nil }),
		simple("quote", func(v value.Value) (value.Value, error) {
			if b, isBytes := v.(value.Bytes); isBytes && len(b) > 0 {
				return nil, value.Raise("TypeError", "cannot use a string pattern on a bytes-like object")
			}
			if !value.Truth(v) {
				return value.Str("''"), nil // of any kind: Python's quote looks no further
			}
			s, err := textOf("quote", v)
			return value.Str(shellQuote(s)), err
		}),
		simple("skip", func(value.Value) (value.Value, error) { return value.Str(""), nil }),
		text1("regex_escape", func(s string) (value.Value, error) { return value.Str(pyre.Escape(s)), nil }),
		simple("contains_whitespace", containsSpace),
		simple("is_hex", func(v value.Value) (value.Value, error) {
			_, err := value.ToInt(v, value.Int(16))
			return value.Bool(err == nil), nil
		}),
		simple("random_str", randomText),
		with("substring_in_list", "list_to_search", substringInList),
		with("check_whitelist_blacklist", "whitelist= blacklist=", whitelistBlacklist),
		simple("to_num", numberOf), simple("str_to_num", numberOf),
		with("to_bytes", "encoding= errors=", func(v value.Value, _ []value.Value) (value.Value, error) {
			s, err := textOf("to_bytes", v)
			return value.Bytes(s), err
		}),
		simple("to_snake_case", snakeCase),
		with("to_camelcase", "uppercamel=", func(v value.Value, a []value.Value) (value.Value, error) {
			s, err := textOf("to_camelcase", v)
			return value.Str(camelCase(s, truth(a[0]))), err
		}),
		with("human_to_bytes", "default_unit= handle_metric=", humanToBytes),
		text1("uuid", func(s string) (value.Value, error) { return value.Str(uuid5(s)), nil }),
		with("mysql_to_dict", "key", mysqlToDict),
	}
}

// toBool is Salt's: "yes", "1" and "true" in any case, numbers above 0, containers that are not empty.
func toBool(v value.Value) value.Bool {
	switch v := v.(type) {
	case value.Bool:
		return v
	case value.Str:
		switch strings.ToLower(string(v)) {
		case "yes", "1", "true":
			return true
		}
		return false
	case value.Int:
		return v > 0
	case *value.List, *value.Dict, *value.Set, *value.KeysView:
		return value.Bool(value.Truth(v))
	}
	return false
}

// shellQuote is Python's shlex.quote.
func shellQuote(s string) string {
	if s == "" {
		return "''"
	}
	safe := func(r rune) bool {
		return r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("@%+=:,./-_", r))
	}
	if strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'"
}

func substringInList(v value.Value, a []value.Value) (value.Value, error) {
	items, err := value.ToList(a[0])
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if ok, err := value.Contains(it, v); err != nil || ok {
			return value.Bool(ok), err
		}
	}
	return value.Bool(false), nil
}

// exprMatch is Salt's expr_match: a glob, or a regular expression between \A and \Z, which an alternative in it gets
// around.
// Salt differs: values that are no text never match there; here they do when they are equal, as Salt's documentation
// says.
func exprMatch(v value.Value, expr value.Value) bool {
	if value.Equal(v, expr) {
		return true
	}
	s, ok := v.(value.Str)
	e, ok2 := expr.(value.Str)
	if !ok || !ok2 {
		return false
	}
	if fnmatch.Match(string(e), string(s)) {
		return true
	}
	re, err := pyre.Compile(`\A`+string(e)+`\Z`, 0)
	if err != nil {
		return false
	}
	ok, err = re.Matches(string(s))
	return ok && err == nil
}

func whitelistBlacklist(v value.Value, a []value.Value) (value.Value, error) {
	in := func(list value.Value) (bool, bool, error) {
		if isNone(list) {
			return false, false, nil
		}
		if s, ok := list.(value.Str); ok {
			list = value.NewList(s)
		}
		items, err := value.ToList(list)
		if err != nil {
			return false, false, err
		}
		for _, it := range items {
			if exprMatch(v, it) {
				return true, true, nil
			}
		}
		return false, len(items) > 0, nil
	}
	black, hasBlack, err := in(a[1])
	if err != nil {
		return nil, err
	}
	white, hasWhite, err := in(a[0])
	if err != nil {
		return nil, err
	}
	switch {
	case hasBlack && black:
		return value.Bool(false), nil
	case hasWhite:
		return value.Bool(white), nil
	}
	return value.Bool(true), nil
}

// toNum gives the number that a text stands for, and anything else as it is.
func toNum(v value.Value) value.Value {
	if n, err := value.ToInt(v, nil); err == nil {
		return n
	}
	if f, err := value.ToFloat(v); err == nil {
		return f
	}
	return v
}

// numberOf is toNum of what can stand for a number; a list or None is an error, as in Salt.
func numberOf(v value.Value) (value.Value, error) {
	switch v := v.(type) {
	case value.Float:
		if math.IsInf(float64(v), 0) {
			return nil, value.Raise("OverflowError", "cannot convert float infinity to integer")
		}
		return toNum(v), nil
	case value.Str, value.Bytes, value.Int, value.BigInt, value.Bool:
		return toNum(v), nil
	}
	return nil, value.Raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'",
		v.TypeName())
}

// containsSpace asks each character, or each text of a list, whether it is nothing but white space.
func containsSpace(v value.Value) (value.Value, error) {
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		s, ok := it.(value.Str)
		if !ok {
			return nil, value.Raise("AttributeError", "'%s' object has no attribute 'isspace'", it.TypeName())
		}
		if s != "" && strings.IndexFunc(string(s), notSpace) < 0 {
			return value.Bool(true), nil
		}
	}
	return value.Bool(false), nil
}

// notSpace is the contrary of Python's isspace, to which the four separators of ASCII are space, too.
func notSpace(r rune) bool { return !unicode.IsSpace(r) && (r < 0x1c || r > 0x1f) }

// snakeCase puts an underscore before each capital that follows a small letter or comes before one. Salt takes the
// texts of a list for letters.
func snakeCase(v value.Value) (value.Value, error) {
	var letters []value.Value
	switch v := v.(type) {
	case value.Str:
		letters, _ = value.ToList(v)
	case *value.List:
		letters = v.Items
	case *value.Tuple:
		letters = v.Items
	default:
		return nil, value.Raise("TypeError", "to_snake_case() expects text, not '%s'", v.TypeName())
	}
	if len(letters) == 0 {
		return nil, value.Raise("IndexError", "string index out of range")
	}
	is := func(i int, of func(rune) bool) bool { return i < len(letters) && hasOnly(value.String(letters[i]), of) }
	var b strings.Builder
	for i, l := range letters {
		s, ok := l.(value.Str)
		if !ok {
			return nil, value.Raise("TypeError", "to_snake_case() expects text, not '%s'", l.TypeName())
		}
		if i > 0 && is(i, unicode.IsUpper) && (is(i-1, unicode.IsLower) || is(i+1, unicode.IsLower)) {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(s)))
	}
	return value.Str(b.String()), nil
}

// hasOnly is Python's isupper or islower: there are letters of the case, and none of the other.
func hasOnly(s string, of func(rune) bool) bool {
	found := false
	for _, r := range s {
		switch {
		case of(r):
			found = true
		case unicode.IsUpper(r), unicode.IsLower(r), unicode.IsTitle(r):
			return false
		}
	}
	return found
}

func camelCase(s string, upper bool) string {
	parts := strings.Split(s, "_")
	for i, p := range parts {
		if i > 0 || upper {
			rs := []rune(strings.ToLower(p))
			if len(rs) > 0 {
				rs[0] = unicode.ToUpper(rs[0])
			}
			parts[i] = string(rs)
		}
	}
	return strings.Join(parts, "")
}

// humanToBytes reads "10G", "1.5 MiB": powers of 1024, or of 1000 for MB and its like with handle_metric. What it
// cannot read is 0.
func humanToBytes(v value.Value, a []value.Value) (value.Value, error) {
	s := strings.TrimSpace(value.String(v))
	num := s[:len(s)-len(strings.TrimLeft(s, "0123456789."))]
	unit := strings.ToLower(strings.TrimSpace(s[len(num):]))
	if unit == "" {
		unit = strings.ToLower(strOr(a[0], "B"))
	}
	power, metric := unitPower(unit)
	n := toNum(value.Str(num))
	if _, isText := n.(value.Str); isText || power < 0 {
		return value.Int(0), nil
	}
	factor, err := value.Pow(value.Int(1024), value.Int(power))
	if metric && truth(a[1]) {
		factor, err = value.Pow(value.Int(1000), value.Int(power))
	}
	if err != nil {
		return nil, err
	}
	if n, err = value.Mul(n, factor); err != nil {
		return nil, err
	}
	return value.ToInt(n, nil)
}

// unitPower is the power of a unit, b, k, kb or kib, and whether it is one of those that can be metric; -1 for no unit.
func unitPower(unit string) (power int, metric bool) {
	if unit == "" {
		return -1, false
	}
	power = strings.IndexByte("bkmgtpezy", unit[0])
	switch rest := unit[1:]; {
	case rest == "":
		return power, false
	case power > 0 && rest == "b":
		return power, true
	case power > 0 && rest == "ib":
		return power, false
	}
	return -1, false
}

// maxRandomText bounds what random_str gives.
const maxRandomText = 1 << 20

// randomText is random text in base64 of a length.
func randomText(v value.Value) (value.Value, error) {
	n, ok := v.(value.Int)
	if !ok || n < 0 || n > maxRandomText {
		return nil, value.Raise("ValueError", "random_str() needs a length from 0 to %d, not %s", maxRandomText,
			value.Repr(v))
	}
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		return nil, err
	}
	return value.Str(base64.StdEncoding.EncodeToString(b)[:n]), nil
}

// uuid5 is the UUID of a text in Salt's own name space.
func uuid5(s string) string {
	space, _ := hex.DecodeString("91633ebf1c865e33935a28061f4b480e")
	sum := sha1.Sum(append(space, s...))
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x50, b[8]&0x3f|0x80
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", binary.BigEndian.Uint32(b), binary.BigEndian.Uint16(b[4:]),
		binary.BigEndian.Uint16(b[6:]), binary.BigEndian.Uint16(b[8:]), b[10:])
}

// mysqlToDict reads the table that the mysql client prints: a dict of its rows by one column. Its head is the first
// line that has columns.
func mysqlToDict(v value.Value, a []value.Value) (value.Value, error) {
	lines, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	var headers []string
	for _, l := range lines {
		if !value.Truth(l) {
			continue
		}
		line, ok := l.(value.Str)
		if !ok {
			return nil, value.Raise("AttributeError", "'%s' object has no attribute 'startswith'", l.TypeName())
		}
		if strings.HasPrefix(string(line), "+") {
			continue
		}
		cells := strings.Split(string(line), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(headers) < 2 {
			headers = cells
			continue
		}
		if len(cells) < len(headers)-1 {
			return nil, value.Raise("IndexError", "list index out of range")
		}
		row := value.NewDict(0)
		for i := 1; i < len(headers)-1; i++ {
			row.SetStr(headers[i], toNum(value.Str(cells[i])))
		}
		key, ok := row.Get(a[0])
		if !ok {
			return nil, value.KeyError(a[0])
		}
		if err := out.Set(key, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}
