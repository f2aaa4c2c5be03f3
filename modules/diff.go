package modules

import (
	"fmt"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
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
// the lines that are added end in a newline.
func UnifiedDiff(a, b []string) []string {
	groups := difflib.NewMatcher(a, b).GetGroupedOpCodes(3)
	if len(groups) == 0 {
		return nil
	}
	out := []string{"--- \n", "+++ \n"}
	for _, g := range groups {
		first, last := g[0], g[len(g)-1]
		out = append(out, fmt.Sprintf("@@ -%s +%s @@\n", diffRange(first.I1, last.I2), diffRange(first.J1, last.J2)))
		for _, op := range g {
			if op.Tag == 'e' {
				out = appendMarked(out, " ", a[op.I1:op.I2])
				continue
			}
			out = appendMarked(out, "-", a[op.I1:op.I2])
			out = appendMarked(out, "+", b[op.J1:op.J2])
		}
	}
	return out
}

func appendMarked(out []string, mark string, lines []string) []string {
	for _, l := range lines {
		out = append(out, mark+l)
	}
	return out
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
