package report

import (
	"bufio"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// tableWidth is where Salt's table outputter goes on in the next line of a cell.
const tableWidth = 50

// table writes values as Salt's table outputter does: lists of rows as tables, below the keys that lead to them.
type table struct{ w *bufio.Writer }

func (t *table) line(indent int, text string) {
	t.w.WriteString(strings.Repeat(" ", indent) + text + "\n")
}

func (t *table) show(v value.Value, indent int) {
	if indent > 4*maxDepth {
		return
	}
	if l, ok := v.(*value.List); ok {
		t.rows(l.Items, indent)
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return
	}
	for _, e := range sortedEntries(d) {
		t.line(indent, Visible(value.String(e.Key))+":")
		t.line(indent, "----------")
		switch v := e.Val.(type) {
		case *value.List:
			t.rows(v.Items, indent)
		case *value.Tuple:
			t.rows(v.Items, indent)
		default:
			t.show(v, indent+4)
		}
	}
}

// rows draws a table when all rows are of one kind: maps, whose keys are its head, lists, or texts.
func (t *table) rows(items []value.Value, indent int) {
	if len(items) == 0 {
		return
	}
	var grid [][]string
	for i, it := range items {
		if it.TypeName() != items[0].TypeName() {
			return
		}
		head, row := rowOf(it)
		if row == nil {
			return // Salt differs: it ends with an error
		}
		if i == 0 && head != nil {
			grid = append(grid, head)
		}
		grid = append(grid, row)
	}
	t.draw(grid, indent+4)
}

// rowOf are the texts of one row and, for a map, the head of the table; nil where there can be no table.
func rowOf(v value.Value) (head, row []string) {
	switch v := v.(type) {
	case *value.Dict:
		head = []string{}
		for _, e := range sortedEntries(v) {
			head = append(head, title(value.String(e.Key)))
			row = append(row, value.String(e.Val))
		}
	case *value.List:
		for _, it := range v.Items {
			row = append(row, value.String(it))
		}
	case value.Str:
		row = []string{string(v)}
	}
	return head, row
}

// title is a key as the head of a column: "some_key" is "Some Key".
func title(key string) string {
	text := value.Str(strings.ReplaceAll(key, "_", " "))
	m, _ := value.Method(text, "title")
	if v, err := m.Call(context.Background(), nil, nil); err == nil {
		return value.String(v)
	}
	return key
}

func (t *table) draw(grid [][]string, indent int) {
	var widths []int
	wrapped := make([][][]string, len(grid)) // row, line, column
	for i, row := range grid {
		wrapped[i] = physical(row)
		for _, line := range wrapped[i] {
			for c, cell := range line {
				if c == len(widths) {
					widths = append(widths, 0)
				}
				widths[c] = max(widths[c], utf8.RuneCountInString(cell))
			}
		}
	}
	total := 4 + 3*(len(widths)-1)
	for _, w := range widths {
		total += w
	}
	rule := strings.Repeat("-", max(total, 0))
	t.line(indent, rule)
	for _, lines := range wrapped {
		for _, line := range lines {
			for c := range line {
				line[c] = center(Visible(line[c]), widths[c])
			}
			t.line(indent, "| "+strings.Join(line, " | ")+" |")
		}
		t.line(indent, rule)
	}
}

// physical are the lines that a row takes, each with all columns. Salt differs: it shows the first line of each row.
func physical(row []string) [][]string {
	parts := make([][]string, len(row))
	height := 0
	for c, cell := range row {
		parts[c] = wrapCell(cell)
		height = max(height, len(parts[c]))
	}
	lines := make([][]string, height)
	for i := range lines {
		lines[i] = make([]string, len(row))
		for c := range row {
			if i < len(parts[c]) {
				lines[i][c] = parts[c][i]
			}
		}
	}
	return lines
}

// wrapCell breaks a text at blanks where a line would become too wide.
func wrapCell(text string) []string {
	words := strings.Split(text, " ")
	line := words[0]
	for _, w := range words[1:] {
		first, _, _ := strings.Cut(w, "\n")
		sep := " "
		if utf8.RuneCountInString(line[strings.LastIndexByte(line, '\n')+1:])+utf8.RuneCountInString(first) >= tableWidth {
			sep = "\n"
		}
		line += sep + w
	}
	return strings.Split(line, "\n")
}

// center is Python's str.center: an odd blank goes to the left where the width is odd.
func center(s string, width int) string {
	room := width - utf8.RuneCountInString(s)
	if room <= 0 {
		return s
	}
	left := room/2 + room&width&1
	return strings.Repeat(" ", left) + s + strings.Repeat(" ", room-left)
}
