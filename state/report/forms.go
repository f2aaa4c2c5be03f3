package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/gostate/gostate/state/value"
)

// Forms are the ways in which results are shown. For what is no result of states, highstate is nested.
func Forms() []string {
	return []string{"highstate", "json", "yaml", "quiet", "nested", "txt", "pprint", "table", "raw", "newline_values_only"}
}

// writeDocument shows a map of hosts to what came of them, in any form but highstate.
func writeDocument(b *bufio.Writer, doc *value.Dict, o *Options) error {
	switch o.Format {
	case "", "highstate", "nested":
		n := nested{w: b, paint: newPalette(o.Color), order: o.Order}
		n.show(doc, 0, "")
	case "json":
		return writeJSON(b, doc, o.jsonIndent())
	case "yaml":
		return writeYAML(b, doc, o)
	case "txt":
		trimmed(b, func(w *bufio.Writer) { txt(w, doc) })
	case "table":
		trimmed(b, func(w *bufio.Writer) { (&table{w: w}).show(doc, 0) })
	case "pprint":
		return o.pprint(b, doc)
	case "raw":
		fmt.Fprintln(b, value.Repr(doc))
	case "newline_values_only":
		trimmed(b, func(w *bufio.Writer) { valuesOnly(w, doc) })
	case "quiet":
	default:
		return fmt.Errorf("unknown output format %q: it is %s", o.Format, strings.Join(Forms(), ", "))
	}
	return nil
}

// jsonIndent is the depth of a level, 0 for all on one line.
func (o *Options) jsonIndent() int {
	switch {
	case o.Indent == nil:
		return 4
	case *o.Indent < 0:
		return 0
	}
	return *o.Indent
}

func (o *Options) pprint(w io.Writer, doc value.Value) error {
	if o.Pprint == nil {
		return fmt.Errorf("no pretty printer was given")
	}
	indent := 1
	if o.Indent != nil && *o.Indent >= 0 {
		indent = *o.Indent
	}
	_, err := fmt.Fprintln(w, o.Pprint(doc, indent))
	return err
}

// trimmed writes text without blanks and empty lines at its end, and nothing where that is all.
func trimmed(w io.Writer, write func(w *bufio.Writer)) {
	var text strings.Builder
	b := bufio.NewWriter(&text)
	write(b)
	b.Flush()
	if t := strings.TrimRightFunc(text.String(), unicode.IsSpace); t != "" {
		io.WriteString(w, t+"\n")
	}
}

// txt is a line for each line of each host's value.
func txt(w io.Writer, doc *value.Dict) {
	for host, v := range doc.All() {
		lines := []string{value.String(v)}
		if s, ok := v.(value.Str); ok {
			lines = splitLines(string(s))
		}
		for _, line := range lines {
			fmt.Fprintf(w, "%s: %s\n", value.String(host), line)
		}
	}
}

// valuesOnly are the values of all hosts, those of a list a line each.
func valuesOnly(w io.Writer, doc *value.Dict) {
	for _, v := range doc.All() {
		items := []value.Value{v}
		if l, ok := v.(*value.List); ok {
			items = l.Items
		}
		for _, it := range items {
			fmt.Fprintln(w, value.String(it))
		}
	}
}
