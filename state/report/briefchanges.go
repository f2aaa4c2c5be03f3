package report

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// How many lines are shown before a text is folded: of the diff or the output of a change, and of what failed, of which
// the end tells most.
const (
	foldChange = 40
	foldFailed = 200
	foldNew    = 12
)

// changes shows what a state changed: diffs and texts of several lines as such, all else as "key: old → new".
func (b *brief) changes(r *state.Result) {
	if r.Sample != "" {
		b.block(addedLines(r.Sample), foldNew, false, b.paint.diffLine)
		return
	}
	if !r.Changed() {
		return
	}
	if all := conducted(r.Changes); len(all) > 0 {
		b.machines(all)
		return
	}
	failed := r.Outcome == state.Failed
	for _, e := range sortedEntries(r.Changes) {
		key := value.String(e.Key)
		if b.goesWithoutSaying(r, key, e.Val) {
			continue
		}
		text, isText := e.Val.(value.Str)
		switch {
		case isText && isDiff(string(text)):
			b.block(diffBody(string(text)), foldChange, false, b.paint.diffLine)
		case isText && strings.Contains(strings.TrimSpace(string(text)), "\n"):
			b.line(plain, "    ", key+":")
			b.block(splitLines(string(text)), limit(failed), failed, unpainted)
		default:
			b.one(key, e.Val)
		}
	}
}

func limit(failed bool) int {
	if failed {
		return foldFailed
	}
	return foldChange
}

// goesWithoutSaying are changes that the first line has said: that a file is new, the number of a process, what a
// command did not print.
func (b *brief) goesWithoutSaying(r *state.Result, key string, v value.Value) bool {
	text := value.String(v)
	if v == value.None || text == "" || text == "[]" {
		return true
	}
	switch key {
	case "newfile":
		return text == r.Low.Name
	case "diff":
		return text == "New file"
	case "pid":
		return r.Low.Module == "cmd"
	case "stdout", "stderr":
		return strings.TrimSpace(text) == ""
	case "retcode":
		return text == "0"
	case "removed", "new":
		return text == r.Low.Name
	}
	d, isDict := v.(*value.Dict)
	if !isDict || key != r.Low.Name || d.Len() != 1 {
		return false
	}
	at, ok := d.GetStr("directory")
	return ok && value.String(at) == "new"
}

// one shows a change that is no text of several lines.
func (b *brief) one(key string, v value.Value) {
	switch d, ok := v.(*value.Dict); {
	case ok && d.Len() <= 2 && hasOldNew(d):
		before, _ := d.GetStr("old")
		after, _ := d.GetStr("new")
		b.pair(key, short(before), short(after))
	case ok:
		b.line(plain, "    ", key+":")
		b.block(b.nested(v), foldChange, false, unpainted)
	default:
		if l, isList := v.(*value.List); isList {
			var words []string
			for _, it := range l.Items {
				words = append(words, value.String(it))
			}
			b.line(plain, "    ", key+": "+strings.Join(words, ", "))
			return
		}
		b.line(plain, "    ", strings.TrimRight(key+": "+value.String(v), " "))
	}
}

func hasOldNew(d *value.Dict) bool {
	for k, v := range d.All() {
		if s := value.String(k); s != "old" && s != "new" {
			return false
		}
		switch v.(type) {
		case *value.Dict, *value.List:
			return false
		}
	}
	return d.Len() > 0
}

func short(v value.Value) string {
	if v == nil || v == value.None {
		return ""
	}
	return strings.TrimSpace(value.String(v))
}

func (b *brief) pair(key, before, after string) {
	switch {
	case before == "":
		b.line(b.paint.green, "    ", key+": "+after)
	case after == "":
		b.line(b.paint.red, "    ", key+": "+before+" -> (none)")
	default:
		b.line(plain, "    ", key+": "+before+" -> "+after)
	}
}

// nested are the lines of a value as Salt nests it.
func (b *brief) nested(v value.Value) []string {
	var buf bytes.Buffer
	w := bufio.NewWriter(&buf)
	n := nested{w: w, paint: newPalette(false)}
	n.show(v, 0, "")
	_ = w.Flush()
	return splitLines(buf.String())
}

// diffBody are the lines of a unified diff without the names of its files, where those say nothing.
// Empty lines, which no line of a diff is, come from how some states write one.
func diffBody(text string) []string {
	lines := slices.DeleteFunc(splitLines(text), func(l string) bool { return l == "" })
	if len(lines) > 2 && strings.TrimSpace(lines[0]) == "---" && strings.TrimSpace(lines[1]) == "+++" {
		return lines[2:]
	}
	return lines
}

func addedLines(text string) []string {
	lines := splitLines(text)
	for i, l := range lines {
		lines[i] = "+" + l
	}
	return lines
}

func unpainted(string) paint { return plain }

// block shows lines; those above the limit are left out and counted: the last ones, or of what
// failed those before the end.
func (b *brief) block(lines []string, most int, tail bool, paintOf func(line string) paint) {
	more := " (--state-output full shows all)"
	if most == foldNew {
		more = ""
	}
	cut := len(lines) - most
	if cut < 3 { // a line that says so is no shorter
		cut = 0
	}
	from, to := len(lines)-cut, len(lines)
	if tail {
		from, to = most/4, most/4+cut
	}
	for i, l := range lines {
		switch {
		case cut > 0 && i == from:
			b.line(b.paint.blue, "      ", "... "+diag.Count(cut, "line")+" left out"+more)
		case cut > 0 && i > from && i < to:
		default:
			b.line(paintOf(l), "      ", l)
		}
	}
}
