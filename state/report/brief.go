package report

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// brief writes a report for people at a terminal: what changed and what failed, each state with one sign, and of the
// rest how many there are.
type brief struct {
	w     *bufio.Writer
	o     *Options
	paint palette
	test  bool // a preview
}

func writeBrief(w *bufio.Writer, r *run.Report, o *Options) {
	b := &brief{w: w, o: o, paint: newPalette(o.Color), test: r.Preview}
	doubt := false
	for _, res := range r.Results {
		if k := kindOf(res); k.shown() || len(res.Warnings) > 0 {
			b.state(res, k)
			doubt = doubt || k == unknown
		}
	}
	if doubt {
		b.line(b.paint.cyan, "", "? means: what such a state does depends on what the one that it names does, which nobody "+
			"knows before it is applied.")
		b.w.WriteByte('\n')
	}
	b.causes(r)
	b.tally(r)
}

// A kind is what became of a state, as the brief form counts it: each state is of one.
type kind uint8

const (
	unchanged kind = iota
	skipped
	made
	altered
	removed
	unknown
	held // it is noop, and would change
	broke
	followed // it failed because another did
)

// shown says whether a state of the kind is shown, and not only counted.
func (k kind) shown() bool { return k >= made && k <= broke }

func (k kind) sign() string { return [...]string{" ", " ", "+", "~", "-", "?", "~", "!", "!"}[k] }

func (b *brief) paintOf(k kind) paint {
	switch k {
	case made:
		return b.paint.green
	case altered:
		return b.paint.yellow
	case removed, followed:
		return b.paint.red
	case unknown, held:
		return b.paint.cyan
	case broke:
		return b.paint.lightRed
	}
	return b.paint.blue
}

func kindOf(r *state.Result) kind {
	switch {
	case r.Outcome == state.Failed && r.Cause != nil:
		return followed
	case r.Outcome == state.Failed:
		return broke
	case r.Outcome == state.Pending && r.Doubt != "":
		return unknown
	case r.Outcome == state.Pending && r.Noop:
		return held
	case r.Outcome == state.Pending || r.Changed():
		return deed(r)
	}
	switch r.How {
	case state.Unscheduled, state.Conditional, state.OnchangesOff, state.OnfailOff, state.PrereqOff, state.Left:
		return skipped
	}
	return unchanged
}

// deed tells from the function and its changes whether something is new, gone or other than before.
func deed(r *state.Result) kind {
	switch r.Func {
	case "absent", "removed", "purged", "uninstalled", "not_cached", "unmounted", "deleted", "unset", "tidied":
		return removed
	}
	if r.How == state.Watched || r.How == state.Listened || r.Changes == nil || r.Changes.Len() == 0 {
		return altered
	}
	if isNew(r) {
		return made
	}
	sign := kind(0)
	for k, v := range r.Changes.All() {
		next := deedOf(value.String(k), v)
		if sign != 0 && next != sign {
			return altered
		}
		sign = next
	}
	return sign
}

// isNew says whether a state made what it is about, whose properties its changes are then.
func isNew(r *state.Result) bool {
	if v, ok := r.Changes.GetStr("diff"); ok && value.String(v) == "New file" {
		return true
	}
	if _, ok := r.Changes.GetStr("newfile"); ok {
		return true
	}
	_, named := r.Changes.GetStr("name")
	account := named && (r.Low.Module == "user" || r.Low.Module == "group")
	return r.Func == "present" && (account || strings.Contains(r.Comment, " added") ||
		strings.Contains(r.Comment, " created"))
}

// deedOf is deed of one change.
func deedOf(key string, v value.Value) kind {
	switch d, isDict := v.(*value.Dict); {
	case isDict:
		before, hasOld := d.GetStr("old")
		after, hasNew := d.GetStr("new")
		switch {
		case !hasOld && !hasNew:
			if at, ok := d.GetStr("directory"); ok && value.String(at) == "new" {
				return made
			}
			return altered
		case !value.Truth(orNothing(before)):
			return made
		case !value.Truth(orNothing(after)):
			return removed
		}
		return altered
	case key == "newfile", key == "new":
		return made
	case key == "removed":
		return removed
	}
	switch value.String(v) {
	case "New file", "New Dir", "Present", "present", "new", "New":
		return made
	case "Absent", "absent", "Removed", "removed":
		return removed
	}
	return altered
}

func orNothing(v value.Value) value.Value {
	if v == nil || value.String(v) == "absent" {
		return value.None
	}
	return v
}

// line writes a text, broken to the width of the terminal, each line behind the indentation.
func (b *brief) line(p paint, indent, text string) {
	for _, part := range fill(Visible(text), b.room(len(indent))) {
		b.w.WriteString(strings.TrimRight(indent+p(part), " ") + "\n")
	}
}

// room is how wide a text may be behind an indentation; 0 for no limit.
func (b *brief) room(indent int) int {
	if b.o.Width <= 0 {
		return 0
	}
	return max(b.o.Width-indent, 10)
}

func plain(text string) string { return text }

// state shows one state: a line with its sign, what is said of it, and its changes.
func (b *brief) state(r *state.Result, k kind) {
	title := oneLine(r.ID)
	if n := oneLine(r.Low.Name); r.ID != r.Low.Name && !strings.HasSuffix(r.ID, r.Low.Name) {
		title += " (" + cutName(n) + ")"
	}
	head := fill(Visible(title)+"  "+r.Low.Module+"."+r.Func, b.room(2))
	for i, part := range head {
		lead := "  "
		if i == 0 {
			lead = b.paintOf(k)(k.sign() + " ")
		}
		b.w.WriteString(lead + b.paint.bold(part) + "\n")
	}
	for _, text := range b.folded(splitLines(b.said(r, k))) {
		b.line(plain, "    ", text)
	}
	if k != unknown {
		b.changes(r)
	}
	for _, w := range r.Warnings {
		b.line(b.paint.lightYellow, "    ", "warning: "+w)
	}
	if k == broke && r.Low.Pos.File != "" {
		b.line(b.paint.blue, "    ", "at "+r.Low.Pos.String())
	}
	b.w.WriteByte('\n')
}

// folded are the lines of a comment, those in the middle of a long one left out.
func (b *brief) folded(lines []string) []string {
	cut := len(lines) - foldChange
	if cut < 3 {
		return lines
	}
	out := append([]string{}, lines[:foldChange/2]...)
	out = append(out, "... "+diag.Count(cut, "line")+" left out (--state-output full shows all)")
	return append(out, lines[foldChange/2+cut:]...)
}

// said is what a state says of itself, in a preview as what would be.
func (b *brief) said(r *state.Result, k kind) string {
	text := strings.TrimSpace(r.Comment)
	hint := ""
	if k == broke {
		hint = advice(r)
	}
	switch {
	case hint != "":
		return strings.Replace(text, " is not available Group ", " is not available\nGroup ", 1) + "\nhint: " + hint
	case r.Outcome != state.Pending || k == unknown:
		return text
	case r.Sample != "" || k == made && r.Low.Fun() == "file.managed":
		text = r.Low.Name + " would be created"
	default:
		text = Would(text)
	}
	if !strings.Contains(text, "would") {
		text = "would change: " + text
	}
	return text
}

// Would is what a preview says of a state, in Salt's words, as a sentence of what would be.
func Would(text string) string {
	text, _, _ = strings.Cut(text, "\nNote: No changes made, actual changes may")
	return strings.NewReplacer(
		" is set for removal", " would be removed", " are set for removal", " would be removed",
		" set for removal", " would be removed", " is set for creation", " would be created",
		" is set for tidy", " would be tidied",
		" is set to be ", " would be ", " are set to be ", " would be ", " set to be ", " would be ",
		" is set to ", " would ", " are set to ", " would ", " needs to be ", " would be ", " need to be ", " would be ",
		" will be ", " would be ", " is about to be ", " would be ", " to be altered", " would be altered",
	).Replace(strings.TrimSpace(text))
}

// causes names the failures, where there are so many that the first is no longer on the screen, or others follow.
func (b *brief) causes(r *run.Report) {
	list := Causes(r)
	if len(list) == 0 || len(list) == 1 && list[0].Followers == 0 && len(r.Results) < 20 {
		return
	}
	b.line(b.paint.red, "", "Failed:")
	for i, c := range list {
		if i == shownCauses {
			b.line(b.paint.red, "  ", fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		b.line(b.paint.red, "  ", c.line(r))
	}
	b.w.WriteByte('\n')
}

// tally is the last line: how many states there were, and what became of each.
func (b *brief) tally(r *run.Report) {
	var n [followed + 1]int
	warnings := 0
	for _, res := range r.Results {
		n[kindOf(res)]++
		if len(res.Warnings) > 0 {
			warnings++
		}
	}
	parts := b.parts(n)
	text := diag.Count(len(r.Results), "state") + ": " + strings.Join(parts, ", ")
	if len(parts) == 0 {
		text = diag.Count(len(r.Results), "state")
	}
	if !b.o.NoProfile {
		text += " (" + took(r.Duration) + ")"
	}
	p := b.paint.green
	if n[broke] > 0 {
		p = b.paint.red
	}
	b.line(p, "", text)
	for _, more := range []struct {
		n    int
		text string
	}{{warnings, "with warnings (shown above)"}, {b.o.Owed,
		"owed: reactions to changes of earlier runs (gostate status)"}} {
		if more.n > 0 {
			b.line(b.paint.lightYellow, "", fmt.Sprintf("%d %s", more.n, more.text))
		}
	}
	b.notRun(r)
	if b.test {
		b.line(b.paint.bold, "", "This was a preview, nothing was changed.")
	}
}

// parts are the figures of the tally; those that are zero are left out. Together they are all states.
func (b *brief) parts(n [followed + 1]int) []string {
	changed := "changed"
	fails := "failed"
	if b.test {
		changed, fails = "would change", "would fail"
	}
	var out []string
	add := func(n int, text string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, text))
		}
	}
	add(n[made]+n[altered]+n[removed], changed)
	add(n[held], "would change (noop)")
	add(n[unknown], "unknown")
	add(n[unchanged], "unchanged")
	add(n[skipped], "skipped")
	add(n[broke], fails)
	add(n[followed], "not run because of "+map[bool]string{true: "that", false: "those"}[n[broke] == 1])
	return out
}

func (b *brief) notRun(r *run.Report) {
	if text := notRun(r); text != "" {
		b.line(b.paint.lightYellow, "", text)
	}
}

// took is a duration as people say it.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}

// longestName is how much of a name is shown beside an ID: commands may be long.
const longestName = 60

func cutName(name string) string {
	if cells(name) <= longestName {
		return name
	}
	return cutCells(name, longestName-3) + "..."
}

// oneLine is the first line of a name, with a sign that there are more.
func oneLine(text string) string {
	first, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more && strings.TrimSpace(rest) != "" {
		first += " ..."
	}
	return first
}
