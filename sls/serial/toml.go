package serial

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// toTOML writes tables as Python's toml 0.10 does, which Salt uses: what is no table first, then arrays of tables, then
// the tables, those of each depth together; lists end in a comma; None is left out.
func toTOML(v value.Value) (string, error) {
	d, ok := v.(*value.Dict)
	if !ok {
		return "", fmt.Errorf("toml can only serialize dictionaries, not %s", v.TypeName())
	}
	w := tomlWriter{bare: regexp.MustCompile(`^[A-Za-z0-9_-]+$`)}
	text, tables, err := w.body(d, "", 0)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(text)
	for depth := 1; len(tables) > 0; depth++ {
		var next []tomlTable
		for _, t := range tables {
			text, inner, err := w.body(t.dict, t.path+".", depth)
			if err != nil {
				return "", err
			}
			if text != "" || len(inner) == 0 {
				if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n\n") {
					b.WriteString("\n")
				}
				b.WriteString("[" + t.path + "]\n" + text)
			}
			next = append(next, under(t.path, inner)...)
		}
		tables = next
	}
	return b.String(), nil
}

type tomlWriter struct{ bare *regexp.Regexp }

// A tomlTable is a table with its dotted name.
type tomlTable struct {
	path string
	dict *value.Dict
}

// under are the tables with a path before their names.
func under(path string, tables []tomlTable) []tomlTable {
	out := make([]tomlTable, len(tables))
	for i, t := range tables {
		out[i] = tomlTable{path + "." + t.path, t.dict}
	}
	return out
}

// maxTOMLDepth ends what holds itself.
const maxTOMLDepth = 100

// body is what is in one table, and the tables within it, which are written by themselves. prefix comes before the
// names of its arrays of tables.
func (w *tomlWriter) body(d *value.Dict, prefix string, depth int) (text string, tables []tomlTable, err error) {
	if depth > maxTOMLDepth {
		return "", nil, errors.New("circular reference detected")
	}
	var plain, arrays strings.Builder
	for k, v := range d.All() {
		name, ok := k.(value.Str)
		if !ok {
			return "", nil, fmt.Errorf("toml: the key %s is no text", value.Repr(k))
		}
		key := string(name)
		if !w.bare.MatchString(key) {
			key = tomlString(k)
		}
		switch v := v.(type) {
		case *value.Dict:
			tables = append(tables, tomlTable{key, v})
			continue
		case value.NoneType:
			continue
		case *value.List:
			if hasDict(v) {
				if err := w.array(&arrays, prefix+key, v, depth); err != nil {
					return "", nil, err
				}
				continue
			}
		}
		text, err := tomlValue(v, depth)
		if err != nil {
			return "", nil, err
		}
		plain.WriteString(key + " = " + text + "\n")
	}
	return plain.String() + arrays.String(), tables, nil
}

func hasDict(l *value.List) bool {
	for _, it := range l.Items {
		if _, ok := it.(*value.Dict); ok {
			return true
		}
	}
	return false
}

// array writes an array of tables: each with its own values, then the tables within it.
func (w *tomlWriter) array(b *strings.Builder, path string, l *value.List, depth int) error {
	for _, it := range l.Items {
		d, ok := it.(*value.Dict)
		if !ok {
			return fmt.Errorf("toml: the list %s has tables and %s", path, it.TypeName())
		}
		text, tables, err := w.body(d, path+".", depth+1)
		if err != nil {
			return err
		}
		b.WriteString("[[" + path + "]]\n")
		after := "\n"
		if strings.HasPrefix(text, "[") {
			after += text
		} else {
			b.WriteString(text)
		}
		for deep := depth + 2; len(tables) > 0; deep++ {
			var next []tomlTable
			for _, t := range tables {
				text, inner, err := w.body(t.dict, path+"."+t.path+".", deep)
				if err != nil {
					return err
				}
				if text != "" {
					after += "[" + path + "." + t.path + "]\n" + text
				}
				next = append(next, under(t.path, inner)...)
			}
			tables = next
		}
		b.WriteString(after)
	}
	return nil
}

// tomlValue is a value in one line.
func tomlValue(v value.Value, depth int) (string, error) {
	switch v := v.(type) {
	case value.Bool:
		return strings.ToLower(value.Repr(v)), nil
	case value.Int, value.BigInt:
		return value.Repr(v), nil
	case value.Float:
		return strings.NewReplacer("e+0", "e+", "e-0", "e-").Replace(value.Repr(v)), nil
	case value.Str:
		return tomlString(v), nil
	case *value.List, *value.Tuple, *value.Dict, *value.Set:
		if depth > maxTOMLDepth {
			return "", errors.New("circular reference detected")
		}
		items, err := value.ToList(v)
		if err != nil {
			return "", err
		}
		var b strings.Builder
		b.WriteByte('[')
		for _, it := range items {
			text, err := tomlValue(it, depth+1)
			if err != nil {
				return "", err
			}
			b.WriteString(" " + text + ",")
		}
		b.WriteByte(']')
		return b.String(), nil
	}
	return tomlString(v), nil
}

// tomlString is Python's repr in double quotes, with the escapes that TOML knows.
func tomlString(v value.Value) string {
	text := value.Repr(v)
	if _, ok := v.(value.Str); ok {
		text = text[1 : len(text)-1]
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			b.WriteString(`\"`)
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		default:
			i++
			switch text[i] {
			case 'x':
				b.WriteString(`\u00`)
			case '\'':
				b.WriteByte('\'')
			default:
				b.WriteString(text[i-1 : i+1])
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
