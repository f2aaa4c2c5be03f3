package yaml

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"
)

// The parser names a line, often that of the context and not of the fault, and no column. So the place is searched for:
// the shortest beginning of the text that nothing written after it could save.

// Up to carefulSize the search reads the text some ninety times, up to maxLocate some twenty times and takes less care;
// beyond that the parser's word is taken.
const (
	carefulSize = 128 << 10
	maxLocate   = 512 << 10
)

// endings are texts that would complete what a cut leaves open: a quoted scalar, a flow collection, a key.
var endings = []string{"", "\"", "'", "x]", "x}", " x", ": x"}

type finding struct {
	text      []byte
	line, col int
	// open says that the text ends before something was closed, which begins at the place.
	open bool
}

func (f finding) lineText() string { return lineOf(f.text, f.line) }

// locate finds the place of the fault msg, which the parser reports near line.
func locate(text []byte, msg string, line int) finding {
	lines := bytes.Count(text, []byte{'\n'}) + 1
	f := finding{text: text, line: min(max(line, 1), lines), col: 1}
	if alias, ok := strings.CutPrefix(msg, "unknown anchor '"); ok {
		return f.alias(strings.TrimSuffix(alias, "' referenced"))
	}
	if len(text) > maxLocate {
		f.col = firstColumn(f.lineText())
		return f
	}
	tries := endings
	if len(text) > carefulSize {
		tries = endings[:1]
	} else if !lost(text, msg, tries) {
		return f.opening(msg)
	}
	ends := lineEnds(text)
	n := sort.Search(len(ends)-1, func(i int) bool { return lost(text[:ends[i]], msg, tries) })
	start := 0
	if n > 0 {
		start = ends[n-1]
	}
	cuts := ends[n] - start
	k := sort.Search(cuts, func(i int) bool { return lost(text[:start+i+1], msg, tries) })
	f.line, f.col = n+1, utf8.RuneCount(text[start:start+min(k, cuts)])+1
	f.adjust(msg)
	return f
}

// lost says whether the fault stands whichever of the endings follows the text.
func lost(text []byte, msg string, endings []string) bool {
	for _, e := range endings {
		if m, _ := fault(append(text[:len(text):len(text)], e...)); m != msg {
			return false
		}
	}
	return true
}

// lineEnds are the offsets behind each line.
func lineEnds(text []byte) []int {
	var ends []int
	for i, b := range text {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	if len(ends) == 0 || ends[len(ends)-1] < len(text) {
		ends = append(ends, len(text))
	}
	return ends
}

// adjust moves the column from where the fault is certain to where it begins.
func (f *finding) adjust(msg string) {
	text := []rune(f.lineText())
	if strings.Contains(msg, "mapping values are not allowed") {
		for f.col > 1 && (f.col > len(text) || text[f.col-1] != ':') {
			f.col--
		}
		return
	}
	if strings.Contains(msg, "did not find expected key") ||
		strings.Contains(msg, "did not find expected '-' indicator") ||
		strings.Contains(msg, "could not find expected ':'") {
		f.col = firstColumn(string(text))
	}
	if strings.Contains(msg, "block sequence entries") || strings.Contains(msg, "alphabetic or numeric") ||
		strings.Contains(msg, "escape character") {
		f.col--
	}
	if strings.Contains(msg, "or ']'") || strings.Contains(msg, "or '}'") {
		f.col = wordBefore(text, f.col)
	}
	f.col = min(max(f.col, 1), len(text)+1)
}

func firstColumn(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) + 1 }

// alias finds the first use of an anchor that is not there.
func (f finding) alias(name string) finding {
	for i, l := range strings.Split(string(f.text), "\n") {
		if j := strings.Index(l, "*"+name); j >= 0 {
			f.line, f.col = i+1, utf8.RuneCountInString(l[:j])+1
			return f
		}
	}
	return f
}

// opening finds what the end of the text leaves open: the last quote or bracket without its partner, near the line that
// the parser names.
func (f finding) opening(msg string) finding {
	f.open = true
	var stack []int
	quote, opened := byte(0), 0
	for i := 0; i < len(f.text); i++ {
		b := f.text[i]
		switch {
		case quote == '"' && b == '\\':
			i++
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '#' && (i == 0 || f.text[i-1] <= ' '):
			if j := bytes.IndexByte(f.text[i:], '\n'); j >= 0 {
				i += j
			} else {
				i = len(f.text)
			}
		case (b == '"' || b == '\'') && startsToken(f.text[:i], len(stack) > 0):
			quote, opened = b, i
		case (b == '[' || b == '{') && startsToken(f.text[:i], len(stack) > 0):
			stack = append(stack, i)
		case (b == ']' || b == '}') && len(stack) > 0:
			stack = stack[:len(stack)-1]
		}
	}
	switch {
	case quote != 0:
		f.line, f.col = place(f.text, opened)
	case len(stack) > 0:
		f.line, f.col = place(f.text, stack[len(stack)-1])
	default:
		f.line = bytes.Count(bytes.TrimRight(f.text, "\n"), []byte{'\n'}) + 1
		f.col = firstColumn(f.lineText())
	}
	return f
}

// startsToken says whether what stands before lets a quote or bracket begin something.
func startsToken(before []byte, flow bool) bool {
	t := bytes.TrimRight(before, " \t")
	if len(t) == 0 {
		return true
	}
	last := t[len(t)-1]
	if last == '\n' || flow && (last == '[' || last == '{' || last == ',' || last == ':') {
		return true
	}
	return len(t) < len(before) && (last == ':' || last == '-' || last == '?')
}

// wordBefore is the column of the word that ends before the column.
func wordBefore(text []rune, col int) int {
	i := min(col-1, len(text))
	for i > 0 && text[i-1] <= ' ' {
		i--
	}
	for i > 0 && text[i-1] > ' ' {
		i--
	}
	return i + 1
}
