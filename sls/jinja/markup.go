package jinja

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Markup is text that is safe to print as it is where autoescape is on: Python's markupsafe.Markup.
type Markup string

// TypeName is Python's name of the type.
func (Markup) TypeName() string { return "Markup" }

// PlainText is the text, as str() of it gives.
func (m Markup) PlainText() value.Str { return value.Str(m) }

// PyStr is how it prints within a container.
func (m Markup) PyStr() string { return "Markup(" + value.Repr(value.Str(m)) + ")" }

// Truth says whether there is text.
func (m Markup) Truth() bool { return m != "" }

// Len is the number of characters.
func (m Markup) Len() int { n, _ := value.Len(value.Str(m)); return n }

// markupOp is +, * and % where one side is safe text: plain text that comes into safe text is escaped.
func markupOp(op Kind, a, b value.Value, ma, mb Markup, aSafe, bSafe bool) (value.Value, bool, error) {
	switch op {
	case Add:
		if s, ok := b.(value.Str); ok && aSafe {
			return ma + Markup(escapeHTML(string(s))), true, nil
		}
		if s, ok := a.(value.Str); ok && bSafe {
			return Markup(escapeHTML(string(s))) + mb, true, nil
		}
		if aSafe && bSafe {
			return ma + mb, true, nil
		}
	case Mul:
		out, err := value.Mul(Plain(a), Plain(b))
		if s, ok := out.(value.Str); ok {
			return Markup(s), true, err
		}
	case Mod:
		if aSafe && !strings.Contains(string(ma), "%") && hasItems(b) {
			return ma, true, nil // no argument is one too many where it might be looked up by name
		}
		if aSafe {
			out, err := value.FormatPercent(string(ma), escapeArguments(b))
			return Markup(value.String(out)), true, err
		}
		if s, ok := a.(value.Str); ok {
			out, err := value.FormatPercent(string(s), b)
			return out, true, err
		}
	}
	return nil, false, nil
}

// An escapedText is an argument that is put into safe text: its text and its repr are escaped.
type escapedText struct{ v value.Value }

func (e escapedText) TypeName() string { return "_MarkupEscapeHelper" }

// PlainText is the escaped text.
func (e escapedText) PlainText() value.Str {
	m, _ := escape(e.v)
	return value.Str(m)
}

// PyStr is the escaped repr.
func (e escapedText) PyStr() string { return escapeHTML(value.Repr(e.v)) }

// escaped is v as something to put into safe text. Numbers have nothing to escape, and %d wants them as they are.
func escaped(v value.Value) value.Value {
	switch v.(type) {
	case value.Int, value.BigInt, value.Float, value.Bool, value.NoneType, nil, *value.Undefined:
		return v
	}
	return escapedText{v}
}

// escapeArguments are the arguments of safe text's % and format, each to be escaped: a tuple's, a dict's by their
// names, or the one argument.
func escapeArguments(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Tuple:
		return value.NewTuple(escapeItems(v.Items)...)
	case *value.Dict:
		return escapeNamed(v)
	}
	return value.NewTuple(escaped(v))
}

// hasItems says whether Python's type of v can be asked for items, and is neither tuple nor text.
func hasItems(v value.Value) bool {
	switch v.(type) {
	case *value.List, *value.Dict, *value.Range, *value.Undefined:
		return true
	}
	return false
}

func escapeItems(items []value.Value) []value.Value {
	out := make([]value.Value, len(items))
	for i, it := range items {
		out[i] = escaped(it)
	}
	return out
}

func escapeNamed(d *value.Dict) *value.Dict {
	if d == nil {
		return nil
	}
	out := value.NewDict(d.Len())
	for k, v := range d.All() {
		_ = out.Set(k, escaped(v)) // k was a key already
	}
	return out
}

// escapesArguments says whether a method of safe text takes its arguments as text to escape.
func escapesArguments(method string) bool {
	return slices.Contains([]string{"replace", "ljust", "rjust", "lstrip", "rstrip", "center", "strip", "translate",
		"expandtabs", "zfill"}, method)
}

// markupArguments are the arguments of a method of safe text, ready for the method of plain text.
func markupArguments(name string, args []value.Value, kwargs *value.Dict) ([]value.Value, *value.Dict, error) {
	switch {
	case name == "format":
		return escapeItems(args), escapeNamed(kwargs), nil
	case name == "join" && len(args) == 1 && value.CanIterate(args[0]):
		items, err := list(args[0])
		return []value.Value{value.NewList(escapeTexts(items)...)}, kwargs, err
	case strings.HasSuffix(name, "partition") && len(args) == 1 && !isUndefined(args[0]):
		sep, err := escape(args[0])
		return []value.Value{value.Str(sep)}, kwargs, err
	case escapesArguments(name):
		for i, a := range args {
			if s, ok := a.(value.Str); ok {
				args[i] = value.Str(escapeHTML(string(s)))
			}
		}
	}
	plainAll(args)
	return args, kwargs, nil
}

func isMarkup(v value.Value) bool {
	_, ok := v.(Markup)
	return ok
}

// plainFor makes safe text plain among the arguments of a method of v where the method wants text or a key, and no
// item.
func plainFor(v value.Value, name string, args []value.Value) {
	switch v.(type) {
	case value.Str:
		if name != "format" && name != "format_map" && name != "join" {
			plainAll(args)
		}
	case *value.Dict:
		args[0] = Plain(args[0])
	}
}

// escapeTexts are the items as escaped text, whatever they are.
func escapeTexts(items []value.Value) []value.Value {
	out := make([]value.Value, len(items))
	for i, it := range items {
		out[i] = it
		if !isUndefined(it) {
			out[i] = escapedText{it}
		}
	}
	return out
}

// safeItems makes what a method cut safe text into safe text, too.
func safeItems(v value.Value) value.Value {
	items := itemsOf(v)
	for i, it := range items {
		if s, ok := it.(value.Str); ok {
			items[i] = Markup(s)
		}
	}
	return v
}

func escapeHTML(s string) string {
	return replaceEach(s, `&<>'"`, "&amp;", "&lt;", "&gt;", "&#39;", "&#34;")
}

// replaceEach puts texts[i] in the place of each letters[i]. The letters are ASCII.
func replaceEach(s, letters string, texts ...string) string {
	next := strings.IndexAny(s, letters)
	if next < 0 {
		return s
	}
	var b strings.Builder
	for ; next >= 0; next = strings.IndexAny(s, letters) {
		b.WriteString(s[:next])
		b.WriteString(texts[strings.IndexByte(letters, s[next])])
		s = s[next+1:]
	}
	b.WriteString(s)
	return b.String()
}

// escape is markupsafe.escape.
func escape(v value.Value) (Markup, error) {
	if m, ok := v.(Markup); ok {
		return m, nil
	}
	s, err := str(v)
	return Markup(escapeHTML(s)), err
}
