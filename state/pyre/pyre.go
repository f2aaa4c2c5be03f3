// Package pyre is Python's re and fnmatch: patterns and replacements mean what they mean there, and every match has a time
// limit, because patterns are the user's.
package pyre

import (
	"fmt"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/gostate/gostate/state/value"
)

// timeout bounds one match: a pattern that needs longer backtracks without end.
const timeout = 2 * time.Second

// Flags are Python's re.I, re.M, re.S, re.X.
type Flags uint8

// The flags.
const (
	IgnoreCase Flags = 1 << iota
	Multiline
	DotAll
	Verbose
)

// A Regexp is a compiled pattern.
type Regexp struct {
	text   string
	groups int
	names  map[string]int
	search *regexp2.Regexp
	match  *regexp2.Regexp // only at the start of the text
}

// A Match is one place where a pattern matches.
type Match struct {
	// Groups are the texts of all groups, 0 being the whole; nil for a group that took no part.
	Groups []*string
	Start  int // byte where it begins
	End    int // byte behind it
}

// Compile reads a pattern. The error is Python's re.error.
func Compile(pattern string, flags Flags) (*Regexp, error) {
	t := translator{in: []rune(pattern), names: map[string]int{}}
	out, err := t.run()
	if err != nil {
		return nil, value.Raise("error", "%s in pattern %s", err, value.Repr(value.Str(pattern)))
	}
	var opt regexp2.RegexOptions
	for _, f := range []struct {
		on  Flags
		opt regexp2.RegexOptions
	}{{IgnoreCase, regexp2.IgnoreCase}, {Multiline, regexp2.Multiline}, {DotAll, regexp2.Singleline}, {Verbose, regexp2.IgnorePatternWhitespace}} {
		if flags&f.on != 0 {
			opt |= f.opt
		}
	}
	r := &Regexp{text: pattern, groups: t.groups, names: t.names}
	if r.search, err = regexp2.Compile(out, opt); err == nil {
		end := ")"
		if strings.Contains(out, "#") {
			end = "\n)" // the pattern may be verbose and end in a comment
			if flags&Verbose == 0 && !strings.Contains(out, "(?x") {
				end = ")"
			}
		}
		r.match, err = regexp2.Compile(`\A(?:`+out+end, opt)
	}
	if err != nil {
		return nil, value.Raise("error", "%s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	r.search.MatchTimeout, r.match.MatchTimeout = timeout, timeout
	return r, nil
}

// Match is re.match: at the start of the text. nil when it does not match.
func (r *Regexp) Match(text string) (*Match, error) {
	m, err := r.match.FindStringMatch(text)
	return r.convert(m, err)
}

// Search is re.search: the first match anywhere.
func (r *Regexp) Search(text string) (*Match, error) {
	m, err := r.search.FindStringMatch(text)
	return r.convert(m, err)
}

// Matches says whether Match finds something.
func (r *Regexp) Matches(text string) (bool, error) {
	ok, err := r.match.MatchString(text)
	if err != nil {
		return false, r.tooLong()
	}
	return ok, nil
}

// FindAll gives all matches that do not overlap, left to right.
func (r *Regexp) FindAll(text string) ([]*Match, error) {
	var out []*Match
	m, err := r.search.FindStringMatch(text)
	for m != nil && err == nil {
		c, _ := r.convert(m, nil)
		out = append(out, c)
		m, err = r.search.FindNextMatch(m)
	}
	if err != nil {
		return nil, r.tooLong()
	}
	return out, nil
}

func (r *Regexp) convert(m *regexp2.Match, err error) (*Match, error) {
	if err != nil {
		return nil, r.tooLong()
	}
	if m == nil {
		return nil, nil
	}
	start, length := m.ByteRange()
	out := &Match{Start: start, End: start + length, Groups: make([]*string, r.groups+1)}
	for i := range out.Groups {
		if g := m.GroupByNumber(i); g != nil && len(g.Captures) > 0 {
			s := g.String()
			out.Groups[i] = &s
		}
	}
	return out, nil
}

func (r *Regexp) tooLong() error {
	return value.Raise("error", "the pattern %s takes longer than %s on this text", value.Repr(value.Str(r.text)), timeout)
}

// Sub is re.sub: all matches replaced by the expansion of the template.
func (r *Regexp) Sub(template, text string) (string, error) {
	all, err := r.FindAll(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	at := 0
	for _, m := range all {
		b.WriteString(text[at:m.Start])
		s, err := r.Expand(template, m)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
		at = m.End
	}
	if _, err := r.Expand(template, nil); err != nil {
		return "", err
	}
	return b.String() + text[at:], nil
}

// Fnmatch is fnmatch.fnmatchcase: *, ?, [seq] and [!seq] over the whole name.
func Fnmatch(name, pattern string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return name == pattern
	}
	return globMatch([]rune(name), []rune(pattern))
}

// globMatch keeps the place of the last star, so that its time is at most name times pattern.
func globMatch(s, p []rune) bool {
	i, j, star, mark := 0, 0, -1, 0
	for i < len(s) {
		if j < len(p) && p[j] == '*' {
			star, mark = j, i
			j++
			continue
		}
		if j < len(p) {
			if ok, width := globOne(s[i], p[j:]); ok {
				i, j = i+1, j+width
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		i, j = mark, star+1
	}
	for j < len(p) && p[j] == '*' {
		j++
	}
	return j == len(p)
}

// globOne matches one character against the front of a pattern and says how long that front is.
func globOne(c rune, p []rune) (ok bool, width int) {
	switch p[0] {
	case '?':
		return true, 1
	case '[':
		end := 1
		if end < len(p) && p[end] == '!' {
			end++
		}
		if end < len(p) && p[end] == ']' {
			end++
		}
		for end < len(p) && p[end] != ']' {
			end++
		}
		if end == len(p) {
			return c == '[', 1
		}
		set, negate := p[1:end], false
		if set[0] == '!' {
			set, negate = set[1:], true
		}
		return inSet(c, set) != negate, end + 1
	}
	return c == p[0], 1
}

func inSet(c rune, set []rune) bool {
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= c && c <= set[i+2] {
				return true
			}
			i += 2
			continue
		}
		if set[i] == c {
			return true
		}
	}
	return false
}

// Escape is re.escape: special characters get a backslash.
func Escape(text string) string {
	var b strings.Builder
	for _, c := range text {
		if strings.ContainsRune("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func badf(format string, args ...any) error { return fmt.Errorf(format, args...) }

func badRepl(format string, args ...any) error {
	return value.Raise("error", format+" in the replacement", args...)
}
