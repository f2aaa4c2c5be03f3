package yaml

import (
	"strings"
	"unicode/utf8"
)

// An analysis says in which styles a text can be written.
type analysis struct {
	multiline                              bool
	flowPlain, blockPlain, single, asBlock bool
}

func isBreak(r rune) bool { return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029 }

// ends says whether r is blank, a break, or the end of the text (-1).
func ends(r rune) bool { return r == -1 || r == ' ' || r == '\t' || isBreak(r) }

// printable are the characters that libyaml writes as they are: none beyond the basic plane.
func printable(r rune) bool {
	return r == '\n' || r >= ' ' && r <= '~' || r >= 0xa0 && r < 0xd800 || r >= 0xe000 && r < 0xfffe && r != 0xfeff
}

type traits struct {
	flowMark, blockMark, breaks, special         bool
	leadSpace, leadBreak, trailSpace, trailBreak bool
	breakSpace, spaceBreak, wasSpace, wasBreak   bool
}

// analyze finds what a text holds that a style cannot.
func analyze(s string, unicode bool) analysis {
	if s == "" {
		return analysis{blockPlain: true, single: true}
	}
	var t traits
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		t.blockMark, t.flowMark = true, true
	}
	before := true // blank, or nothing
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		next := rune(-1)
		if i+size < len(s) {
			next, _ = utf8.DecodeRuneInString(s[i+size:])
		}
		t.mark(r, i == 0, before, ends(next))
		if r == utf8.RuneError && size == 1 || !printable(r) || r > '~' && !unicode {
			t.special = true
		}
		t.space(r, i == 0, i+size == len(s))
		before = ends(r)
		i += size
	}
	return t.judge()
}

// mark notes a character that means something to YAML where it stands.
func (t *traits) mark(r rune, first, before, followed bool) {
	flow, block := false, false
	if first {
		switch r {
		case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
			flow, block = true, true
		case '?', ':':
			flow, block = true, followed
		case '-':
			flow, block = followed, followed
		}
	} else {
		switch r {
		case ',', '?', '[', ']', '{', '}':
			flow = true
		case ':':
			flow, block = true, followed
		case '#':
			flow, block = before, before
		}
	}
	t.flowMark, t.blockMark = t.flowMark || flow, t.blockMark || block
}

func (t *traits) space(r rune, first, last bool) {
	switch {
	case r == ' ':
		t.leadSpace = t.leadSpace || first
		t.trailSpace = t.trailSpace || last
		t.breakSpace = t.breakSpace || t.wasBreak
		t.wasSpace, t.wasBreak = true, false
	case isBreak(r):
		t.breaks = true
		t.leadBreak = t.leadBreak || first
		t.trailBreak = t.trailBreak || last
		t.spaceBreak = t.spaceBreak || t.wasSpace
		t.wasSpace, t.wasBreak = false, true
	default:
		t.wasSpace, t.wasBreak = false, false
	}
}

func (t *traits) judge() analysis {
	a := analysis{multiline: t.breaks, flowPlain: true, blockPlain: true, single: true, asBlock: true}
	if t.leadSpace || t.leadBreak || t.trailSpace || t.trailBreak || t.breaks {
		a.flowPlain, a.blockPlain = false, false
	}
	if t.trailSpace {
		a.asBlock = false
	}
	if t.breakSpace {
		a.flowPlain, a.blockPlain, a.single = false, false, false
	}
	if t.spaceBreak || t.special {
		a.flowPlain, a.blockPlain, a.single, a.asBlock = false, false, false, false
	}
	a.flowPlain = a.flowPlain && !t.flowMark
	a.blockPlain = a.blockPlain && !t.blockMark
	return a
}
