package modules

import (
	"fmt"
	"strings"
)

// A diff of more is cut, and says by how much.
const (
	diffLines = 10_000
	diffBytes = 4 << 20
)

// SplitKeep splits after each newline.
func SplitKeep(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// UnifiedDiff gives the lines of Python's difflib.unified_diff without file names. The diffed lines keep their ends;
// the lines that are added end in a newline. Salt differs: its diffs have no limit, in time or length.
func UnifiedDiff(a, b []string) []string {
	d := &diff{a: a, b: b}
	var hunk []edit
	last := block{}
	for _, next := range matching(a, b) {
		e := edit{last.a + last.size, next.a, last.b + last.size, next.b}
		if len(hunk) > 0 && next.a+next.b > 0 && last.size > 2*around {
			d.hunk(hunk)
			hunk = nil
		}
		if e.a1 < e.a2 || e.b1 < e.b2 {
			hunk = append(hunk, e)
		}
		last = next
	}
	if len(hunk) > 0 {
		d.hunk(hunk)
	}
	if d.left > 0 {
		d.out = append(d.out, fmt.Sprintf("... and %d more lines\n", d.left))
	}
	return d.out
}

// around is how many equal lines are shown on each side of a change.
const around = 3

// An edit puts b[b1:b2] in the place of a[a1:a2].
type edit struct{ a1, a2, b1, b2 int }

// A diff is written line by line, until it is too long. Then the lines are counted that are left out.
type diff struct {
	a, b, out   []string
	bytes, left int
}

// hunk writes changes that are near each other, with the equal lines between and around them.
func (d *diff) hunk(edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	before := min(around, first.a1, first.b1)
	after := min(around, len(d.a)-last.a2, len(d.b)-last.b2)
	if len(d.out) == 0 {
		d.add("", "--- \n", "+++ \n")
	}
	d.add("", fmt.Sprintf("@@ -%s +%s @@\n", diffRange(first.a1-before, last.a2+after),
		diffRange(first.b1-before, last.b2+after)))
	from := first.a1 - before
	for _, e := range edits {
		d.add(" ", d.a[from:e.a1]...)
		d.add("-", d.a[e.a1:e.a2]...)
		d.add("+", d.b[e.b1:e.b2]...)
		from = e.a2
	}
	d.add(" ", d.a[from:from+after]...)
}

func (d *diff) add(mark string, lines ...string) {
	for i, l := range lines {
		if len(d.out) >= diffLines || d.bytes+len(l) > diffBytes {
			d.bytes = diffBytes + 1
			d.left += len(lines) - i
			return
		}
		d.out = append(d.out, mark+l)
		d.bytes += len(l)
	}
}

func diffRange(start, stop int) string {
	switch n := stop - start; n {
	case 1:
		return fmt.Sprint(start + 1)
	case 0:
		return fmt.Sprintf("%d,0", start)
	default:
		return fmt.Sprintf("%d,%d", start+1, n)
	}
}
