package top

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// engineKind is the matcher of a letter of a compound expression, "" for an unknown one.
func engineKind(letter string) string {
	switch letter {
	case "G":
		return "grain"
	case "P":
		return "grain_pcre"
	case "I":
		return "pillar"
	case "J":
		return "pillar_pcre"
	case "L":
		return "list"
	case "S":
		return "ipcidr"
	case "E":
		return "pcre"
	case "D":
		return "data"
	case "R":
		return "range"
	}
	return ""
}

// Compound evaluates an expression such as "G@os:Debian and not ( web* or L@a,b )".
func (m *Matcher) Compound(expr string) (bool, error) { return m.words(strings.Fields(expr), expr) }

// Nodegroup evaluates a group of the configuration.
func (m *Matcher) Nodegroup(name string) (bool, error) {
	words, err := m.nodegroup(name, nil)
	if err != nil {
		return false, err
	}
	return m.words(words, "N@"+name)
}

// maxWords bounds what a nodegroup stands for: groups that name each other twice grow without end.
const maxWords = 100_000

// An unknownGroup is a nodegroup that the configuration does not have.
type unknownGroup struct{ name, near string }

func (u *unknownGroup) Error() string {
	if u.near != "" {
		return fmt.Sprintf("unknown nodegroup '%s'; did you mean '%s'?", u.name, u.near)
	}
	return fmt.Sprintf("unknown nodegroup '%s'", u.name)
}

// nodegroup gives the words of a group with the groups in it expanded. seen are the groups being expanded.
func (m *Matcher) nodegroup(name string, seen []string) ([]string, error) {
	if slices.Contains(seen, name) {
		return nil, fmt.Errorf("nodegroup '%s' holds itself: %s", name, strings.Join(append(seen, name), " -> "))
	}
	v, ok := m.m.Nodegroups.GetStr(name)
	if !ok {
		var known []string
		for k := range m.m.Nodegroups.All() {
			known = append(known, value.String(k))
		}
		return nil, &unknownGroup{name, diag.Nearest(name, known)}
	}
	var words []string
	switch v := v.(type) {
	case value.Str:
		words = strings.Fields(string(v))
	case *value.List:
		for _, it := range v.Items {
			words = append(words, value.String(it))
		}
		// Salt: a list without operators and engines is a list of ids
		if !slices.ContainsFunc(words, func(w string) bool { return isOperator(w) || strings.Contains(w, "@") }) {
			return []string{"L@" + strings.Join(words, ",")}, nil
		}
	default:
		return nil, fmt.Errorf("nodegroup '%s' is neither text nor a list", name)
	}
	out := []string{"("}
	for _, w := range words {
		if inner, ok := strings.CutPrefix(w, "N@"); ok {
			more, err := m.nodegroup(inner, append(seen, name))
			if err != nil {
				return nil, err
			}
			if out = append(out, more...); len(out) > maxWords {
				return nil, fmt.Errorf("nodegroup '%s' stands for more than %d words", name, maxWords)
			}
			continue
		}
		out = append(out, w)
	}
	return append(out, ")"), nil
}

func isOperator(w string) bool {
	return w == "and" || w == "or" || w == "not" || w == "(" || w == ")"
}

// A compound is the expression being read: or, and, not and parentheses, in Python's order.
type compound struct {
	m     *Matcher
	words []string
	i     int
	depth int
	text  string
}

// maxNesting bounds parentheses and nots.
const maxNesting = 200

func (m *Matcher) words(words []string, text string) (bool, error) {
	var all []string
	for _, w := range words {
		name, ok := strings.CutPrefix(w, "N@")
		if !ok {
			all = append(all, w)
			continue
		}
		more, err := m.nodegroup(name, nil)
		if err != nil {
			return false, err
		}
		all = append(all, more...)
	}
	c := &compound{m: m, words: all, text: text}
	ok, err := c.or()
	switch {
	case err != nil:
		return false, err
	case c.i < len(c.words):
		return false, c.bad("unexpected '%s'", c.words[c.i])
	}
	return ok, nil
}

func (c *compound) bad(format string, args ...any) error {
	return fmt.Errorf("compound target '%s': %s", c.text, fmt.Sprintf(format, args...))
}

func (c *compound) next(word string) bool {
	if c.i < len(c.words) && c.words[c.i] == word {
		c.i++
		return true
	}
	return false
}

func (c *compound) or() (bool, error) {
	ok, err := c.and()
	for err == nil && c.next("or") {
		var right bool
		right, err = c.and()
		ok = ok || right
	}
	return ok, err
}

func (c *compound) and() (bool, error) {
	ok, err := c.not()
	// Salt: "a not b" is "a and not b"
	for err == nil && (c.next("and") || c.i < len(c.words) && c.words[c.i] == "not") {
		var right bool
		right, err = c.not()
		ok = ok && right
	}
	return ok, err
}

func (c *compound) not() (bool, error) {
	if c.depth++; c.depth > maxNesting {
		return false, c.bad("nested too deeply")
	}
	defer func() { c.depth-- }()
	if c.next("not") {
		ok, err := c.not()
		return !ok, err
	}
	if c.next("(") {
		ok, err := c.or()
		if err == nil && !c.next(")") {
			return false, c.bad("'(' is not closed")
		}
		return ok, err
	}
	if c.i == len(c.words) {
		return false, c.bad("a target is missing at the end")
	}
	word := c.words[c.i]
	if isOperator(word) {
		return false, c.bad("a target is missing before '%s'", word)
	}
	c.i++
	return c.one(word)
}

// one evaluates a word: "G@os:Debian", "G|@os|Debian" with its own delimiter, or a glob of the id.
func (c *compound) one(word string) (bool, error) {
	at := strings.IndexByte(word, '@')
	if at != 1 && at != 2 {
		return c.m.Match("glob", word, "")
	}
	letter, delim := word[:1], word[1:at]
	if letter < "A" || letter > "Z" {
		return c.m.Match("glob", word, "")
	}
	kind := engineKind(letter)
	if kind == "" {
		return false, c.bad("unknown matcher '%s@'", letter)
	}
	ok, err := c.m.Match(kind, word[at+1:], delim)
	if err != nil {
		return false, c.bad("%v", err)
	}
	return ok, nil
}
