package file

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/modules"
)

// diffLimit is the size of either side beyond which no diff is made. Salt differs: it makes one of any size.
const diffLimit = 4 << 20

// diffOf is what a change from old to new is shown as: a unified diff, or words where one side is binary or too large.
func diffOf(old, new []byte) string {
	if words := binaryReplace(old, new); words != "" {
		return words
	}
	if len(old) > diffLimit || len(new) > diffLimit {
		return fmt.Sprintf("%d bytes replaced by %d bytes, too many for a diff", len(old), len(new))
	}
	return strings.Join(modules.UnifiedDiff(modules.SplitKeep(text(old)), modules.SplitKeep(text(new))), "")
}

// text reads bytes as Salt does for a diff: a line that is no UTF-8 is Latin-1.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	for i, l := range lines {
		if !utf8.Valid(l) {
			lines[i] = latin1(l)
		}
	}
	return string(bytes.Join(lines, nil))
}

func latin1(b []byte) []byte {
	out := make([]byte, 0, len(b)+8)
	for _, c := range b {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

func binaryReplace(old, new []byte) string {
	was, is := !isText(old), !isText(new)
	switch {
	case was && is:
		return "Replace binary file"
	case was:
		return "Replace binary file with text file"
	case is:
		return "Replace text file with binary file"
	}
	return ""
}

// isText guesses from the first bytes, as Salt does: no zero byte, and UTF-8 or mostly printable.
func isText(b []byte) bool {
	block := b[:min(len(b), 512)]
	if bytes.IndexByte(block, 0) >= 0 {
		return false
	}
	if len(block) == 0 || utf8.Valid(block) {
		return true
	}
	odd := 0
	for _, c := range block {
		if (c < 32 || c > 126) && !strings.ContainsRune("\n\r\t\f\b", rune(c)) {
			odd++
		}
	}
	return float64(odd)/float64(len(block)) <= 0.30
}

// splitLines is Python's str.splitlines(): it knows more ends of lines than the newline, and drops them.
func splitLines(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '\n', '\v', '\f', '\x1c', '\x1d', '\x1e', '\u0085', '\u2028', '\u2029':
			out = append(out, s[start:i])
			start = i + size
		case '\r':
			out = append(out, s[start:i])
			if strings.HasPrefix(s[i:], "\r\n") {
				size = 2
			}
			start = i + size
		}
		i += size
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}
