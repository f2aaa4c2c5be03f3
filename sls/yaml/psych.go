package yaml

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// psych writes scalars as Ruby's Psych does: nothing for null, and texts in the style that Psych chooses.
func (n *node) psych() *node {
	if n.is == tagNull {
		n.text, n.plain = "", true
	}
	if n.is != tagStr {
		return n
	}
	n.style, n.plain = psychStyle(n.text)
	return n
}

// psychStyle is the style that Psych wishes for a text, 0 for a plain one. The emitter has the last word.
func psychStyle(s string) (style byte, plain bool) {
	switch {
	case linesWithin(s):
		return '|', false
	case s == "y" || s == "Y" || s == "n" || s == "N", oddLine(s):
		return '"', false
	case s == "<<", !psychText(s), psychOctal().MatchString(s):
		return '\'', false
	}
	return 0, true
}

// linesWithin says that a text has a line end with something other than a last line end behind it.
func linesWithin(s string) bool {
	i := strings.IndexByte(s, '\n')
	return i >= 0 && strings.TrimPrefix(s[i+1:], "\n") != ""
}

// oddLine says that a line of a text begins with no letter, digit or _ and has no " in it.
func oddLine(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		r, _ := utf8.DecodeRuneInString(line)
		if line != "" && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_' &&
			!strings.Contains(line, `"`) {
			return true
		}
	}
	return false
}

// psychText says that Psych reads a plain scalar back as this text: it is no number, date, boolean, null or symbol.
func psychText(s string) bool {
	if psychWord().MatchString(s) || strings.Contains(s, "\n") {
		switch strings.ToLower(s) {
		case "~", "null", "yes", "true", "on", "no", "false", "off":
			return false
		}
		return true
	}
	return s != "" && !psychOther().MatchString(s) || s == "." || s == "+." || s == "-."
}

var psychWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^\d.:-]?[\pL_\s!@#$%^&*(){}<>|/\\~;=]+$`)
})

var psychOctal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^0[0-7]*\.[0-9]`) })

// psychOther are the times, dates, numbers and symbols of Psych's scanner.
var psychOther = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?` +
		`(?:\s*(?:Z|[-+]\d{1,2}:?(\d\d)?))?$` +
		`|^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$` +
		`|^(?i:[-+]?\.inf|\.nan)$|^:.` +
		`|^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}(\.[0-9_]*)?$` +
		`|^[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][+-][0-9]+)?$` +
		`|^[-+]?0b[01_]+$|^[-+]?0o?[0-7_,]+$|^[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)$|^[-+]?0x[0-9a-fA-F_,]+$`)
})
