package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// OddSign names a sign at the beginning of a text that only looks like the one that belongs there: an en dash for "-",
// a no-break space for a blank. It is "" where there is none.
func OddSign(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	switch r {
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		name := map[rune]string{'\u2010': "a hyphen", '\u2011': "a no-break hyphen", '\u2012': "a figure dash",
			'\u2013': "an en dash", '\u2014': "an em dash", '\u2212': "a minus sign"}[r]
		return fmt.Sprintf("%s (U+%04X), where YAML wants '-'", name, r)
	case '\u00a0', '\u2007', '\u202f', '\u3000':
		return fmt.Sprintf("a no-break space (U+%04X), where YAML wants a blank", r)
	case '\u201c', '\u201d', '\u2018', '\u2019', '\u201e':
		return fmt.Sprintf("a typographic quote (U+%04X), where YAML wants ' or \"", r)
	}
	return ""
}

// levelHint compares a line that fits nowhere with the list, or the block of text, above it.
func levelHint(f finding) string {
	lines := strings.Split(string(f.text), "\n")
	if f.line < 2 || f.line > len(lines) {
		return ""
	}
	here := lines[f.line-1]
	if hint := blockHint(lines, f.line-1); hint != "" {
		return hint
	}
	if !strings.HasPrefix(strings.TrimSpace(here), "- ") {
		return ""
	}
	for i := f.line - 2; i >= 0; i-- {
		switch trimmed := strings.TrimSpace(lines[i]); {
		case trimmed == "" || trimmed[0] == '#':
			continue
		case strings.HasPrefix(trimmed, "- "):
			a, b := firstColumn(lines[i]), firstColumn(here)
			if a == b || b-a > 3 || a-b > 3 {
				return ""
			}
			word := "deeper"
			if b < a {
				word = "less deep"
			}
			return fmt.Sprintf("this item begins in column %d, %s than the one above it in line %d, which begins in column %d",
				b,
				word, i+1, a)
		}
		return ""
	}
	return ""
}

// blockHint finds a line of a block of text above the line, whose indentation ends the block before its end.
func blockHint(lines []string, fault int) string {
	for head := fault; head >= 0 && head > fault-100; head-- {
		text := strings.TrimRight(lines[head], " ")
		if !strings.HasSuffix(text, "|") && !strings.HasSuffix(text, ">") && !strings.HasSuffix(text, "|-") &&
			!strings.HasSuffix(text, ">-") && !strings.HasSuffix(text, "|+") {
			continue
		}
		first := 0
		for i := head + 1; i <= fault; i++ {
			col := firstColumn(lines[i])
			switch {
			case strings.TrimSpace(lines[i]) == "":
			case first == 0:
				first = col
			case col < first && col > firstColumn(lines[head]) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "- "):
				return fmt.Sprintf("line %d is less deep than the first line of the text that begins in line %d, and ends it", i+1,
					head+2)
			}
		}
		return ""
	}
	return ""
}

// colonHint says that the line above a key has no colon at its end.
func colonHint(f finding) string {
	lines := strings.Split(string(f.text), "\n")
	for i := f.line - 2; i >= 0; i-- {
		trimmed := strings.TrimSpace(lines[i])
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if !strings.ContainsAny(trimmed, ":|>{[\"'") && !strings.HasPrefix(trimmed, "- ") &&
			firstColumn(lines[i]) < firstColumn(f.lineText()) {
			return fmt.Sprintf("line %d may lack its colon: \"%s:\"", i+1, trimmed)
		}
		return ""
	}
	return ""
}
