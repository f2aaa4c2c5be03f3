package jinja

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// pprintWidth is how wide pprint's lines may be.
const pprintWidth = 80

func filterPprint(_ *Call, p []value.Value) (value.Value, error) { return value.Str(Pprint(p[0])), nil }

// Pprint is Python's pprint.pformat(v).
func Pprint(v value.Value) string { return PprintIndent(v, 1) }

// PprintIndent is Python's pprint.pformat(v, indent=indent).
func PprintIndent(v value.Value, indent int) string {
	pp := &prettyPrinter{step: indent}
	pp.format(v, 0, 0)
	return pp.b.String()
}

// prettyPrinter is Python's pprint: what fits a line is on one, dicts are sorted by key.
type prettyPrinter struct {
	step  int // how deep a level is
	b     strings.Builder
	depth int
	open  []value.Value // containers that it is inside of
}

// enter notes a container. ok is false, with what stands for it, when it holds itself. Salt differs: Python's mark has
// an address.
func (pp *prettyPrinter) enter(v value.Value) (mark string, ok bool) {
	for _, o := range pp.open {
		if value.Is(o, v) {
			if _, isDict := v.(*value.Dict); isDict {
				return "{...}", false
			}
			return "[...]", false
		}
	}
	pp.open = append(pp.open, v)
	return "", true
}

func (pp *prettyPrinter) leave() { pp.open = pp.open[:len(pp.open)-1] }

func (pp *prettyPrinter) format(v value.Value, indent, allowance int) {
	rep := pp.repr(v)
	if utf8.RuneCountInString(rep) <= pprintWidth-indent-allowance || pp.depth > 100 {
		pp.b.WriteString(rep)
		return
	}
	pp.depth++
	defer func() { pp.depth-- }()
	if isContainer(v) {
		pp.open = append(pp.open, v)
		defer pp.leave()
	}
	switch v := v.(type) {
	case *value.Dict:
		pp.dict(v, indent, allowance)
	case *value.List:
		pp.items(v.Items, "[", "]", indent, allowance)
	case *value.Tuple:
		end := ")"
		if len(v.Items) == 1 {
			end = ",)"
		}
		pp.items(v.Items, "(", end, indent, allowance)
	case value.Str:
		pp.text(string(v), indent, allowance)
	default:
		pp.b.WriteString(rep)
	}
}

// repr is repr with dicts sorted.
func (pp *prettyPrinter) repr(v value.Value) string {
	if pp.depth > 100 {
		return value.Repr(v)
	}
	pp.depth++
	defer func() { pp.depth-- }()
	if isContainer(v) {
		mark, ok := pp.enter(v)
		if !ok {
			return mark
		}
		defer pp.leave()
	}
	join := func(items []value.Value) string {
		parts := make([]string, len(items))
		for i, it := range items {
			parts[i] = pp.repr(it)
		}
		return strings.Join(parts, ", ")
	}
	switch v := v.(type) {
	case *value.Dict:
		var parts []string
		for _, e := range sortedEntries(v) {
			parts = append(parts, pp.repr(e.Key)+": "+pp.repr(e.Val))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case *value.List:
		return "[" + join(v.Items) + "]"
	case *value.Tuple:
		if len(v.Items) == 1 {
			return "(" + join(v.Items) + ",)"
		}
		return "(" + join(v.Items) + ")"
	}
	return value.Repr(v)
}

// sortedEntries are a dict's entries by key; keys that have no order are ordered by type.
func sortedEntries(d *value.Dict) []value.Entry {
	out := make([]value.Entry, d.Len())
	for i := range out {
		out[i] = d.At(i)
	}
	slices.SortStableFunc(out, func(a, b value.Entry) int {
		if less, err := value.Less(a.Key, b.Key); err == nil {
			if less {
				return -1
			}
			if more, _ := value.Less(b.Key, a.Key); more {
				return 1
			}
			return 0
		}
		return strings.Compare("<class '"+typeName(a.Key)+"'>", "<class '"+typeName(b.Key)+"'>")
	})
	return out
}

// lead are the blanks behind an opening bracket.
func (pp *prettyPrinter) lead() string { return strings.Repeat(" ", max(pp.step-1, 0)) }

func (pp *prettyPrinter) dict(d *value.Dict, indent, allowance int) {
	pp.b.WriteString("{" + pp.lead())
	entries := sortedEntries(d)
	for i, e := range entries {
		key := pp.repr(e.Key)
		pp.b.WriteString(key + ": ")
		rest := 1
		if i == len(entries)-1 {
			rest = allowance + 1
		}
		pp.format(e.Val, indent+pp.step+utf8.RuneCountInString(key)+2, rest)
		if i < len(entries)-1 {
			pp.b.WriteString(",\n" + strings.Repeat(" ", indent+pp.step))
		}
	}
	pp.b.WriteByte('}')
}

func (pp *prettyPrinter) items(items []value.Value, open, end string, indent, allowance int) {
	pp.b.WriteString(open + pp.lead())
	for i, it := range items {
		rest := 1
		if i == len(items)-1 {
			rest = allowance + len(end)
		}
		pp.format(it, indent+pp.step, rest)
		if i < len(items)-1 {
			pp.b.WriteString(",\n" + strings.Repeat(" ", indent+pp.step))
		}
	}
	pp.b.WriteString(end)
}

// text prints a long string as several literals, within parentheses where it stands alone.
func (pp *prettyPrinter) text(s string, indent, allowance int) {
	top := pp.depth == 1
	if top {
		indent++
		allowance++
	}
	var chunks []string
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	width := pprintWidth - indent
	for i, line := range lines {
		last := i == len(lines)-1
		room := width
		if last {
			room -= allowance
		}
		if utf8.RuneCountInString(value.Repr(value.Str(line))) <= room {
			chunks = append(chunks, value.Repr(value.Str(line)))
			continue
		}
		chunks = append(chunks, wrapLiteral(line, width, allowance, last)...)
	}
	if len(chunks) == 1 {
		pp.b.WriteString(value.Repr(value.Str(s)))
		return
	}
	if top {
		pp.b.WriteByte('(')
	}
	pp.b.WriteString(strings.Join(chunks, "\n"+strings.Repeat(" ", indent)))
	if top {
		pp.b.WriteByte(')')
	}
}

// wrapLiteral cuts a line into literals, after white space.
func wrapLiteral(line string, width, allowance int, last bool) []string {
	var parts []string
	for rest := line; rest != ""; {
		i := strings.IndexFunc(rest, isSpace)
		if i < 0 {
			parts = append(parts, rest)
			break
		}
		j := strings.IndexFunc(rest[i:], func(r rune) bool { return !isSpace(r) })
		if j < 0 {
			parts = append(parts, rest)
			break
		}
		parts, rest = append(parts, rest[:i+j]), rest[i+j:]
	}
	var out []string
	cur := ""
	for j, part := range parts {
		room := width
		if j == len(parts)-1 && last {
			room -= allowance
		}
		if utf8.RuneCountInString(value.Repr(value.Str(cur+part))) > room {
			if cur != "" {
				out = append(out, value.Repr(value.Str(cur)))
			}
			cur = part
			continue
		}
		cur += part
	}
	if cur != "" {
		out = append(out, value.Repr(value.Str(cur)))
	}
	return out
}

func isContainer(v value.Value) bool {
	switch v.(type) {
	case *value.Dict, *value.List, *value.Tuple:
		return true
	}
	return false
}
