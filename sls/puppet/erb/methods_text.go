package erb

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/sls/puppet/types"
)

// texts makes a method of a function from text to value.
func texts(f func(s string) any) method {
	return func(c *invocation) any { return f(c.self.(string)) }
}

// anyOf is true when f is for one of the arguments.
func anyOf(f func(s, arg string) bool) method {
	return func(c *invocation) any {
		for i := range c.args {
			if f(c.self.(string), c.argText(i)) {
				return true
			}
		}
		return false
	}
}

const blanks = " \t\n\v\f\r\x00"

func textMethods() map[string]method {
	size := texts(func(s string) any { return int64(utf8.RuneCountInString(s)) })
	return map[string]method{
		"length": size, "size": size,
		"empty?":   texts(func(s string) any { return s == "" }),
		"upcase":   texts(func(s string) any { return strings.ToUpper(s) }),
		"downcase": texts(func(s string) any { return strings.ToLower(s) }),
		"capitalize": texts(func(s string) any {
			_, n := utf8.DecodeRuneInString(s)
			return strings.ToUpper(s[:n]) + strings.ToLower(s[n:])
		}),
		"strip":  texts(func(s string) any { return strings.TrimRight(strings.TrimLeft(s, blanks), blanks) }),
		"lstrip": texts(func(s string) any { return strings.TrimLeft(s, blanks) }),
		"rstrip": texts(func(s string) any { return strings.TrimRight(s, blanks) }),
		"chomp": func(c *invocation) any {
			s := c.self.(string)
			if len(c.args) > 0 {
				return strings.TrimSuffix(s, c.argText(0))
			}
			if t := strings.TrimSuffix(s, "\n"); t != s {
				return strings.TrimSuffix(t, "\r")
			}
			return strings.TrimSuffix(s, "\r")
		},
		"chars": texts(func(s string) any {
			out := &list{}
			for _, c := range s {
				out.of = append(out.of, string(c))
			}
			return out
		}),
		"lines": texts(func(s string) any {
			out := &list{}
			for l := range strings.Lines(s) {
				out.of = append(out.of, l)
			}
			return out
		}),
		"include?":    anyOf(strings.Contains),
		"start_with?": anyOf(strings.HasPrefix), "end_with?": anyOf(strings.HasSuffix),
		"delete_prefix": func(c *invocation) any { return strings.TrimPrefix(c.self.(string), c.argText(0)) },
		"delete_suffix": func(c *invocation) any { return strings.TrimSuffix(c.self.(string), c.argText(0)) },
		"sub":           (*invocation).replace, "gsub": (*invocation).replace, "split": (*invocation).split,
		"ljust": (*invocation).justify, "rjust": (*invocation).justify, "[]": (*invocation).textIndex,
		"concat": func(c *invocation) any {
			s := c.self.(string)
			for _, v := range c.args {
				s += c.text(v)
			}
			return c.sized(s)
		},
		"prepend": func(c *invocation) any { return c.sized(c.argText(0) + c.self.(string)) },
		"replace": func(c *invocation) any { return c.argText(0) },
		"tr":      (*invocation).translate, "delete": (*invocation).translate, "to_f": (*invocation).toFloat,
		"center": (*invocation).justify,
		"reverse": texts(func(s string) any {
			runes := []rune(s)
			slices.Reverse(runes)
			return string(runes)
		}),
		"index": func(c *invocation) any {
			if i := strings.Index(c.self.(string), c.argText(0)); i >= 0 {
				return int64(utf8.RuneCountInString(c.self.(string)[:i]))
			}
			return nil
		},
		"count": func(c *invocation) any { return int64(strings.Count(c.self.(string), c.argText(0))) },
		"hex": func(c *invocation) any {
			n, _ := strconv.ParseInt(strings.TrimPrefix(c.self.(string), "0x"), 16, 64)
			return n
		},
		"scan":   (*invocation).scan,
		"to_str": texts(func(s string) any { return s }),
		"match":  func(c *invocation) any { return c.matchOf(c.self, c.pattern(c.arg(0))) },
		"match?": func(c *invocation) any { return c.matchOf(c.self, c.pattern(c.arg(0))) != nil },
	}
}

// pattern is a regular expression, or a text as one.
func (c *invocation) pattern(v any) any {
	if s, ok := v.(string); ok {
		return c.regexp(s)
	}
	return v
}

func (c *invocation) regexpOf(v any) *types.Regexp {
	if re, ok := v.(*types.Regexp); ok {
		return re
	}
	return c.regexp(escapeRegexp(c.argText(0)))
}

// replace is sub and gsub with a text, a hash or a block.
func (c *invocation) replace() any {
	s, re := c.self.(string), c.regexpOf(c.arg(0))
	c.steps += len(s)/16 + 1
	if with, ok := c.arg(1).(string); ok {
		flags := map[string]string{"gsub": "G"}[c.name]
		out, _ := c.env.Call("regsubst", s, re, with, flags).(string)
		return c.sized(out)
	}
	var b strings.Builder
	runes, from := []rune(s), 0
	m, _ := re.Engine().FindStringMatch(s)
	for m != nil {
		b.WriteString(string(runes[from:m.RuneIndex]))
		c.match = re.Match(m.String())
		if h, ok := c.arg(1).(*types.Hash); ok {
			b.WriteString(c.text(h.Value(m.String())))
		} else {
			b.WriteString(c.text(c.yield(m.String())))
		}
		c.sized(b.String())
		from = m.RuneIndex + m.RuneLength
		if c.name == "sub" {
			break
		}
		m, _ = re.Engine().FindNextMatch(m)
	}
	return b.String() + string(runes[from:])
}

func (c *invocation) split() any {
	s := c.self.(string)
	out := &list{}
	if sep, ok := c.arg(0).(string); ok && len(c.args) > 1 && sep != " " && sep != "" && c.argNumber(1) > 0 {
		for _, f := range strings.SplitN(s, sep, c.argNumber(1)) {
			out.of = append(out.of, f)
		}
		return out
	}
	if len(c.args) > 1 {
		c.fail("'split' with such a limit is not known")
	}
	if v := c.arg(0); v == nil || v == " " {
		for _, f := range strings.Fields(s) {
			out.of = append(out.of, f)
		}
		return out
	}
	return c.in(c.env.Call("split", s, c.regexpOf(c.arg(0))))
}

func (c *invocation) justify() any {
	s, pad, width := c.self.(string), " ", c.argNumber(0)
	if len(c.args) > 1 {
		pad = c.argText(1)
	}
	n := width - utf8.RuneCountInString(s)
	if n <= 0 || pad == "" {
		return s
	}
	fill := string([]rune(strings.Repeat(pad, n/utf8.RuneCountInString(pad)+1))[:n])
	if c.name == "ljust" {
		return c.sized(s + fill)
	}
	return c.sized(fill + s)
}

// bounds are where [i, n] or [from..to] begins and ends in something so long.
func (c *invocation) bounds(length int) (from, to int, ok bool) {
	at := func(v any, none int) int {
		if v == nil {
			return none
		}
		n := (&invocation{run: c.run, name: c.name, args: []any{v}}).argNumber(0)
		if n < 0 {
			n += length
		}
		return n
	}
	if s, isSpan := c.arg(0).(span); isSpan {
		from, to = at(s.from, 0), at(s.to, length-1)+1
	} else {
		from = at(c.arg(0), 0)
		n := c.argNumber(1)
		if to = from + n; n < 0 {
			return 0, 0, false
		}
	}
	if from < 0 || from > length {
		return 0, 0, false
	}
	return from, max(from, min(to, length)), true
}

// textIndex is 'abc'[0], [1, 2], [0..-2], [/re/, 1], ['part'].
func (c *invocation) textIndex() any {
	s := c.self.(string)
	switch v := c.arg(0).(type) {
	case string:
		if strings.Contains(s, v) {
			return v
		}
		return nil
	case *types.Regexp:
		m := c.matches(v, s)
		n := 0
		if len(c.args) > 1 {
			n = c.argNumber(1)
		}
		if n < 0 || n >= len(m) {
			return nil
		}
		return m[n]
	}
	runes := []rune(s)
	if _, ok := c.arg(0).(int64); ok && len(c.args) == 1 {
		n := c.argNumber(0)
		if n < 0 {
			n += len(runes)
		}
		if n < 0 || n >= len(runes) {
			return nil
		}
		return string(runes[n])
	}
	from, to, ok := c.bounds(len(runes))
	if !ok {
		return nil
	}
	return string(runes[from:to])
}
