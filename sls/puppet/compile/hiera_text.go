package compile

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/types"
)

var interpolated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%\{[^}]*\}`) })

// interpolateData replaces %{...} in data: variables, lookup(), alias(), literal(), scope().
func (c *Compiler) interpolateData(v any, depth int) any {
	if depth > 50 {
		c.plainly("Recursive lookup detected")
	}
	switch x := v.(type) {
	case string:
		return c.interpolateText(x, depth)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = c.interpolateData(x[i], depth)
		}
		return out
	case *types.Hash:
		h := types.NewHash()
		for k, e := range x.All() {
			h.Set(c.interpolateData(k, depth), c.interpolateData(e, depth))
		}
		return h
	}
	return v
}

func (c *Compiler) interpolateText(s string, depth int) any {
	if !strings.Contains(s, "%{") {
		return s
	}
	if m := interpolated().FindString(s); m == s {
		if key, ok := function(m, "alias"); ok {
			v, _ := c.lookupKey(key, lookupOptions{}, depth+1)
			return v
		}
	}
	defer c.trace.in("Interpolation on \"%s\"", s)()
	return interpolated().ReplaceAllStringFunc(s, func(m string) string {
		if key, ok := function(m, "lookup"); ok {
			return types.Text(c.foundIn(key, depth))
		}
		if key, ok := function(m, "hiera"); ok {
			return types.Text(c.foundIn(key, depth))
		}
		if text, ok := function(m, "literal"); ok {
			return text
		}
		name := strings.TrimSpace(m[2 : len(m)-1])
		if n, ok := function(m, "scope"); ok {
			name = n
		}
		if name == "" || name == "::" || name == `""` || name == "''" {
			return ""
		}
		first, rest, dotted := strings.Cut(name, ".")
		v, _ := c.variable(c.top, strings.TrimPrefix(first, "::"))
		if dotted {
			v = (&call{Compiler: c, scope: c.top}).digDotted(v, rest, nil)
		}
		return types.Text(v)
	})
}

// function reads %{name('text')}.
func function(m, name string) (string, bool) {
	inner := strings.TrimSpace(m[2 : len(m)-1])
	rest, ok := strings.CutPrefix(inner, name+"(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return "", false
	}
	return strings.Trim(strings.TrimSuffix(rest, ")"), `'" `), true
}

func (c *Compiler) foundIn(key string, depth int) any {
	v, _ := c.lookupKey(key, lookupOptions{}, depth+1)
	return v
}
