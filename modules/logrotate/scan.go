package logrotate

import (
	"slices"
	"strings"
)

// kind is what a line of a file is.
type kind uint8

const (
	other   kind = iota // nothing, or a comment
	command             // of logrotate's
	head                // the line with the brace that begins a block
	end                 // that with the one that ends it
	script              // a line of a script
)

// A line is a line of a file, with the names of the block that it is in.
type line struct {
	text  string
	words []string
	heads []string
	is    kind
}

// scan says what the lines are. The names of a block may be on the lines before its brace.
func scan(lines []string) []line {
	out := make([]line, len(lines))
	var heads, before []string
	inScript := false
	for i, text := range lines {
		l := &out[i]
		l.text, l.words, l.heads = text, strings.Fields(text), heads
		opens, closes := strings.Contains(text, "{"), strings.Contains(text, "}")
		switch {
		case len(l.words) == 0 || strings.HasPrefix(l.words[0], "#"):
		case inScript && l.words[0] != "endscript":
			l.is = script
		case opens && closes:
		case opens:
			l.is = head
			if heads = l.words[:len(l.words)-1]; len(heads) == 0 {
				heads = before
			}
			l.heads, before = heads, nil
		case closes:
			l.is, heads = end, nil
		case heads == nil && strings.ContainsAny(text[:1], `/"`):
			before = append(before, l.words...)
		default:
			l.is, before = command, nil
			inScript = slices.Contains([]string{"prerotate", "postrotate", "firstaction", "lastaction", "preremove"},
				l.words[0])
		}
	}
	return out
}
