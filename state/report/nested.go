package report

import (
	"bufio"
	"cmp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// maxDepth ends values that hold themselves.
const maxDepth = 500

// nested writes values as Salt's nested outputter does: maps by sorted key under a rule, lists with dashes.
type nested struct {
	w     *bufio.Writer
	paint palette
	depth int
	// order says which maps keep their order.
	order int
}

func (n *nested) show(v value.Value, indent int, prefix string) {
	if n.depth++; n.depth > maxDepth {
		n.line(indent, prefix, n.paint.lightRed, "...")
		n.depth--
		return
	}
	defer func() { n.depth-- }()
	switch v := v.(type) {
	case nil, value.NoneType, *value.Undefined:
		n.line(indent, prefix, n.paint.lightYellow, "None")
	case value.Bool, value.Int, value.BigInt, value.Float:
		n.line(indent, prefix, n.paint.lightYellow, value.Repr(v))
	case value.Str:
		n.text(string(v), indent, prefix)
	case value.Bytes:
		n.text(strings.ToValidUTF8(string(v), "\uFFFD"), indent, prefix)
	case *value.List:
		n.list(v.Items, indent)
	case *value.Tuple:
		n.list(v.Items, indent)
	case *value.Set:
		n.list(v.Items(), indent)
	case *value.Dict:
		n.dict(v, indent, prefix)
	default:
		n.text(value.String(v), indent, prefix)
	}
}

func (n *nested) line(indent int, prefix string, p paint, text string) {
	n.w.WriteString(strings.Repeat(" ", indent))
	n.w.WriteString(p(prefix + text))
	n.w.WriteByte('\n')
}

func (n *nested) text(s string, indent int, prefix string) {
	diff := isDiff(s)
	for i, line := range splitLines(s) {
		p := n.paint.green
		if diff {
			p = n.paint.diffLine(line)
		}
		if i > 0 {
			prefix = strings.Repeat(" ", len(prefix))
		}
		n.line(indent, prefix, p, Visible(line))
	}
}

func (n *nested) list(items []value.Value, indent int) {
	for _, it := range items {
		switch it.(type) {
		case *value.Dict:
			n.line(indent, "", n.paint.green, "|_")
			n.show(it, indent+2, "")
		case *value.List, *value.Tuple:
			n.line(indent, "", n.paint.green, "|_")
			n.show(it, indent+2, "- ")
		default:
			n.show(it, indent, "- ")
		}
	}
}

func (n *nested) dict(d *value.Dict, indent int, prefix string) {
	if indent > 0 {
		n.line(indent, "", n.paint.cyan, "----------")
	}
	entries := sortedEntries(d)
	if n.order == OrderAll || n.order == OrderBelow && indent > 4 {
		entries = entriesOf(d)
	}
	for _, e := range entries {
		n.w.WriteString(strings.Repeat(" ", indent))
		n.w.WriteString(n.paint.cyan(prefix+Visible(value.String(e.Key))) + ":\n")
		n.show(e.Val, indent+4, "")
	}
}

// sortedEntries are the entries by their keys, which are numbers or shown as text.
func sortedEntries(d *value.Dict) []value.Entry {
	out := entriesOf(d)
	numbers := !slices.ContainsFunc(out, func(e value.Entry) bool { _, ok := e.Key.(value.Int); return !ok })
	slices.SortStableFunc(out, func(a, b value.Entry) int {
		if numbers {
			return cmp.Compare(a.Key.(value.Int), b.Key.(value.Int))
		}
		return cmp.Compare(value.String(a.Key), value.String(b.Key))
	})
	return out
}

func entriesOf(d *value.Dict) []value.Entry {
	out := make([]value.Entry, d.Len())
	for i := range out {
		out[i] = d.At(i)
	}
	return out
}

// splitLines is Python's splitlines.
func splitLines(s string) []string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
