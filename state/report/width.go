package report

import (
	"strings"
	"unicode"
)

// cells is how many places of a terminal a text takes: two for wide letters (Chinese, Japanese, Korean, pictures), none
// for those that stand upon the one before them.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r == 0x200d || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case wide(r):
		return 2
	}
	return 1
}

// wide are the blocks of letters that Unicode's East Asian Width calls wide or full.
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0x303e, r >= 0x3041 && r <= 0xa4cf, r >= 0xa960 && r <= 0xa97f,
		r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f680 && r <= 0x1f6ff,
		r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}

// cutCells is the beginning of a text that fits into so many places.
func cutCells(text string, width int) string {
	for i, r := range text {
		if width -= cellsOf(r); width < 0 {
			return text[:i]
		}
	}
	return text
}

// tabStop is how far apart tabs stand.
const tabStop = 8

// untabbed is a line whose tabs are blanks.
func untabbed(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	at := 0
	for _, r := range line {
		if r == '\t' {
			n := tabStop - at%tabStop
			b.WriteString(strings.Repeat(" ", n))
			at += n
			continue
		}
		b.WriteRune(r)
		at += cellsOf(r)
	}
	return b.String()
}

// fill breaks a line where it no longer fits, between words where that leaves most of the width used; a width of 0
// breaks nothing.
func fill(line string, width int) []string {
	line = untabbed(line)
	if width <= 0 || cells(line) <= width {
		return []string{line}
	}
	var out []string
	for cells(line) > width {
		head := cutCells(line, width)
		if head == "" { // one wide letter in a place for one
			_, n := firstLetter(line)
			head = line[:n]
		}
		if i := strings.LastIndexByte(head, ' '); i > len(head)/2 && line[len(head)] != ' ' {
			head = head[:i+1]
		}
		out = append(out, strings.TrimRight(head, " "))
		line = strings.TrimPrefix(line[len(head):], " ")
	}
	return append(out, line)
}

func firstLetter(text string) (rune, int) {
	for i, r := range text {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(text)
}
