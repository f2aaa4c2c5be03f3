// Package pyre is Python's re: patterns and replacements mean what they mean there, and every match has a time
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
	}{{IgnoreCase, regexp2.IgnoreCase}, {Multiline, regexp2.Multiline}, {DotAll, regexp2.Singleline},
		{Verbose, regexp2.IgnorePatternWhitespace}} {
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
