package modules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gostate/gostate/state/value"
)

// A kind is what becomes of a text. Salt differs: it writes a text as it is given; where it is written as it is into a
// file of lines, a line break in it would begin a record of its own.
type kind uint8

const (
	aLine    kind = iota // a field of a line, or a line: no control characters but tabs, no line breaks of any sort
	aText                // whatever
	aCommand             // what a shell reads, of many lines too, without NUL
	aWord                // a line without white space
	aPath                // a path: no control characters
	aFile                // a name of a file in a directory: a line without slash, and not "." nor ".."
	anEnv                // names and values of an environment
	aTrimmed             // a line, around which the function drops white space: a block of YAML ends in a line break
)

// kinds are the flags of an arg tag, and the words of a parameter, that say what becomes of a text. One that says
// nothing is a line, so that what is forgotten is refused and not let through.
func kinds(flag string) (k kind, ok bool) {
	i := slices.Index([]string{"line", "text", "command", "word", "path", "file", "env", "trimmed"}, flag)
	return kind(i), i >= 0
}

// A shape is what a text has to look like: its kind, and what must not be in it, since it means something where the
// text is written. ".." there is a part of a path.
type shape struct {
	kind kind
	not  []string
	must bool // it is required, so that an empty word is none
}

// A misfit is a text of the wrong shape: what it should be, and what it is.
type misfit struct{ msg, said, hint string }

func (m *misfit) Error() string { return m.msg + m.said }

// unsaid is the error without the text, where that is secret: what is cut off it in a message would not be known again.
func unsaid(err error) error {
	if m := (*misfit)(nil); errors.As(err, &m) {
		return &misfit{m.msg, "***", m.hint}
	}
	return err
}

// check finds fault with a text, or with one in a list or a map.
func (s shape) check(v value.Value) error {
	switch {
	case s.kind == aText && s.not == nil:
		return nil
	case s.kind == anEnv:
		return checkEnv(v)
	}
	switch v := v.(type) {
	case value.Str:
		if v == "" && !s.must {
			return nil // not given
		}
		return s.checkText(string(v))
	case value.Bytes:
		return s.checkText(string(v))
	case *value.List:
		return s.checkAll(v.Items)
	case *value.Tuple:
		return s.checkAll(v.Items)
	case *value.Set:
		return s.checkAll(v.Items())
	case *value.Dict:
		for k, val := range v.All() {
			if err := s.checkAll([]value.Value{k, val}); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAll judges the items of a list, where an empty word is one that is missing.
func (s shape) checkAll(items []value.Value) error {
	s.must = true
	for _, it := range items {
		if err := s.check(it); err != nil {
			return err
		}
	}
	return nil
}

func (s shape) checkText(text string) error {
	if s.kind == aTrimmed {
		s.kind, text = aLine, strings.TrimSpace(text)
	}
	if plain(text) && s.not == nil && (s.kind == aLine || s.kind == aPath) {
		return nil
	}
	said := Describe(value.Str(text))
	switch {
	case strings.ContainsRune(text, 0) && s.kind != aText:
		return &misfit{"takes no NUL, as in ", said, ""}
	case s.kind < aWord && s.kind != aLine:
	case strings.ContainsFunc(text, breaksLine):
		return &misfit{"takes one line, not ", said, hintOfBreak(text)}
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && (r != '\t' || s.kind == aPath) }):
		return &misfit{"takes no control characters, as in ", said, ""}
	case s.kind == aWord && (text == "" || strings.ContainsFunc(text, unicode.IsSpace)):
		return &misfit{"takes a name without white space, not ", said, ""}
	case s.kind == aFile && (strings.Contains(text, "/") || text == "" || text == "." || text == ".."):
		return &misfit{"takes a name that is no path, not ", said, "it becomes the name of a file in a directory"}
	}
	return s.checkParts(text, said)
}

// parts reads what must not be in a text: characters, and ".." for the parents in a path.
func parts(not string) (out []string) {
	rest := strings.ReplaceAll(not, "..", "")
	if rest != not {
		out = append(out, "..")
	}
	for _, r := range rest {
		out = append(out, string(r))
	}
	return out
}

// checkParts finds what must not be in the text.
func (s shape) checkParts(text, said string) error {
	for _, part := range s.not {
		if part == ".." && !slices.Contains(strings.Split(text, "/"), "..") || !strings.Contains(text, part) {
			continue
		}
		if part == ".." {
			return &misfit{`takes no path with "..", as `, said, "what it names has to stay in its directory"}
		}
		return &misfit{fmt.Sprintf("takes no %q, as in ", part), said, "it parts the fields where this is written"}
	}
	return nil
}

// plain says whether a text is of printable ASCII, which is most of what is given.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// breaksLine says whether one of the readers of a file, of which some are Python's, begins a new line there.
func breaksLine(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

func hintOfBreak(text string) string {
	if !strings.ContainsFunc(strings.TrimRight(text, "\n"), breaksLine) {
		return `a block ends in a line break, unless it begins with "|-" or ">-"`
	}
	return "what comes after the line break would be taken for a line of its own"
}

// checkEnv judges an environment: a map, a list of maps, or NAME=VALUE. Values may have line breaks.
func checkEnv(v value.Value) error {
	switch v := v.(type) {
	case value.Str:
		name, val, _ := strings.Cut(string(v), "=")
		return checkVariable(name, value.Str(val))
	case *value.List:
		for _, it := range v.Items {
			if err := checkEnv(it); err != nil {
				return err
			}
		}
	case *value.Dict:
		for k, val := range v.All() {
			if err := checkVariable(value.String(k), val); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkVariable(name string, v value.Value) error {
	word := shape{kind: aWord, not: []string{"="}, must: true}
	if err := word.checkText(name); err != nil {
		return err
	}
	return shape{kind: aCommand}.check(v)
}

// said is the kind's name in documentation.
func (k kind) said() string {
	return [...]string{"line", "text", "command", "word", "path", "name", "variables", "line"}[k]
}

// Kind is what becomes of a text that the argument is given: "line", "text", "command", "word", "path", "name" or
// "variables"; and what must not be in it.
func (a *Argument) Kind() (kind string, not []string) { return a.shape.kind.said(), a.shape.not }

// Kind is what becomes of a text that is given for a parameter, one of Params.
func (s *ExecSpec) Kind(param string) (kind string, not []string) {
	_, _, sh := s.formOf(param)
	return sh.kind.said(), sh.not
}
