// Package fnmatch matches names against shell patterns as Python's fnmatch does: * and ? match any character, dots and
// slashes too, [seq] and [!seq] one character of a set. It never fails: a pattern that is not closed is plain text.
package fnmatch

import "strings"

// HasMeta says whether the pattern is more than plain text.
func HasMeta(pattern string) bool { return strings.ContainsAny(pattern, "*?[") }

// A Pattern is compiled once and matched often.
type Pattern struct {
	plain  string
	tokens []token
}

type token struct {
	kind   byte // 'c' one character, '?' any, '*' any run, '[' one of a set
	char   rune
	negate bool
	ranges [][2]rune
}

// Compile prepares a pattern.
func Compile(pattern string) *Pattern {
	p := &Pattern{plain: pattern}
	if !HasMeta(pattern) {
		return p
	}
	rs := []rune(pattern)
	for i := 0; i < len(rs); i++ {
		switch rs[i] {
		case '*':
			if n := len(p.tokens); n == 0 || p.tokens[n-1].kind != '*' {
				p.tokens = append(p.tokens, token{kind: '*'})
			}
		case '?':
			p.tokens = append(p.tokens, token{kind: '?'})
		case '[':
			t, end := set(rs, i)
			p.tokens = append(p.tokens, t)
			i = end
		default:
			p.tokens = append(p.tokens, token{kind: 'c', char: rs[i]})
		}
	}
	return p
}

// set reads the bracket at rs[i]; end is the place of its last character.
func set(rs []rune, i int) (t token, end int) {
	j := i + 1
	if j < len(rs) && rs[j] == '!' {
		j++
	}
	if j < len(rs) && rs[j] == ']' {
		j++
	}
	for j < len(rs) && rs[j] != ']' {
		j++
	}
	if j >= len(rs) {
		return token{kind: 'c', char: '['}, i
	}
	t = token{kind: '['}
	in := rs[i+1 : j]
	if len(in) > 0 && in[0] == '!' {
		t.negate, in = true, in[1:]
	}
	for k := 0; k < len(in); k++ {
		if k+2 < len(in) && in[k+1] == '-' {
			t.ranges = append(t.ranges, [2]rune{in[k], in[k+2]})
			k += 2
			continue
		}
		t.ranges = append(t.ranges, [2]rune{in[k], in[k]})
	}
	return t, j
}

func (t *token) takes(r rune) bool {
	switch t.kind {
	case 'c':
		return t.char == r
	case '?':
		return true
	}
	for _, g := range t.ranges {
		if g[0] <= r && r <= g[1] {
			return !t.negate
		}
	}
	return t.negate
}

// Match says whether the whole of s matches.
func (p *Pattern) Match(s string) bool {
	if p.tokens == nil {
		return s == p.plain
	}
	rs := []rune(s)
	star, mark := -1, 0
	i, j := 0, 0
	for i < len(rs) {
		switch {
		case j < len(p.tokens) && p.tokens[j].kind == '*':
			star, mark = j, i
			j++
		case j < len(p.tokens) && p.tokens[j].takes(rs[i]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = mark, star+1
		default:
			return false
		}
	}
	for j < len(p.tokens) && p.tokens[j].kind == '*' {
		j++
	}
	return j == len(p.tokens)
}

// Match says whether s matches the pattern.
func Match(pattern, s string) bool {
	if !HasMeta(pattern) {
		return pattern == s
	}
	return Compile(pattern).Match(s)
}
