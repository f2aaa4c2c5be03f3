// Package serial writes and reads data by the names of Salt's serializers: yaml, json, python, configparser, toml,
// msgpack.
// Execution functions (slsutil.serialize) and states (file.serialize) reach it through an interface.
package serial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Formats are the names of the formats.
func Formats() []string { return []string{"configparser", "json", "msgpack", "python", "toml", "yaml"} }

// Serialize writes v. opts are Salt's serializer options: for yaml PyYAML's (default_flow_style, indent, width, ...),
// for json those of Python's json.dumps.
func Serialize(format string, v value.Value, opts *value.Dict) (string, error) {
	o := options{opts}
	switch format {
	case "yaml", "yamlex":
		return toYAML(v, o)
	case "json":
		return toJSON(v, o)
	case "python":
		return toPython(v)
	case "configparser", "ini":
		return toINI(v)
	case "toml":
		return toTOML(v)
	case "msgpack":
		return toMsgpack(v)
	}
	return "", unknown(format)
}

// Deserialize reads text.
func Deserialize(format, text string) (value.Value, error) {
	switch format {
	case "yaml", "yamlex":
		return yaml.Decode("data", []byte(text))
	case "json":
		return value.ParseJSON(text)
	case "configparser", "ini":
		return fromINI(text)
	case "msgpack":
		return fromMsgpack(text)
	case "toml", "python":
		return nil, diag.Errorf(diag.Pos{}, "the serializer '%s' only writes here", format)
	}
	return nil, unknown(format)
}

func unknown(format string) error {
	d := diag.Errorf(diag.Pos{}, "the serializer '%s' is not available: there are %s", format,
		strings.Join(Formats(), ", "))
	if n := diag.Nearest(format, Formats()); n != "" {
		d.WithHint("did you mean '%s'?", n)
	}
	return d
}

// options are keyword options of a serializer.
type options struct{ d *value.Dict }

func (o options) get(name string) (value.Value, bool) {
	if o.d == nil {
		return nil, false
	}
	return o.d.GetStr(name)
}

func (o options) bool(name string, def bool) bool {
	if v, ok := o.get(name); ok {
		return value.Truth(v)
	}
	return def
}

func (o options) int(name string, def int) int {
	if v, ok := o.get(name); ok {
		if i, isInt := v.(value.Int); isInt {
			return int(i)
		}
	}
	return def
}

func toYAML(v value.Value, o options) (string, error) {
	e := yaml.EncodeOptions{
		Flow: yaml.FlowLeaves, Indent: o.int("indent", 0), Width: o.int("width", 0), SortKeys: o.bool("sort_keys", true),
		AllowUnicode: o.bool("allow_unicode", false), ExplicitStart: o.bool("explicit_start", false),
		ExplicitEnd: o.bool("explicit_end", false), Canonical: o.bool("canonical", false),
	}
	if f, ok := o.get("default_flow_style"); ok && f != value.None {
		e.Flow = yaml.FlowNone
		if value.Truth(f) {
			e.Flow = yaml.FlowAll
		}
	}
	if s, ok := o.get("default_style"); ok && value.Truth(s) {
		e.DefaultStyle = value.String(s)[0]
	}
	text, err := yaml.Encode(v, e)
	if err != nil {
		return "", err
	}
	if cut, ok := strings.CutSuffix(text, "\n...\n"); ok {
		return cut, nil
	}
	return strings.TrimSuffix(text, "\n"), nil
}

func toJSON(v value.Value, o options) (string, error) {
	j := value.JSONOptions{Unicode: !o.bool("ensure_ascii", false), SortKeys: o.bool("sort_keys", false)}
	switch indent, _ := o.get("indent"); indent := indent.(type) {
	case value.Int:
		j.Pretty, j.Indent = true, strings.Repeat(" ", min(64, max(0, int(indent))))
	case value.Str:
		j.Pretty, j.Indent = true, string(indent)
	}
	if sep, ok := o.get("separators"); ok {
		items, err := value.ToList(sep)
		if err != nil || len(items) != 2 {
			return "", fmt.Errorf("separators are %s, not a pair of texts", value.Repr(sep))
		}
		j.ItemSep, j.KeySep = value.String(items[0]), value.String(items[1])
	}
	return value.DumpsJSON(v, j)
}

// toPython is Python's pprint of the data as JSON has it: tuples are lists, keys are text.
func toPython(v value.Value) (string, error) {
	text, err := value.DumpsJSON(v, value.JSONOptions{})
	if err != nil {
		return "", err
	}
	plain, err := value.ParseJSON(text)
	if err != nil {
		return "", err
	}
	return jinja.Pprint(plain), nil
}

// toINI writes sections as Python's configparser does: keys in lower case, None without a value, [DEFAULT] first.
func toINI(v value.Value) (string, error) {
	d, ok := v.(*value.Dict)
	if !ok {
		return "", fmt.Errorf("configparser can only serialize dictionaries, not %s", v.TypeName())
	}
	var b strings.Builder
	for name, section := range d.All() {
		s, ok := section.(*value.Dict)
		if !ok {
			return "", fmt.Errorf("section %q is %s, not a dictionary", value.String(name), section.TypeName())
		}
		fmt.Fprintf(&b, "[%s]\n", value.String(name))
		for k, val := range s.All() {
			key := strings.ToLower(value.String(k))
			if val == value.None {
				fmt.Fprintf(&b, "%s\n", key)
				continue
			}
			fmt.Fprintf(&b, "%s = %s\n", key, strings.ReplaceAll(value.String(val), "\n", "\n\t"))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// fromINI reads sections, their keys in lower case, as Python's configparser does.
func fromINI(text string) (value.Value, error) {
	out := value.NewDict(4)
	var section *value.Dict
	last := ""
	for n, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "", trimmed[0] == '#', trimmed[0] == ';':
		case line[0] == '[' && strings.Contains(line, "]"):
			section = value.NewDict(4)
			out.SetStr(line[1:strings.IndexByte(line, ']')], section)
			last = ""
		case section == nil:
			return nil, fmt.Errorf("line %d: %q is in no section", n+1, trimmed)
		case (line[0] == ' ' || line[0] == '\t') && last != "":
			old, _ := section.GetStr(last)
			section.SetStr(last, value.Str(value.String(old)+"\n"+trimmed))
		default:
			i := slices.IndexFunc([]byte(trimmed), func(c byte) bool { return c == '=' || c == ':' })
			if i < 0 {
				return nil, fmt.Errorf("line %d: %q is no KEY = VALUE", n+1, trimmed)
			}
			last = strings.ToLower(strings.TrimSpace(trimmed[:i]))
			section.SetStr(last, value.Str(strings.TrimSpace(trimmed[i+1:])))
		}
	}
	return out, nil
}
