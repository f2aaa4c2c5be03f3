package render

import (
	"context"
	"errors"
	"strings"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

func serializeFilters() []filter {
	return []filter{
		with("yaml", "flow_style=", func(v value.Value, a []value.Value) (value.Value, error) { return formatYAML(v, a[0]) }),
		with("json", "sort_keys= indent=", formatJSON),
		with("xml", "", formatXML),
		with("dict_to_sls_yaml_params", "flow_style=", dictToParams),
		simple("load_yaml", func(v value.Value) (value.Value, error) { return loadYAML(v) }),
		simple("load_json", loadJSON),
		simple("load_text", func(v value.Value) (value.Value, error) {
			if s, ok := v.(value.Stringer); ok {
				return value.Str(s.PyStr()), nil
			}
			return v, nil
		}),
		simple("yaml_dquote", func(v value.Value) (value.Value, error) { return quoted(v, '"') }),
		simple("yaml_squote", func(v value.Value) (value.Value, error) {
			return value.Str(singleQuoted(value.String(v))),
				nil
		}),
		simple("yaml_encode", yamlEncode),
		{name: "json_query", params: []string{"expr"}, required: 1,
			fn: func(context.Context, *Renderer, value.Value, []value.Value) (value.Value, error) {
				return nil, value.Raise("RuntimeError", "json_query requires jmespath, which gostate does not have")
			}},
	}
}

// formatYAML is Salt's yaml filter: on one line unless flow_style is false.
func formatYAML(v, flowStyle value.Value) (value.Value, error) {
	flow := yaml.FlowAll
	switch {
	case flowStyle == nil:
	case isNone(flowStyle):
		flow = yaml.FlowLeaves
	case !value.Truth(flowStyle):
		flow = yaml.FlowNone
	}
	text, err := yaml.Encode(plain(v), yaml.EncodeOptions{Flow: flow, AllowUnicode: true, SortKeys: true})
	if err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	return value.Str(strings.TrimSuffix(text, "\n...")), nil
}

// plain turns a value of the program's own into one that serializers know.
func plain(v value.Value) value.Value {
	switch v := v.(type) {
	case value.Stringer:
		return value.Str(v.PyStr())
	}
	return v
}

func formatJSON(v value.Value, a []value.Value) (value.Value, error) {
	o := value.JSONOptions{Unicode: true, SortKeys: a[0] == nil || value.Truth(a[0])}
	switch ind := a[1].(type) {
	case value.Int:
		o.Pretty, o.Indent = true, strings.Repeat(" ", min(64, max(0, int(ind))))
	case value.Str:
		o.Pretty, o.Indent = true, string(ind)
	}
	text, err := value.DumpsJSON(plain(v), o)
	return value.Str(strings.TrimSpace(text)), err
}

// moduleText is the text of an imported template or of a string.
func moduleText(v value.Value) (string, bool) {
	switch v := v.(type) {
	case value.Str:
		return string(v), true
	case value.Bytes:
		return string(v), true
	case value.Stringer:
		return v.PyStr(), true
	}
	return "", false
}

func loadYAML(v value.Value) (value.Value, error) {
	text, ok := moduleText(v)
	if !ok {
		return nil, value.Raise("TemplateRuntimeError", "Unable to load yaml from %s", value.String(v))
	}
	out, err := yaml.Decode("", []byte(text))
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return nil, &loadError{d}
	}
	return out, err
}

func loadJSON(v value.Value) (value.Value, error) {
	text, ok := moduleText(v)
	if !ok {
		return nil, value.Raise("TemplateRuntimeError", "Unable to load json from %s", value.String(v))
	}
	out, err := value.ParseJSON(text)
	if err != nil {
		return nil, value.Raise("TemplateRuntimeError", "Unable to load json from %s: %v", strings.TrimSpace(text), err)
	}
	return out, nil
}

func quoted(v value.Value, style byte) (value.Value, error) {
	text, err := yaml.Encode(value.Str(value.String(v)), yaml.EncodeOptions{DefaultStyle: style, Width: -1})
	return value.Str(strings.TrimRight(text, "\n")), err
}

// singleQuoted is text as Salt writes it between single quotes: what cannot stand in a line of YAML is left as it is,
// and lines are not indented, so that only the line ends need care. One more goes before those that begin with a
// newline.
func singleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	inBreak := false
	for _, r := range s {
		isBreak := strings.ContainsRune("\n\u0085\u2028\u2029", r)
		switch {
		case r == '\'':
			b.WriteByte('\'')
		case r == '\n' && !inBreak:
			b.WriteByte('\n')
		}
		inBreak = isBreak
		b.WriteRune(r)
	}
	b.WriteByte('\'')
	return b.String()
}

// yamlEncode writes a scalar so that YAML reads the same back; text is in double quotes.
func yamlEncode(v value.Value) (value.Value, error) {
	switch v.(type) {
	case value.Str:
		return quoted(v, '"')
	case *value.List, *value.Dict, *value.Tuple, *value.Set:
		return nil, value.Raise("TypeError", "yaml_encode() only works with YAML scalar data; failed for <class '%s'>",
			v.TypeName())
	}
	text, err := yaml.Encode(plain(v), yaml.EncodeOptions{Width: -1})
	text = strings.TrimSuffix(strings.TrimRight(text, "\n"), "\n...")
	return value.Str(text), err
}

// dictToParams writes the entries of a dict as the list of one-key maps that states take.
func dictToParams(v value.Value, a []value.Value) (value.Value, error) {
	d, ok := plain(v).(*value.Dict)
	if !ok {
		return nil, value.Raise("TypeError", "dict_to_sls_yaml_params() expects a dict, not '%s'", v.TypeName())
	}
	list := value.NewList()
	for k, x := range d.All() {
		one := value.NewDict(1)
		_ = one.Set(k, x)
		list.Items = append(list.Items, one)
	}
	if a[0] == nil {
		a[0] = value.Bool(false)
	}
	return formatYAML(list, a[0])
}

// formatXML writes {'root': {...}} as XML: text and numbers in a dict become attributes, dicts and lists elements.
func formatXML(v value.Value, _ []value.Value) (value.Value, error) {
	root, ok := plain(v).(*value.Dict)
	if !ok || root.Len() == 0 {
		return nil, value.Raise("TemplateRuntimeError", "Value is not a dict or list. Cannot render as XML")
	}
	// a document has one root: Salt takes the last that is no list
	for i := root.Len() - 1; i >= 0; i-- {
		if _, isList := root.At(i).Val.(*value.List); !isList {
			var b strings.Builder
			b.WriteString("<?xml version=\"1.0\" ?>\n")
			err := writeXML(&b, value.String(root.At(i).Key), root.At(i).Val, &nesting{}, 0)
			return value.Str(b.String()), err
		}
	}
	return nil, value.Raise("TemplateRuntimeError", "a list cannot be the root of XML")
}

// xmlEscaper writes the characters that Python's minidom escapes, as it does.
var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", ">", "&gt;")

func writeXML(b *strings.Builder, tag string, v value.Value, at *nesting, deep int) error {
	if err := at.enter(v); err != nil {
		return err
	}
	defer at.leave()
	pad := strings.Repeat(" ", deep)
	switch v := v.(type) {
	case *value.List:
		for _, it := range v.Items {
			if err := writeXML(b, tag, it, at, deep); err != nil {
				return err
			}
		}
		return nil
	case *value.Dict:
		b.WriteString(pad + "<" + tag)
		var inner []value.Entry
		for i := range v.Len() {
			e := v.At(i)
			switch e.Val.(type) {
			case *value.Dict, *value.List:
				inner = append(inner, e)
				continue
			}
			b.WriteString(" " + value.String(e.Key) + `="`)
			b.WriteString(xmlEscaper.Replace(value.String(e.Val)))
			b.WriteString(`"`)
		}
		if len(inner) == 0 {
			b.WriteString("/>\n")
			return nil
		}
		b.WriteString(">\n")
		for _, e := range inner {
			if err := writeXML(b, value.String(e.Key), e.Val, at, deep+1); err != nil {
				return err
			}
		}
		b.WriteString(pad + "</" + tag + ">\n")
		return nil
	}
	if isNone(v) {
		return value.Raise("TemplateRuntimeError", "Value is not a dict or list. Cannot render as XML")
	}
	text := xmlEscaper.Replace(value.String(v))
	if text == "" {
		b.WriteString(pad + "<" + tag + "/>\n")
		return nil
	}
	b.WriteString(pad + "<" + tag + ">" + text + "</" + tag + ">\n")
	return nil
}
